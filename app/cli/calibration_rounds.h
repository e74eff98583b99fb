#pragma once

#include "engine/cost/calibration_lock.h"
#include "engine/cost/machine_calibration.h"

#include <cstddef>
#include <string>
#include <vector>

namespace triaxis::cli
{

/// One job of ranks and what it measures.
struct CalibrationJob
{
    int ranks = 1;
    int threads = 1;
    const char* part = "compute";
    double weight = 1; ///< of its time among those of all jobs
};

/// The pace of every core; one rank with one thread and with all cores, a rank on each core, and
/// messages in jobs of every size that a machine of this kind runs.
std::vector<CalibrationJob> calibrationJobs(int cores, bool quick);
/// Only the pace of every core.
CalibrationJob paceJob(int cores);

/// "3 of 27: 2 ranks, 1 thread, compute" on standard error; in a terminal one line that changes.
class CalibrationProgress
{
public:
    explicit CalibrationProgress(std::size_t steps);
    void begin(const std::string& title, const std::string& part);
    /// What a job says while it measures.
    void line(const std::string& text) const;
    void end() const;
    /// Steps that are left out count as begun.
    void skip() { ++m_number; }

private:
    void show(const std::string& what) const;

    std::size_t m_steps;
    std::size_t m_number = 0;
    std::string m_title;
    bool m_terminal;
};

/// The jobs as often as rounds are to be made, as far as the time allows; of each the least that
/// others took of the cores in a round.
class CalibrationRounds
{
public:
    /// `budget`: seconds for all rounds, about.
    CalibrationRounds(std::vector<CalibrationJob> jobs, int cores, bool quick, double budget);

    /// The first round measures everything, each job in its share of the time; a later one only
    /// what can be measured whole in the time that is left. Throws Error where a job fails.
    void run(int times, CalibrationProgress* progress = nullptr);
    MachineCalibration result() const;
    double others() const;

private:
    struct Measured
    {
        MachineCalibration part;
        double others = 1;
    };

    double left() const;
    double shareOf(std::size_t i) const;
    Measured measure(const CalibrationJob& job, double most,
                     const CalibrationProgress* progress) const;
    Measured measurePace(const CalibrationJob& job, double most,
                         const CalibrationProgress* progress) const;
    void runOne(std::size_t i, double most, const CalibrationProgress* progress);

    std::vector<CalibrationJob> m_jobs;
    int m_cores;
    bool m_quick;
    double m_end; ///< Unix time
    std::vector<MachineCalibration> m_measured;
    std::vector<double> m_others;
    std::vector<double> m_seconds; ///< that each job took last
};

} // namespace triaxis::cli
