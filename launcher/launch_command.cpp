#include "engine/core/cores.h"
#include "engine/core/error.h"
#include "launcher/environment.h"
#include "launcher/host_list.h"
#include "launcher/supervisor.h"

#include <algorithm>
#include <cctype>
#include <sys/uio.h>
#include <unistd.h>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

/// What the machine and the plan make of each other.
struct Shape
{
    int ranks = 1;
    int threads = 1;      ///< of each rank
    bool crowded = false; ///< more ranks than cores: Open MPI would refuse
    bool binds = false;
};

Shape shapeOf(const RunPlan& plan)
{
    Shape shape;
    shape.ranks = plan.layout.ranks();
    const bool here = plan.execution.hostfile.empty();
    const int cores = usableCores();
    const int physical = physicalCores();
    const int local = here ? shape.ranks : ranksPerHost(plan.execution.hostfile, shape.ranks);
    const int wanted = plan.execution.threadsPerRank;
    // What the plan says outright wins over the environment.
    shape.threads = threadsOfRank(wanted, cores, local, wanted > 0 ? std::nullopt : threadLimit());
    shape.crowded = here && shape.ranks > physical;
    // A second run would be bound to the same cores, so a run that leaves half of them free is not
    // bound. Neither is one under a quota: it may use any core, for a share of the time.
    shape.binds = here && shape.threads == 1 && shape.ranks <= std::min(cores, physical) &&
                  2 * shape.ranks > physical && cores >= physical;
    return shape;
}

/// Whether a process may read another's memory; containers often forbid it, and Open MPI then
/// complains at every start.
bool hasSingleCopy()
{
    char from = 'x';
    char to = 0;
    const iovec local{&to, 1};
    const iovec remote{&from, 1};
    return ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) == 1;
}

std::string findOnPath(const std::string& program)
{
    const std::string folders = variable("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
    for (std::size_t from = 0; from <= folders.size();) {
        const std::size_t to = std::min(folders.find(':', from), folders.size());
        const fs::path candidate = fs::path(folders.substr(from, to - from)) / program;
        std::error_code code;
        if (candidate.is_absolute() && fs::is_regular_file(candidate, code) &&
            ::access(candidate.c_str(), X_OK) == 0)
            return candidate.string();
        from = to + 1;
    }
    throw Error("cannot start the ranks", program + " is not on the PATH",
                "install Open MPI: apt-get install openmpi-bin");
}

Environment environmentOf(const Shape& shape)
{
    Environment environment = Environment::ofThisProcess();
    if (::geteuid() == 0) {
        environment.set("OMPI_ALLOW_RUN_AS_ROOT", "1");
        environment.set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    // Settings of the person win.
    environment.setDefault("OMPI_MCA_btl_base_warn_component_unused", "0");
    environment.setDefault("OMPI_MCA_hwloc_base_mem_bind_failure_action", "silent");
    if (shape.crowded)
        environment.setDefault("OMPI_MCA_rmaps_base_oversubscribe", "1");
    if (!hasSingleCopy())
        environment.setDefault("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
    environment.set("OPENBLAS_NUM_THREADS", std::to_string(shape.threads));
    environment.set("OMP_NUM_THREADS", std::to_string(shape.threads));
    environment.set("TRIAXIS_LAUNCHER_PID", std::to_string(::getpid()));
    return environment;
}

std::vector<std::string> mpirunOf(const Shape& shape)
{
    return {findOnPath("mpirun"), "-n", std::to_string(shape.ranks), "--bind-to",
            shape.binds ? "core" : "none"};
}

void addHosts(std::vector<std::string>& arguments, const std::string& hostfile,
              const Environment& environment)
{
    arguments.insert(arguments.end(), {"--hostfile", hostfile});
    // mpirun's own host inherits the environment, the others get what is named.
    for (const char* name : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "TRIAXIS_RUN_ID",
                             "OPENBLAS_CORETYPE", "LD_LIBRARY_PATH"})
        if (environment.has(name))
            arguments.insert(arguments.end(), {"-x", name});
}

void addMcaOption(std::vector<std::string>& arguments, const std::string& option)
{
    const std::size_t equals = option.find('=');
    const std::string name = option.substr(0, equals);
    const bool sound = equals != std::string::npos && !name.empty() &&
                       std::all_of(name.begin(), name.end(),
                                   [](unsigned char c) { return std::isalnum(c) || c == '_'; }) &&
                       equals + 1 < option.size();
    if (!sound)
        throw Error("cannot start the ranks", "the Open MPI setting \"" + option + "\"",
                    "write it as name=value, for example btl=tcp,self");
    arguments.insert(arguments.end(), {"--mca", name, option.substr(equals + 1)});
}

} // namespace

LaunchCommand launchCommand(const RunDirectory& run, const ProgramPaths& programs)
{
    const RunPlan plan = run.plan();
    const Shape shape = shapeOf(plan);
    Environment environment = environmentOf(shape);
    environment.set("TRIAXIS_RUN_ID", run.id());
    LaunchCommand command;
    std::vector<std::string>& arguments = command.arguments;
    arguments = mpirunOf(shape);
    if (!plan.execution.hostfile.empty()) {
        addHosts(arguments, plan.execution.hostfile, environment);
        // Hosts that do not reach the run directory get the plan and send their records this way.
        arguments.emplace_back("--tag-output");
        command.input = run.path() / "run.json";
        command.tagged = true;
    }
    for (const std::string& option : plan.execution.mcaOptions)
        addMcaOption(arguments, option);
    arguments.insert(arguments.end(), {programs.rank.string(), "--run", run.path().string()});
    command.environment = environment.list();
    return command;
}

LaunchCommand measuringCommand(int ranks, int threads, const std::vector<std::string>& arguments,
                               const ProgramPaths& programs)
{
    RunPlan plan;
    plan.layout.dp = ranks;
    plan.execution.threadsPerRank = threads;
    const Shape shape = shapeOf(plan);
    LaunchCommand command;
    command.arguments = mpirunOf(shape);
    command.arguments.push_back(programs.rank.string());
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.environment = environmentOf(shape).list();
    return command;
}

} // namespace triaxis
