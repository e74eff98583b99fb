#include "app/cli/calibration_text.h"
#include "app/cli/capture.h"
#include "app/cli/commands.h"
#include "app/cli/core_use.h"
#include "engine/core/cores.h"
#include "engine/core/error.h"
#include "engine/core/json_fields.h"
#include "engine/core/units.h"
#include "engine/record/run_directory.h"
#include "engine/record/utc.h"
#include "launcher/supervisor.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <unistd.h>

namespace triaxis::cli
{
namespace
{

struct CalibrateOptions
{
    bool quick = false;
    bool show = false;
    bool json = false;
};

/// One job of ranks and what it measures.
struct Job
{
    int ranks = 1;
    int threads = 1;
    const char* part = "compute";
};

/// Job sizes of up to this many ranks are measured also where they share cores.
constexpr int smallRanks = 8;
constexpr double jobTimeout = 600;
/// Where other programs took more than this share of the cores, a job is measured once more.
constexpr double disturbed = 0.05;

/// One rank with one thread and with all cores, a rank on each core, and messages in jobs of every
/// size that a machine of this kind runs.
std::vector<Job> jobsOf(int cores, bool quick)
{
    std::vector<Job> jobs{{1, 1, "compute"}};
    if (cores > 1) {
        jobs.push_back({1, cores, "compute"});
        jobs.push_back({cores, 1, "compute"});
    }
    std::set<int> sizes{2, 4, smallRanks};
    if (!quick)
        sizes.insert({3, 6});
    for (int size = smallRanks; size < cores; size *= 2)
        sizes.insert(std::min(2 * size, cores));
    for (const int size : sizes)
        jobs.push_back({size, std::max(1, cores / size), "messages"});
    return jobs;
}

std::string titleOf(const Job& job)
{
    return std::to_string(job.ranks) + (job.ranks == 1 ? " rank, " : " ranks, ") +
           std::to_string(job.threads) + (job.threads == 1 ? " thread" : " threads");
}

class Progress
{
public:
    explicit Progress(std::size_t jobs) : m_jobs(jobs), m_terminal(isatty(STDERR_FILENO) != 0) {}
    void begin(const Job& job, std::size_t number)
    {
        m_title = titleOf(job);
        m_number = number;
        if (!m_terminal)
            std::fprintf(stderr, "%zu of %zu: %s, %s\n", number + 1, m_jobs, m_title.c_str(),
                         job.part);
    }
    void line(const std::string& text) const
    {
        const nlohmann::json said = nlohmann::json::parse(text, nullptr, false);
        if (!m_terminal || !said.is_object() || !said.contains("measuring"))
            return;
        std::fprintf(stderr, "\r\033[K%zu of %zu: %s: %s", m_number + 1, m_jobs, m_title.c_str(),
                     said.value("measuring", std::string()).c_str());
        std::fflush(stderr);
    }
    void end() const
    {
        if (m_terminal)
            std::fprintf(stderr, "\r\033[K");
    }

private:
    std::size_t m_jobs;
    std::size_t m_number = 0;
    std::string m_title;
    bool m_terminal;
};

MachineCalibration runJob(const Job& job, bool quick, const Progress& progress)
{
    std::vector<std::string> arguments{"--calibrate", job.part};
    if (quick)
        arguments.push_back("--quick");
    const LaunchCommand command =
        measuringCommand(job.ranks, job.threads, arguments, findPrograms());
    const Captured out = follow(command.arguments, jobTimeout, command.environment,
                                [&](const std::string& line) { progress.line(line); });
    const std::size_t begin = out.output.rfind("{\"calibration_version\"");
    if (out.exitCode != 0 || begin == std::string::npos)
        throw Error("cannot calibrate this machine",
                    "the job of " + titleOf(job) +
                        (out.timedOut ? " took too long" : " did not end well"),
                    "see whether ranks can run here at all: triaxis doctor");
    return machineCalibrationFromJson(
        parseJson(out.output.substr(begin), "cannot calibrate this machine", "triaxis-rank"),
        "triaxis-rank");
}

double loadNow()
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? std::max(0.0, load) : 0;
}

struct Measured
{
    MachineCalibration part;
    double others = 0;
};

Measured runUndisturbed(const Job& job, bool quick, int cores, const Progress& progress)
{
    const CoreUse begin = CoreUse::now();
    Measured measured{runJob(job, quick, progress), 0};
    const CoreUse once = CoreUse::now();
    measured.others = othersShare(begin, once, cores);
    if (measured.others <= disturbed)
        return measured;
    measured.part.keepShorter(runJob(job, quick, progress));
    measured.others = std::min(measured.others, othersShare(once, CoreUse::now(), cores));
    return measured;
}

int measure(const CalibrateOptions& options)
{
    const double begin = unixTime();
    const double load = loadNow();
    const int cores = usableCores();
    const std::vector<Job> jobs = jobsOf(cores, options.quick);
    Progress progress(jobs.size());
    std::optional<MachineCalibration> calibration;
    double others = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        progress.begin(jobs[i], i);
        const Measured measured = runUndisturbed(jobs[i], options.quick, cores, progress);
        others = std::max(others, measured.others);
        if (calibration)
            calibration->add(measured.part);
        else
            calibration = measured.part;
    }
    progress.end();
    calibration->date = utcText(begin);
    calibration->version = TRIAXIS_VERSION;
    calibration->cores = cores;
    calibration->load = load;
    calibration->others = others;
    calibration->seconds = unixTime() - begin;
    storeCalibration(triaxisHome(), *calibration);
    if (others > disturbed)
        std::fprintf(stderr,
                     "triaxis: other programs took up to %d %% of the cores meanwhile: measure "
                     "again when the machine is idle\n",
                     int(100 * others + 0.5));
    if (options.json)
        std::printf("%s\n", toJson(*calibration).dump().c_str());
    else
        printCalibration(*calibration, calibrationFile(triaxisHome()).string());
    return Success;
}

int show(const CalibrateOptions& options)
{
    const auto calibration = loadCalibration(triaxisHome());
    if (!calibration)
        throw Error("cannot show the calibration", "there is none in " + triaxisHome().string(),
                    "measure: triaxis calibrate");
    if (options.json)
        std::printf("%s\n", toJson(*calibration).dump().c_str());
    else
        printCalibration(*calibration, calibrationFile(triaxisHome()).string());
    return Success;
}

} // namespace

void addCalibrateCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command =
        app.add_subcommand("calibrate", "Measure this machine, so that runs on it can be predicted "
                                        "(1 to 2 minutes, up to twice that on a busy one)");
    command->footer(
        "Leave the machine alone meanwhile: what other programs disturb is measured once more.\n"
        "Then: triaxis run … --predict");
    const auto options = std::make_shared<CalibrateOptions>();
    command->add_flag("--quick", options->quick, "A coarse grid, in about 20 seconds");
    command->add_flag("--show", options->show, "Measure nothing: print what was measured before");
    command->add_flag("--json", options->json, "All samples as one JSON object");
    command->callback(
        [options, &exitCode] { exitCode = options->show ? show(*options) : measure(*options); });
}

} // namespace triaxis::cli
