#include "app/cli/doctor.h"

#include "app/cli/calibration_text.h"
#include "app/cli/capture.h"
#include "engine/core/cores.h"
#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/record/run_directory.h"
#include "engine/record/utc.h"
#include "launcher/supervisor.h"

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace triaxis::cli
{
namespace
{

namespace fs = std::filesystem;

const std::vector<std::string> mpiEnvironment{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                              "OMPI_MCA_rmaps_base_oversubscribe=1",
                                              "OMPI_MCA_btl_base_warn_component_unused=0"};

Finding examineMpirun()
{
    Finding finding{"mpirun", Health::Good, "", ""};
    const Captured version = capture({"mpirun", "--version"}, 20, mpiEnvironment);
    if (!version.started || version.exitCode != 0)
        return {"mpirun", Health::Short, "not found", "install Open MPI: apt-get install openmpi-bin"};
    finding.found = version.output.substr(0, version.output.find('\n'));
    if (finding.found.find("Open MPI") == std::string::npos) {
        finding.health = Health::Note;
        finding.advice = "Triaxis is made for Open MPI; put its mpirun first on the PATH";
    }
    return finding;
}

/// Two ranks that measure this machine: `triaxis-rank --probe`.
nlohmann::json probe(int ranks)
{
    const fs::path rank = findPrograms().rank;
    std::vector<std::string> environment = mpiEnvironment;
    const int threads = std::max(1, usableCores() / ranks);
    environment.push_back("OPENBLAS_NUM_THREADS=" + std::to_string(threads));
    const Captured out = capture({"mpirun", "-n", std::to_string(ranks), "--bind-to", "none", rank.string(), "--probe"},
                                 60, environment);
    const std::size_t begin = out.output.find('{');
    if (out.exitCode != 0 || begin == std::string::npos)
        return nlohmann::json::object();
    return nlohmann::json::parse(out.output.substr(begin), nullptr, false);
}

Finding examineRanks()
{
    const nlohmann::json found = probe(2);
    if (!found.is_object() || !found.contains("pair_bytes_per_second"))
        return {"two ranks", Health::Short, "mpirun -n 2 did not get two ranks to talk",
                "try: mpirun -n 2 hostname; in a container allow /dev/shm (--shm-size=1g) and a writable /tmp"};
    return {"two ranks", Health::Good,
            found.value("mpi", "") + ", messages of 1 MiB at " +
                units::bytesPerSecond(found.value("pair_bytes_per_second", 0.0)) + ", small ones in " +
                units::seconds(found.value("pair_latency", 0.0)),
            ""};
}

Finding examineSharedMemory()
{
    struct statvfs figures = {};
    if (statvfs("/dev/shm", &figures) != 0)
        return {"shared memory", Health::Note, "/dev/shm is not there",
                "ranks exchange through files instead; mount a tmpfs on /dev/shm"};
    const std::int64_t free = std::int64_t(figures.f_bavail) * std::int64_t(figures.f_frsize);
    Finding finding{"shared memory", Health::Good, units::bytes(free) + " free in /dev/shm", ""};
    if (access("/dev/shm", W_OK) != 0 || free < (std::int64_t{64} << 20)) {
        finding.health = Health::Note;
        finding.advice = "give it at least 64 MiB and write permission (containers: --shm-size=1g)";
    }
    return finding;
}

/// Whether one process may read another's memory, as Open MPI does for large messages: two sibling processes try it.
bool singleCopyWorks()
{
    static const char mark = 'x';
    const pid_t target = fork();
    if (target == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pause();
        _exit(0);
    }
    const pid_t reader = fork();
    if (reader == 0) {
        char value = 0;
        iovec local{&value, 1};
        iovec remote{const_cast<char*>(&mark), 1};
        _exit(process_vm_readv(target, &local, 1, &remote, 1, 0) == 1 && value == 'x' ? 0 : 1);
    }
    int status = 1;
    waitpid(reader, &status, 0);
    kill(target, SIGKILL);
    waitpid(target, nullptr, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Finding examineSingleCopy()
{
    if (singleCopyWorks())
        return {"single copy", Health::Good, "large messages between ranks are copied once", ""};
    return {"single copy", Health::Note, "not allowed here: large messages are copied twice",
            "runs work, only slower; allow it with: sysctl kernel.yama.ptrace_scope=0 (containers: --cap-add=SYS_PTRACE)"};
}

/// GFLOP/s a core that a healthy BLAS kernel reaches at least, by what the processor can do.
double expectedRate()
{
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        if (line.compare(0, 5, "flags") != 0)
            continue;
        if (line.find(" avx512f") != std::string::npos)
            return 50e9;
        return line.find(" avx2") != std::string::npos ? 25e9 : 5e9;
    }
    return 0;
}

Finding examineBlas()
{
    const nlohmann::json found = probe(1);
    if (!found.is_object() || !found.contains("gemm_flops_per_second"))
        return {"BLAS", Health::Short, "triaxis-rank did not run", "build it, and look at: triaxis-rank --devices"};
    const double rate = found.value("gemm_flops_per_second", 0.0);
    const int threads = found.value("threads", 1);
    Finding finding{"BLAS", Health::Good,
                    found.value("blas", "") + ", " + units::flopsPerSecond(rate) + " on " + std::to_string(threads) +
                        (threads == 1 ? " thread" : " threads"),
                    ""};
    if (rate / threads < expectedRate()) {
        finding.health = Health::Note;
        const char* preset = std::getenv("OPENBLAS_CORETYPE");
        finding.advice = preset != nullptr
                             ? "slow for this processor: OPENBLAS_CORETYPE=" + std::string(preset) +
                                   " is set; unless it is there because another kernel computes wrong results, unset it"
                             : "slow for this processor: is the machine busy, or the BLAS library a generic one?";
    }
    return finding;
}

Finding examineCores()
{
    const int cores = usableCores();
    Finding finding{"cores", Health::Good, std::to_string(cores) + " usable", ""};
    if (cores < 2) {
        finding.health = Health::Note;
        finding.advice = "ranks share one core: runs work, but speed-up cannot be seen";
    }
    return finding;
}

std::int64_t availableMemory()
{
    std::ifstream in("/proc/meminfo");
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string name;
        std::int64_t kibibytes = 0;
        if (words >> name >> kibibytes && name == "MemAvailable:")
            return kibibytes * 1024;
    }
    return 0;
}

Finding examineMemory()
{
    const std::int64_t bytes = availableMemory();
    Finding finding{"memory", Health::Good, units::bytes(bytes) + " available", ""};
    if (bytes < (std::int64_t{2} << 30)) {
        finding.health = Health::Note;
        finding.advice = "8 ranks of the demonstration need about 1 GiB; close other programs";
    }
    return finding;
}

Finding examineDisk()
{
    const fs::path home = triaxisHome();
    fs::path existing = home;
    while (!fs::exists(existing) && existing.has_parent_path() && existing != existing.parent_path())
        existing = existing.parent_path();
    struct statvfs figures = {};
    const bool known = statvfs(existing.c_str(), &figures) == 0;
    const std::int64_t free = known ? std::int64_t(figures.f_bavail) * std::int64_t(figures.f_frsize) : 0;
    Finding finding{"history", Health::Good, home.string() + ", " + units::bytes(free) + " free", ""};
    if (!known || access(existing.c_str(), W_OK) != 0) {
        finding.health = Health::Short;
        finding.advice = "runs cannot be kept there; set TRIAXIS_HOME to a folder that you may write";
    } else if (free < (std::int64_t{200} << 20)) {
        finding.health = Health::Note;
        finding.advice = "little space; set TRIAXIS_HOME to a larger disk, or delete old runs";
    }
    return finding;
}

Finding examineCalibration()
{
    const char* const measure = "measure it once, so that runs can be predicted: triaxis calibrate";
    try {
        const auto calibration = loadCalibration(triaxisHome());
        if (!calibration)
            return {"calibration", Health::Note, "this machine has not been measured", measure};
        const std::string age = ageOf(calibration->date, unixTime());
        const std::string why = whyForeign(*calibration);
        if (!why.empty())
            return {"calibration", Health::Note, "not of this machine: " + why, measure};
        return {"calibration", Health::Good, "measured " + (age.empty() ? calibration->date : age + " ago"), ""};
    } catch (const Error& error) {
        return {"calibration", Health::Note, error.what(), measure};
    }
}

Finding examineGpus()
{
    int gpus = 0;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator("/proc/driver/nvidia/gpus", none)) {
        (void)entry;
        ++gpus;
    }
    void* nccl = dlopen("libnccl.so.2", RTLD_LAZY | RTLD_LOCAL);
    const bool hasNccl = nccl != nullptr;
    if (hasNccl)
        dlclose(nccl);
    const std::string found = (gpus == 0 ? std::string("no NVIDIA GPU") : std::to_string(gpus) + " NVIDIA GPUs") +
                              (hasNccl ? ", NCCL is installed" : ", no NCCL");
    return {"GPUs", Health::Note, found, "nothing to do: this version trains on CPU ranks"};
}

Finding examineDisplay()
{
    std::error_code ignored;
    if (!fs::exists(findPrograms().window, ignored))
        return {"window", Health::Note, "this build has no window", "build with -DTRIAXIS_UI=ON, or use triaxis demo"};
    for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"})
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
            return {"window", Health::Good, std::string("display ") + value, ""};
    return {"window", Health::Note, "no display",
            "runs and reports work without one (triaxis demo); over ssh use ssh -X to see the window"};
}

} // namespace

std::vector<std::function<Finding()>> examinations()
{
    return {examineMpirun, examineRanks, examineSharedMemory, examineSingleCopy, examineBlas,
            examineCores,  examineMemory, examineDisk,         examineCalibration, examineGpus, examineDisplay};
}

} // namespace triaxis::cli
