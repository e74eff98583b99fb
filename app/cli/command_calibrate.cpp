#include "app/cli/calibration_rounds.h"
#include "app/cli/calibration_runs.h"
#include "app/cli/calibration_text.h"
#include "app/cli/commands.h"
#include "engine/core/cores.h"
#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/cost/calibration_lock.h"
#include "engine/record/file_lock.h"
#include "engine/record/run_directory.h"
#include "engine/record/utc.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

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
constexpr double usualBudget = 240;
constexpr double quickBudget = 40;

/// Everything is measured so often, with everything else in between: what disturbs one round is
/// gone by the next, and what does not go is how the machine is.
constexpr int rounds = 3;
/// Of the time for the samples; the rest is for whole runs.
constexpr double shareOfSamples = 0.6;

double loadNow()
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? std::max(0.0, load) : 0;
}

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
    before.budget += again.budget;
    before.now.clear();
    return before;
}

/// Two at once would measure each other.
FileLock alone()
{
    const std::filesystem::path file = calibrationLock(triaxisHome());
    std::optional<FileLock> lock = FileLock::tryTake(file);
    if (lock)
        return std::move(*lock);
    const std::string holder = FileLock::holderOf(file);
    throw Error("cannot calibrate this machine",
                holder.empty() ? file.string() + " cannot be locked"
                               : "a calibration is running already (" + holder + ")",
                holder.empty() ? "see whether the folder can be written"
                               : "wait until it has ended, or end it");
}

int measure(const CalibrateOptions& options)
{
    if (options.more)
        (void)stored(triedMore); // before minutes have gone into what cannot be added
    const FileLock lock = alone();
    const double begin = unixTime();
    const double load = loadNow();
    const int cores = usableCores();
    const double budget = options.budget > 0 ? options.budget
                          : options.quick    ? quickBudget
                                             : usualBudget;
    const int times = options.quick || options.more ? 1 : rounds;
    const std::vector<CalibrationJob> jobs = calibrationJobs(cores, options.quick);
    CalibrationRuns runs(cores, options.quick, budget * (1 - shareOfSamples));
    CalibrationProgress progress(jobs.size() * std::size_t(times) + runs.mostRuns());
    CalibrationRounds measured(jobs, cores, options.quick, budget * shareOfSamples);
    measured.run(times, &progress);
    MachineCalibration calibration = measured.result();
    calibration.date = utcText(begin);
    calibration.version = TRIAXIS_VERSION;
    calibration.cores = cores;
    calibration.load = load;
    calibration.others = measured.others();
    calibration.budget = budget;
    if (options.more)
        calibration = addedTo(stored(triedMore), calibration);
    runs.measure(calibration, progress);
    progress.end();
    calibration.seconds += unixTime() - begin;
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
    const FileLock lock = alone();
    constexpr double budget = 15;
    CalibrationProgress progress(1);
    CalibrationRounds measured({paceJob(usableCores())}, usableCores(), true, budget);
    measured.run(1, &progress);
    progress.end();
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
                                        "(4 minutes at most, about)");
    command->footer(
        "Everything is measured three times, with everything else in between, as far as "
        "the budget allows;\nwhat was measured less often is told. "
        "Leave the machine alone meanwhile. Then: triaxis run … --predict\n"
        "Where other programs or tenants change how fast the cores go, --now brings "
        "that up to date.");
    const auto options = std::make_shared<CalibrateOptions>();
    command->add_flag("--quick", options->quick, "A coarse grid, in about 40 seconds");
    command
        ->add_option("--budget", options->budget,
                     "Seconds that it may take, about (default 240, with --quick 40)")
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
