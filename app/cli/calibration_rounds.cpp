#include "app/cli/calibration_rounds.h"

#include "app/cli/capture.h"
#include "app/cli/core_use.h"
#include "engine/core/error.h"
#include "engine/core/json_fields.h"
#include "engine/record/utc.h"
#include "launcher/supervisor.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <string_view>
#include <unistd.h>

namespace triaxis::cli
{
namespace
{

/// Job sizes of up to this many ranks are measured also where they share cores.
constexpr int smallRanks = 8;
constexpr double jobTimeout = 600;
/// What it takes to start the ranks of a job and to end them.
constexpr double secondsOfStart = 0.7;
/// The pace of the cores is measured so often where others disturb it.
constexpr int mostTries = 3;

std::string titleOf(const CalibrationJob& job)
{
    return std::to_string(job.ranks) + (job.ranks == 1 ? " rank, " : " ranks, ") +
           std::to_string(job.threads) + (job.threads == 1 ? " thread" : " threads");
}

MachineCalibration runJob(const CalibrationJob& job, bool quick, double most,
                          const CalibrationProgress* progress)
{
    std::vector<std::string> arguments{"--calibrate", job.part, "--seconds",
                                       std::to_string(int(std::ceil(std::max(0.0, most))))};
    if (quick)
        arguments.push_back("--quick");
    const LaunchCommand command =
        measuringCommand(job.ranks, job.threads, arguments, findPrograms());
    const Captured out =
        follow(command.arguments, jobTimeout, command.environment, [&](const std::string& line) {
            if (progress)
                progress->line(line);
        });
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

} // namespace

CalibrationJob paceJob(int cores)
{
    return {cores, 1, "pace"};
}

std::vector<CalibrationJob> calibrationJobs(int cores, bool quick)
{
    constexpr double compute = 3;
    std::vector<CalibrationJob> jobs{paceJob(cores), {1, 1, "compute", compute}};
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

CalibrationProgress::CalibrationProgress(std::size_t steps)
    : m_steps(steps), m_terminal(isatty(STDERR_FILENO) != 0)
{
}

void CalibrationProgress::begin(const std::string& title, const std::string& part)
{
    m_title = title;
    ++m_number;
    if (m_terminal)
        show(part);
    else
        std::fprintf(stderr, "%zu of %zu: %s, %s\n", m_number, m_steps, title.c_str(),
                     part.c_str());
}

void CalibrationProgress::line(const std::string& text) const
{
    const nlohmann::json said = nlohmann::json::parse(text, nullptr, false);
    if (m_terminal && said.is_object() && said.contains("measuring"))
        show(said.value("measuring", std::string()));
}

void CalibrationProgress::show(const std::string& what) const
{
    std::fprintf(stderr, "\r\033[K%zu of %zu: %s: %s", m_number, m_steps, m_title.c_str(),
                 what.c_str());
    std::fflush(stderr);
}

void CalibrationProgress::end() const
{
    if (m_terminal)
        std::fprintf(stderr, "\r\033[K");
}

CalibrationRounds::CalibrationRounds(std::vector<CalibrationJob> jobs, int cores, bool quick,
                                     double budget)
    : m_jobs(std::move(jobs)), m_cores(cores), m_quick(quick), m_end(unixTime() + budget),
      m_measured(m_jobs.size()), m_others(m_jobs.size(), 1), m_seconds(m_jobs.size(), 0)
{
}

void CalibrationRounds::run(int times, CalibrationProgress* progress)
{
    for (int round = 0; round < times; ++round)
        for (std::size_t i = 0; i < m_jobs.size(); ++i) {
            if (round > 0 && m_seconds[i] > left()) {
                if (progress)
                    progress->skip();
                continue;
            }
            if (progress)
                progress->begin(titleOf(m_jobs[i]), m_jobs[i].part);
            runOne(i, round == 0 ? left() * shareOf(i) - secondsOfStart : left(), progress);
        }
    for (MachineCalibration& measured : m_measured)
        measured.jobs.front().wanted = times;
}

MachineCalibration CalibrationRounds::result() const
{
    MachineCalibration all = m_measured.front();
    for (std::size_t i = 1; i < m_measured.size(); ++i)
        all.add(m_measured[i]);
    return all;
}

double CalibrationRounds::others() const
{
    return *std::max_element(m_others.begin(), m_others.end());
}

double CalibrationRounds::left() const
{
    return std::max(0.0, m_end - unixTime());
}

/// Of the time that is left in the first round before job `i`.
double CalibrationRounds::shareOf(std::size_t i) const
{
    double weights = 0;
    for (std::size_t j = i; j < m_jobs.size(); ++j)
        weights += m_jobs[j].weight;
    return m_jobs[i].weight / weights;
}

CalibrationRounds::Measured CalibrationRounds::measure(const CalibrationJob& job, double most,
                                                       const CalibrationProgress* progress) const
{
    const CoreUse begin = CoreUse::now();
    Measured measured{runJob(job, m_quick, most, progress), 1};
    measured.others = othersShare(begin, CoreUse::now(), m_cores);
    return measured;
}

/// What other programs took is no pace of the cores: of a few tries the least disturbed one.
CalibrationRounds::Measured
CalibrationRounds::measurePace(const CalibrationJob& job, double most,
                               const CalibrationProgress* progress) const
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

void CalibrationRounds::runOne(std::size_t i, double most, const CalibrationProgress* progress)
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

} // namespace triaxis::cli
