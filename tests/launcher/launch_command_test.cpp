#include "engine/core/cores.h"
#include "engine/core/error.h"
#include "engine/record/process_info.h"
#include "launcher/host_list.h"
#include "launcher/scratch.h"
#include "launcher/supervisor.h"
#include "tests/engine/record/plan_fixture.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <unistd.h>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

namespace
{

using Strings = std::vector<std::string>;

/// What follows an argument; empty if it is not there.
std::string after(const Strings& arguments, const std::string& name)
{
    const auto at = std::find(arguments.begin(), arguments.end(), name);
    return at == arguments.end() || at + 1 == arguments.end() ? std::string() : *(at + 1);
}

std::string valueOf(const Strings& environment, const std::string& name)
{
    for (const std::string& entry : environment)
        if (entry.starts_with(name + "="))
            return entry.substr(name.size() + 1);
    return {};
}

void writeText(const fs::path& file, const std::string& text)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::trunc) << text;
}

} // namespace

class LaunchCommandTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = m_folder->path().toStdString();
        ::unsetenv("OMPI_MCA_rmaps_base_oversubscribe");
    }

    void startsTheRanksThroughMpirunWithoutAShell();
    void settingsOfThePersonWin();
    void threadsNeverExceedTheCores();
    void threadsKeepToTheEnvironment();
    void moreRanksThanCoresAreAllowed();
    void openMpiSettingsAreArguments();
    void settingsThatAreNoneAreRefused();
    void hostfileNamesWhatTheHostsNeed();
    void missingMpirunIsAnError();
    void hostfileIsUnderstood();
    void quotaOfTheControlGroupCounts();
    void programsLieBesideThisOne();
    void scratchGoesWithItsLauncher();
    void scratchOfDeadLaunchersIsRemoved();

private:
    LaunchCommand commandFor(const RunPlan& plan);

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_home;
};

LaunchCommand LaunchCommandTest::commandFor(const RunPlan& plan)
{
    const RunDirectory run = RunDirectory::create(m_home / "a b; echo $HOME", plan, {});
    ProgramPaths programs;
    programs.rank = "/opt/some where/triaxis-rank";
    return launchCommand(run, programs);
}

