#include "app/cli/calibration_text.h"

#include "engine/core/units.h"
#include "engine/cost/core_pace.h"
#include "engine/cost/run_samples.h"
#include "engine/record/utc.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>
#include <optional>
#include <set>

namespace triaxis::cli
{
namespace
{

std::string nameOf(const Occupancy& under)
{
    return std::to_string(under.ranks) + " x " + std::to_string(under.threads);
}

double rateOf(const ProductSample& sample)
{
    return 2.0 * double(sample.m) * double(sample.n) * double(sample.k) / sample.seconds;
}

std::string loadText(double load)
{
    return std::to_string(int(load)) + '.' + std::to_string(int(load * 10) % 10);
}

void printProducts(const MachineCalibration& calibration)
{
    struct Best
    {
        double rate = 0;
        const ProductSample* sample = nullptr;
        int count = 0;
    };
    std::map<Occupancy, Best> best;
    for (const ProductSample& sample : calibration.products) {
        Best& entry = best[sample.under];
        ++entry.count;
        if (rateOf(sample) > entry.rate)
            entry = {rateOf(sample), &sample, entry.count};
    }
    std::printf("\nMatrix products, ranks x threads: best rate of a rank\n");
    for (const auto& [under, entry] : best)
        if (entry.count > 1)
            std::printf("  %-8s %16s  at %lld x %lld x %lld, of %d shapes\n", nameOf(under).c_str(),
                        units::flopsPerSecond(entry.rate).c_str(),
                        static_cast<long long>(entry.sample->m),
                        static_cast<long long>(entry.sample->n),
                        static_cast<long long>(entry.sample->k), entry.count);
}

void printMessages(const MachineCalibration& calibration)
{
    std::set<std::int64_t> sizes;
    std::map<std::pair<MessageKind, int>, std::map<std::int64_t, double>> rows;
    for (const MessageSample& sample : calibration.messages) {
        sizes.insert(sample.bytes);
        rows[{sample.kind, sample.ranks}][sample.bytes] = sample.seconds;
    }
    std::printf("\nSeconds by size\n  %-22s", "");
    for (const std::int64_t size : sizes)
        std::printf("%12s", units::bytes(size).c_str());
    std::printf("\n");
    for (const auto& [key, row] : rows) {
        const std::string name =
            std::string(toText(key.first)) + ", " + std::to_string(key.second) + " ranks";
        std::printf("  %-22s", name.c_str());
        for (const std::int64_t size : sizes) {
            const auto found = row.find(size);
            std::printf("%12s", found == row.end() ? "" : units::seconds(found->second).c_str());
        }
        std::printf("\n");
    }
}

void printWakes(const MachineCalibration& calibration)
{
    std::map<int, std::map<double, double>> rows;
    for (const WakeSample& sample : calibration.wakes)
        rows[sample.ranks][sample.waited] = sample.seconds;
    std::printf(
        "\nFrom a message until a rank goes on that had waited for it: after so long a wait\n");
    for (const auto& [ranks, row] : rows) {
        std::printf("  %-22s", (std::to_string(ranks) + " ranks").c_str());
        for (const auto& [waited, seconds] : row)
            std::printf("  %s after %s", units::seconds(seconds).c_str(),
                        units::seconds(waited).c_str());
        std::printf("\n");
    }
}

const char* nameOf(RunKind kind)
{
    switch (kind) {
    case RunKind::OneRank:
        return "one rank";
    case RunKind::WithinCores:
        return "a core for every rank";
    case RunKind::BeyondCores:
        return "ranks share cores";
    }
    return "";
}

void printRuns(const MachineCalibration& calibration)
{
    std::map<RunKind, std::vector<int>> ranks;
    for (const RunSample& run : calibration.runs)
        ranks[runKind(run.ranks, calibration.cores)].push_back(run.ranks);
    if (ranks.empty())
        return;
    std::printf("\nWhole runs, times what their operations and messages take by themselves\n");
    for (const auto& [kind, runs] : ranks)
        std::printf("  %-22s%12.2f (%zu runs)\n", nameOf(kind),
                    runsOverSamples(calibration, runs.front()), runs.size());
}

/// What the time did not suffice for.
void printShortfalls(const MachineCalibration& calibration)
{
    bool any = false;
    for (const MeasuredJob& job : calibration.jobs) {
        if (job.whole())
            continue;
        std::printf("%s with %s: measured %s", job.part.c_str(),
                    nameOf({job.threads, job.ranks}).c_str(),
                    job.rounds == 1 ? "once" : (std::to_string(job.rounds) + " times").c_str());
        if (job.wanted > job.rounds)
            std::printf(" instead of %d times", job.wanted);
        if (job.shortened > 0)
            std::printf(", %d points with fewer calls", job.shortened);
        std::printf(", for want of time\n");
        any = true;
    }
    if (any)
        std::printf(
            "each sample met whatever pace its core had at that moment: add a round, better "
            "two, with triaxis calibrate --more\n");
}

std::string percentText(double share)
{
    return std::to_string(int(std::lround(100 * share))) + " %";
}

/// Seconds since 1970 of an ISO 8601 date; nothing if it is none.
std::optional<double> unixOf(const std::string& date)
{
    std::tm parts = {};
    if (!strptime(date.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts))
        return std::nullopt;
    return double(timegm(&parts));
}

std::string minutesSince(const std::string& date, double nowUnix)
{
    const auto then = unixOf(date);
    if (!then)
        return "at some time";
    const auto minutes = std::lround(std::max(0.0, nowUnix - *then) / 60);
    if (minutes >= 60)
        return ageOf(date, nowUnix) + " ago";
    return minutes == 0 ? "just now" : std::to_string(minutes) + " min ago";
}

/// "12 % slower than when it was calibrated".
std::string changeText(double now, double then)
{
    const double change = now / then - 1;
    if (std::abs(change) < 0.01)
        return "as fast as when it was calibrated";
    return percentText(std::abs(change)) + (change > 0 ? " slower" : " faster") +
           " than when it was calibrated";
}

CorePace paceThen(MachineCalibration calibration)
{
    calibration.now.clear();
    return CorePace(calibration);
}

} // namespace

std::string paceText(const MachineCalibration& calibration, double nowUnix)
{
    if (calibration.paces.empty())
        return {};
    const double then = paceThen(calibration).mean();
    std::string text = "calibrated " + minutesSince(calibration.date, nowUnix) + ", the cores " +
                       percentText(then - 1) + " slower than at their quickest in the mean";
    if (!calibration.now.empty())
        text += "; " + minutesSince(calibration.now.back().date, nowUnix) + " " +
                changeText(CorePace(calibration).mean(), then);
    return text;
}

void printPace(const MachineCalibration& calibration, double nowUnix)
{
    std::printf("%s\n", paceText(calibration, nowUnix).c_str());
}

nlohmann::ordered_json paceJson(const MachineCalibration& calibration)
{
    return {{"calibrated", calibration.date},
            {"now", calibration.now.empty() ? calibration.date : calibration.now.back().date},
            {"slowness_then", paceThen(calibration).mean()},
            {"slowness_now", CorePace(calibration).mean()}};
}

void printCalibration(const MachineCalibration& calibration, const std::string& file)
{
    std::printf("%s, %s, %d cores\n%s\n%s\nmeasured %s by Triaxis %s in %s, load average %s\n",
                calibration.host.c_str(), calibration.cpu.c_str(), calibration.cores,
                calibration.blas.c_str(), calibration.mpi.c_str(), calibration.date.c_str(),
                calibration.version.c_str(), units::seconds(calibration.seconds).c_str(),
                loadText(calibration.load).c_str());
    std::printf("other programs took up to %d %% of the cores meanwhile\n",
                int(100 * calibration.others + 0.5));
    if (const std::string pace = paceText(calibration, unixTime()); !pace.empty())
        std::printf("%s\n", pace.c_str());
    printShortfalls(calibration);
    printProducts(calibration);
    printMessages(calibration);
    printWakes(calibration);
    printRuns(calibration);
    std::printf("\n%zu samples in %s\n",
                calibration.products.size() + calibration.operations.size() +
                    calibration.attention.size() + calibration.messages.size() +
                    calibration.wakes.size(),
                file.c_str());
    if (const std::string why = whyForeign(calibration); !why.empty())
        std::printf("It is not of this machine: %s. Measure anew: triaxis calibrate\n",
                    why.c_str());
}

std::string ageOf(const std::string& date, double nowUnix)
{
    const auto then = unixOf(date);
    if (!then)
        return {};
    const double hours = std::max(0.0, nowUnix - *then) / 3600;
    if (hours < 1)
        return "less than an hour";
    const auto whole = static_cast<long long>(hours < 48 ? hours : hours / 24);
    return std::to_string(whole) + (hours < 48 ? (whole == 1 ? " hour" : " hours") : " days");
}

} // namespace triaxis::cli
