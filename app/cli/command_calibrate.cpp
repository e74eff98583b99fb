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
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string_view>
#include <unistd.h>

namespace triaxis::cli
{
namespace
{

struct CalibrateOptions
{
    bool quick = false;
    bool now = false;
    bool more = false;
    bool show = false;
    bool json = false;
    double budget = 0; ///< seconds; 0: the usual
};

/// Seconds that a calibration may take unless told otherwise.
constexpr double usualBudget = 180;
constexpr double quickBudget = 40;

/// One job of ranks and what it measures.
struct Job
{
    int ranks = 1;
    int threads = 1;
    const char* part = "compute";
    double weight = 1; ///< of its time among those of all jobs
};

/// Job sizes of up to this many ranks are measured also where they share cores.
constexpr int smallRanks = 8;
constexpr double jobTimeout = 600;
/// Other programs that take more than this share of the cores disturb a measurement.
constexpr double disturbed = 0.05;
/// Everything is measured so often, with everything else in between: what disturbs one round is
/// gone by the next, and what does not go is how the machine is.
constexpr int rounds = 3;
/// What it takes to start the ranks of a job and to end them.
constexpr double secondsOfStart = 0.7;
/// The pace of the cores is measured so often where others disturb it.
constexpr int mostTries = 3;

/// The pace of every core; one rank with one thread and with all cores, a rank on each core, and
/// messages in jobs of every size that a machine of this kind runs.
std::vector<Job> jobsOf(int cores, bool quick)
{
    constexpr double compute = 3;
    std::vector<Job> jobs{{cores, 1, "pace"}, {1, 1, "compute", compute}};
    if (cores > 1) {
        jobs.push_back({1, cores, "compute", compute});
        jobs.push_back({cores, 1, "compute", compute});
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

MachineCalibration runJob(const Job& job, bool quick, double most, const Progress& progress)
{
    std::vector<std::string> arguments{"--calibrate", job.part, "--seconds",
                                       std::to_string(int(std::ceil(std::max(0.0, most))))};
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

/// The jobs as often as rounds are to be made, as far as the time allows; of each the least that
/// others took of the cores in a round.
class Rounds
{
public:
    /// `budget`: seconds for all rounds, about.
    Rounds(std::vector<Job> jobs, int cores, bool quick, double budget)
        : m_jobs(std::move(jobs)), m_cores(cores), m_quick(quick), m_end(unixTime() + budget),
          m_measured(m_jobs.size()), m_others(m_jobs.size(), 1), m_seconds(m_jobs.size(), 0)
    {
    }

    /// The first round measures everything, each job in its share of the time; a later one only
    /// what can be measured whole in the time that is left.
    void run(int times)
    {
        Progress progress(m_jobs.size() * std::size_t(times));
        for (int round = 0; round < times; ++round)
            for (std::size_t i = 0; i < m_jobs.size(); ++i) {
                if (round > 0 && m_seconds[i] > left())
                    continue;
                progress.begin(m_jobs[i], std::size_t(round) * m_jobs.size() + i);
                runOne(i, round == 0 ? left() * shareOf(i) - secondsOfStart : left(), progress);
            }
        progress.end();
        for (MachineCalibration& measured : m_measured)
            measured.jobs.front().wanted = times;
    }
    MachineCalibration result() const
    {
        MachineCalibration all = m_measured.front();
        for (std::size_t i = 1; i < m_measured.size(); ++i)
            all.add(m_measured[i]);
        return all;
    }
    double others() const { return *std::max_element(m_others.begin(), m_others.end()); }

private:
    struct Measured
    {
        MachineCalibration part;
        double others = 1;
    };

    double left() const { return std::max(0.0, m_end - unixTime()); }

    /// Of the time that is left in the first round before job `i`.
    double shareOf(std::size_t i) const
    {
        double weights = 0;
        for (std::size_t j = i; j < m_jobs.size(); ++j)
            weights += m_jobs[j].weight;
        return m_jobs[i].weight / weights;
    }

    Measured measure(const Job& job, double most, const Progress& progress) const
    {
        const CoreUse begin = CoreUse::now();
        Measured measured{runJob(job, m_quick, most, progress), 1};
        measured.others = othersShare(begin, CoreUse::now(), m_cores);
        return measured;
    }

    /// What other programs took is no pace of the cores: of a few tries the least disturbed one.
    Measured measurePace(const Job& job, double most, const Progress& progress) const
    {
        const double begin = unixTime();
        Measured best = measure(job, most, progress);
        for (int tries = 1; tries < mostTries && best.others > disturbed; ++tries) {
            if (unixTime() - begin > most)
                break;
            Measured again = measure(job, most, progress);
            if (again.others < best.others)
                best = std::move(again);
        }
        return best;
    }

    void runOne(std::size_t i, double most, const Progress& progress)
    {
        const double begin = unixTime();
        const bool pace = std::string_view(m_jobs[i].part) == "pace";
        Measured measured =
            pace ? measurePace(m_jobs[i], most, progress) : measure(m_jobs[i], most, progress);
        m_seconds[i] = unixTime() - begin;
        m_others[i] = std::min(m_others[i], measured.others);
        if (m_measured[i].host.empty())
            m_measured[i] = std::move(measured.part);
        else
            m_measured[i].keepShorter(measured.part);
    }

    std::vector<Job> m_jobs;
    int m_cores;
    bool m_quick;
    double m_end; ///< Unix time
    std::vector<MachineCalibration> m_measured;
    std::vector<double> m_others;
    std::vector<double> m_seconds; ///< that each job took last
};

void printResult(const CalibrateOptions& options, const MachineCalibration& calibration)
{
    if (options.json)
        std::printf("%s\n", toJson(calibration).dump().c_str());
    else
        printCalibration(calibration, calibrationFile(triaxisHome()).string());
}

void warnOfOthers(double others)
{
    if (others > disturbed)
        std::fprintf(stderr,
                     "triaxis: other programs took up to %d %% of the cores meanwhile: measure "
                     "again when the machine is idle\n",
                     int(100 * others + 0.5));
}

MachineCalibration stored(const char* tried)
{
    auto calibration = loadCalibration(triaxisHome());
    if (!calibration)
        throw Error(tried, "there is none in " + triaxisHome().string(),
                    "measure: triaxis calibrate");
    return *calibration;
}

constexpr const char* triedMore = "cannot add to the calibration";

/// What was measured before and now: of each sample the shorter time.
MachineCalibration addedTo(MachineCalibration before, const MachineCalibration& again)
{
    if (!before.measuresTheSameAs(again))
        throw Error(triedMore,
                    "what is stored was measured with another grid, program or library, or on "
                    "another machine",
                    "measure anew: triaxis calibrate");
    before.keepShorter(again);
    before.date = again.date;
    before.load = again.load;
    before.others = std::min(before.others, again.others);
    before.seconds += again.seconds;
    before.budget += again.budget;
    before.now.clear();
    return before;
}

int measure(const CalibrateOptions& options)
{
    if (options.more)
        (void)stored(triedMore); // before minutes have gone into what cannot be added
    const double begin = unixTime();
    const double load = loadNow();
    const int cores = usableCores();
    const double budget = options.budget > 0 ? options.budget
                          : options.quick    ? quickBudget
                                             : usualBudget;
    Rounds measured(jobsOf(cores, options.quick), cores, options.quick, budget);
    measured.run(options.quick || options.more ? 1 : rounds);
    MachineCalibration calibration = measured.result();
    calibration.date = utcText(begin);
    calibration.version = TRIAXIS_VERSION;
    calibration.cores = cores;
    calibration.load = load;
    calibration.others = measured.others();
    calibration.seconds = unixTime() - begin;
    calibration.budget = budget;
    if (options.more)
        calibration = addedTo(stored(triedMore), calibration);
    storeCalibration(triaxisHome(), calibration);
    warnOfOthers(measured.others());
    printResult(options, calibration);
    return Success;
}

/// How fast the cores go now, beside what was measured before.
int measureNow(const CalibrateOptions& options)
{
    MachineCalibration calibration = stored("cannot bring the calibration up to date");
    if (const std::string why = whyForeign(calibration); !why.empty())
        throw Error("cannot bring the calibration up to date", why, "measure: triaxis calibrate");
    if (calibration.paces.empty())
        throw Error("cannot bring the calibration up to date",
                    "it does not say how fast the cores went", "measure anew: triaxis calibrate");
    constexpr double budget = 15;
    Rounds measured({{usableCores(), 1, "pace"}}, usableCores(), true, budget);
    measured.run(1);
    calibration.now = measured.result().paces;
    storeCalibration(triaxisHome(), calibration);
    warnOfOthers(measured.others());
    if (options.json)
        std::printf("%s\n", paceJson(calibration).dump().c_str());
    else
        printPace(calibration, unixTime());
    return Success;
}

int show(const CalibrateOptions& options)
{
    printResult(options, stored("cannot show the calibration"));
    return Success;
}

} // namespace

void addCalibrateCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command =
        app.add_subcommand("calibrate", "Measure this machine, so that runs on it can be predicted "
                                        "(3 minutes at most, about)");
    command->footer(
        "Everything is measured three times, with everything else in between, as far as "
        "the budget allows;\nwhat was measured less often is told. "
        "Leave the machine alone meanwhile. Then: triaxis run … --predict\n"
        "Where other programs or tenants change how fast the cores go, --now brings "
        "that up to date.");
    const auto options = std::make_shared<CalibrateOptions>();
    command->add_flag("--quick", options->quick, "A coarse grid, in about 20 seconds");
    command
        ->add_option("--budget", options->budget,
                     "Seconds that it may take, about (default 180, with --quick 40)")
        ->check(CLI::Range(1.0, 86'400.0));
    command->add_flag("--now", options->now,
                      "Only how fast the cores go now, in a few seconds, for the next predictions");
    command
        ->add_flag("--more", options->more,
                   "One more round, added to what was measured before: of each sample the shorter "
                   "time counts")
        ->excludes("--now");
    command->add_flag("--show", options->show, "Measure nothing: print what was measured before");
    command->add_flag("--json", options->json, "All samples as one JSON object");
    command->callback([options, &exitCode] {
        exitCode = options->show  ? show(*options)
                   : options->now ? measureNow(*options)
                                  : measure(*options);
    });
}

} // namespace triaxis::cli
