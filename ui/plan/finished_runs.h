#pragma once

#include "engine/plan/drawn_prediction.h"

#include <filesystem>
#include <map>
#include <string>

namespace triaxis::ui
{

/// How far predictions of the latest finished runs of the history were off that ran on the
/// machine of a calibration. Prices each run once; belongs to one thread.
class FinishedRunErrors
{
public:
    struct Found
    {
        FinishedRuns finished; ///< as MachineFacts
        FinishedRuns paced;
    };
    /// `home`: where the history lies. Nothing where it cannot be read.
    Found look(const std::filesystem::path& home, const MachineCalibration& calibration);
    int priced() const { return m_priced; } ///< runs predicted so far

private:
    struct Run
    {
        bool usable = false; ///< of this machine, and it can be predicted
        bool paced = false;
        double error = 0;
    };
    Run price(const std::string& directory, double measured, const MachineCalibration& calibration);

    std::string m_calibration;         ///< date of the one that m_runs are priced with
    std::map<std::string, Run> m_runs; ///< by id
    int m_priced = 0;
};

} // namespace triaxis::ui