void LaunchCommandTest::startsTheRanksThroughMpirunWithoutAShell()
{
    const LaunchCommand command = commandFor(smallPlan(2, 1, 2));
    const Strings& arguments = command.arguments;
    QVERIFY(arguments[0].starts_with("/") && arguments[0].ends_with("/mpirun"));
    QCOMPARE(after(arguments, "-n"), "4");
    QCOMPARE(arguments[arguments.size() - 3], "/opt/some where/triaxis-rank");
    QCOMPARE(arguments[arguments.size() - 2], "--run");
    QVERIFY(arguments.back().starts_with((m_home / "a b; echo $HOME" / "runs").string()));
    QCOMPARE(valueOf(command.environment, "TRIAXIS_LAUNCHER_PID"), std::to_string(::getpid()));
    QCOMPARE(valueOf(command.environment, "TRIAXIS_RUN_ID"),
             fs::path(arguments.back()).filename().string());
    QVERIFY(!valueOf(command.environment, "PATH").empty());
    if (::geteuid() == 0) {
        QCOMPARE(valueOf(command.environment, "OMPI_ALLOW_RUN_AS_ROOT"), "1");
        QCOMPARE(valueOf(command.environment, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"), "1");
    }
}

void LaunchCommandTest::settingsOfThePersonWin()
{
    ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "0", 1);
    ::setenv("OPENBLAS_NUM_THREADS", "64", 1);
    const LaunchCommand command = commandFor(smallPlan(64, 1, 1));
    ::unsetenv("OMPI_MCA_rmaps_base_oversubscribe");
    ::unsetenv("OPENBLAS_NUM_THREADS");
    QCOMPARE(valueOf(command.environment, "OMPI_MCA_rmaps_base_oversubscribe"), "0");
    // But threads are the plan's.
    QCOMPARE(valueOf(command.environment, "OPENBLAS_NUM_THREADS"), "1");
}

void LaunchCommandTest::threadsNeverExceedTheCores()
{
    const std::string cores = std::to_string(usableCores());
    RunPlan plan = smallPlan(1, 1, 1);
    LaunchCommand command = commandFor(plan);
    QCOMPARE(valueOf(command.environment, "OPENBLAS_NUM_THREADS"), cores);
    QCOMPARE(valueOf(command.environment, "OMP_NUM_THREADS"), cores);
    plan.execution.threadsPerRank = 1;
    command = commandFor(plan);
    QCOMPARE(valueOf(command.environment, "OPENBLAS_NUM_THREADS"), "1");
    plan.execution.threadsPerRank = 4000;
    command = commandFor(plan);
    QCOMPARE(valueOf(command.environment, "OPENBLAS_NUM_THREADS"), cores);
    if (usableCores() > 1)
        QCOMPARE(after(command.arguments, "--bind-to"), "none");
}

void LaunchCommandTest::threadsKeepToTheEnvironment()
{
    ::setenv("OMP_NUM_THREADS", "1", 1);
    RunPlan plan = smallPlan(1, 1, 1);
    QCOMPARE(valueOf(commandFor(plan).environment, "OPENBLAS_NUM_THREADS"), "1");
    // What the plan says outright wins.
    plan.execution.threadsPerRank = 2;
    QCOMPARE(valueOf(commandFor(plan).environment, "OMP_NUM_THREADS"),
             std::to_string(std::min(2, usableCores())));
    QCOMPARE(threadLimit(), std::optional(1));
    for (const auto& [text, limit] : {std::pair{"3,2", 3}, {"many", 0}, {"0", 0}, {"-4", 0}}) {
        ::setenv("OMP_NUM_THREADS", text, 1);
        QCOMPARE(threadLimit().value_or(0), limit);
    }
    ::unsetenv("OMP_NUM_THREADS");
    QVERIFY(!threadLimit());
    QCOMPARE(threadsOfRank(0, 16, 4, {}), 4);
    QCOMPARE(threadsOfRank(0, 16, 4, 3), 3);
    QCOMPARE(threadsOfRank(0, 2, 8, 3), 1);
    QCOMPARE(threadsOfRank(9, 8, 4, {}), 8);
    QCOMPARE(threadsOfRank(9, 8, 4, 2), 2);
}

void LaunchCommandTest::moreRanksThanCoresAreAllowed()
{
    const LaunchCommand crowded = commandFor(smallPlan(2 * physicalCores(), 1, 2));
    QCOMPARE(valueOf(crowded.environment, "OMPI_MCA_rmaps_base_oversubscribe"), "1");
    // How a waiting rank gives way is the ranks' own business.
    QCOMPARE(valueOf(crowded.environment, "OMPI_MCA_mpi_yield_when_idle"), "");
    QCOMPARE(after(crowded.arguments, "--bind-to"), "none");
    // As many ranks as cores, one thread each: a core for each.
    RunPlan fitting = smallPlan(physicalCores(), 1, 1);
    fitting.execution.threadsPerRank = 1;
    if (usableCores() == physicalCores())
        QCOMPARE(after(commandFor(fitting).arguments, "--bind-to"), "core");
}

void LaunchCommandTest::openMpiSettingsAreArguments()
{
    RunPlan plan = smallPlan(1, 1, 2);
    plan.execution.mcaOptions = {"btl=tcp,self", "btl_tcp_if_include=lo;rm -rf x"};
    const Strings arguments = commandFor(plan).arguments;
    const auto first = std::find(arguments.begin(), arguments.end(), "--mca");
    QVERIFY(first != arguments.end());
    QCOMPARE(Strings(first, first + 6),
             (Strings{"--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo;rm -rf x"}));
}

void LaunchCommandTest::settingsThatAreNoneAreRefused()
{
    for (const char* option : {"btl", "=tcp", "btl=", "--hostfile=x", "a b=c", ""}) {
        RunPlan plan = smallPlan(1, 1, 1);
        plan.execution.mcaOptions = {option};
        bool refused = false;
        try {
            commandFor(plan);
        } catch (const Error&) {
            refused = true;
        }
        QVERIFY2(refused, option);
    }
}

void LaunchCommandTest::hostfileNamesWhatTheHostsNeed()
{
    const fs::path file = m_home / "hosts";
    writeText(file, "# nodes\na slots=2\nb slots=2\n");
    RunPlan plan = smallPlan(4, 1, 1);
    plan.execution.hostfile = file.string();
    const LaunchCommand command = commandFor(plan);
    QCOMPARE(after(command.arguments, "--hostfile"), file.string());
    QCOMPARE(after(command.arguments, "-x"), "OPENBLAS_NUM_THREADS");
    QVERIFY(std::find(command.arguments.begin(), command.arguments.end(), "TRIAXIS_RUN_ID") !=
            command.arguments.end());
    // Hosts without the run directory get the plan and send their records this way.
    QVERIFY(command.tagged);
    QCOMPARE(command.input, fs::path(after(command.arguments, "--run")) / "run.json");
    // A process number means nothing on another host.
    QVERIFY(std::find(command.arguments.begin(), command.arguments.end(), "TRIAXIS_LAUNCHER_PID") ==
            command.arguments.end());
}

void LaunchCommandTest::missingMpirunIsAnError()
{
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", m_home.c_str(), 1);
    std::string message;
    try {
        commandFor(smallPlan(1, 1, 1));
    } catch (const Error& error) {
        message = error.what();
    }
    ::setenv("PATH", path.c_str(), 1);
    QVERIFY2(message.find("openmpi-bin") != std::string::npos, message.c_str());
}

void LaunchCommandTest::hostfileIsUnderstood()
{
    const fs::path file = m_home / "hosts";
    writeText(file, "a slots=3 max_slots=8\n\n  # b slots=9\nc slots=2 # more\n");
    QCOMPARE(ranksPerHost(file.string(), 5), 3);
    QCOMPARE(ranksPerHost(file.string(), 2), 2);
    writeText(file, "a\nb\nc\n");
    QCOMPARE(ranksPerHost(file.string(), 7), 3);
    writeText(file, "a slots=many\nb slots=-1\n");
    QCOMPARE(ranksPerHost(file.string(), 4), 2);
    writeText(file, "# nobody\n");
    QVERIFY_EXCEPTION_THROWN(ranksPerHost(file.string(), 1), Error);
    QVERIFY_EXCEPTION_THROWN(ranksPerHost((m_home / "none").string(), 1), Error);
}

void LaunchCommandTest::quotaOfTheControlGroupCounts()
{
    const fs::path second = m_home / "v2";
    writeText(second / "a" / "b" / "cpu.max", "max 100000\n");
    writeText(second / "a" / "cpu.max", "150000 100000\n");
    QCOMPARE(processorQuota(second, "0::/a/b\n").value(), 1.5);
    QVERIFY(!processorQuota(second, "0::/\n"));
    writeText(second / "cpu.max", "50000 100000\n");
    QCOMPARE(processorQuota(second, "0::/a/b\n").value(), 0.5);
    const fs::path first = m_home / "v1";
    writeText(first / "cpu,cpuacct" / "job" / "cpu.cfs_quota_us", "400000\n");
    writeText(first / "cpu,cpuacct" / "job" / "cpu.cfs_period_us", "100000\n");
    writeText(first / "cpu,cpuacct" / "cpu.cfs_quota_us", "-1\n");
    writeText(first / "cpu,cpuacct" / "cpu.cfs_period_us", "100000\n");
    QCOMPARE(processorQuota(first, "12:cpuset:/job\n4:cpu,cpuacct:/job\n").value(), 4.0);
    QVERIFY(!processorQuota(first, "nonsense\n4:memory:/job\n"));
    QVERIFY(!processorQuota(m_home / "none", "0::/a\n"));
    cpu_set_t set;
    QCOMPARE(::sched_getaffinity(0, sizeof set, &set), 0);
    QVERIFY(usableCores() >= 1 && usableCores() <= CPU_COUNT(&set));
    QVERIFY(physicalCores() >= 1 && physicalCores() <= CPU_COUNT(&set));
}

void LaunchCommandTest::programsLieBesideThisOne()
{
    const ProgramPaths programs = findPrograms();
    const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
    QCOMPARE(programs.rank, here / "triaxis-rank");
    QCOMPARE(programs.triaxis, here / "triaxis");
    QCOMPARE(programs.window, here / "triaxis-gui");
}

void LaunchCommandTest::scratchGoesWithItsLauncher()
{
    ::setenv("TMPDIR", m_home.c_str(), 1);
    fs::path folder, shared;
    {
        const Scratch scratch;
        folder = valueOf(scratch.environment(), "OMPI_MCA_orte_tmpdir_base");
        QCOMPARE(folder.parent_path(), m_home);
        QVERIFY(fs::is_directory(folder));
        writeText(folder / "ompi.host.0" / "pid.1" / "segment", "x");
        shared = valueOf(scratch.environment(), "TRIAXIS_SHARED_FOLDER");
        QCOMPARE(shared.parent_path(), fs::path("/dev/shm"));
        QVERIFY(fs::is_directory(shared));
        // What a rank leaves that is killed while its group is being made.
        writeText(shared / "triaxis-1-0123456789abcdef", "x");
    }
    ::unsetenv("TMPDIR");
    QVERIFY(!fs::exists(folder));
    QVERIFY(!fs::exists(shared));
}

void LaunchCommandTest::scratchOfDeadLaunchersIsRemoved()
{
    const auto self = processInfo(::getpid());
    const std::string alive =
        "triaxis-" + std::to_string(::getpid()) + "-" + std::to_string(self->startTime) + "-abcdef";
    const std::string reused = "triaxis-" + std::to_string(::getpid()) + "-1-abcdef";
    for (const std::string& name :
         {alive, reused, std::string("triaxis-notes"), std::string("triaxis-1x-2-abcdef")})
        writeText(m_home / name / "file", "x");
    writeText(m_home / "elsewhere" / "file", "x");
    fs::create_directory_symlink(m_home / "elsewhere", m_home / "triaxis-999999999-1-abcdef");
    removeStaleScratch(m_home);
    QVERIFY(fs::exists(m_home / alive));
    QVERIFY(!fs::exists(m_home / reused));
    QVERIFY(fs::exists(m_home / "triaxis-notes" / "file"));
    QVERIFY(fs::exists(m_home / "triaxis-1x-2-abcdef" / "file"));
    QVERIFY(fs::exists(m_home / "elsewhere" / "file"));
    removeStaleScratch(m_home / "none");
}

QTEST_APPLESS_MAIN(LaunchCommandTest)
#include "launch_command_test.moc"
