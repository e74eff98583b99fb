#pragma once

#include "app/cli/calibration_rounds.h"
#include "engine/record/run_plan.h"

namespace triaxis::cli
{

/// The short real runs at the end of a calibration (RunSample): one rank, as many as cores, and
/// more, along every axis. Before and after each the pace of the cores is measured.
class CalibrationRuns
{
public:
    /// `budget`: seconds that they may take, about. Every kind of run is made once in any case.
    CalibrationRuns(int cores, bool quick, double budget);

    std::size_t mostRuns() const { return m_plans.size() * std::size_t(m_times); }
    /// Puts the runs in place of those that `calibration` has. Throws Error where one fails.
    void measure(MachineCalibration& calibration, CalibrationProgress& progress) const;

private:
    struct Named
    {
        std::string name;
        RunPlan plan;
    };
    RunSample measureOne(const Named& run, MachineCalibration& calibration) const;

    int m_cores;
    int m_times;
    double m_budget;
    std::vector<Named> m_plans;
};

} // namespace triaxis::cli
