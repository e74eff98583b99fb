#include "ui/plan/finished_runs.h"

#include "engine/core/error.h"
#include "engine/cost/machine_costs.h"
#include "storage/history.h"

#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr int mostLooked = 40; ///< of the newest runs
constexpr int mostUsed = 8;    ///< of each kind
constexpr int leastSteps = 4;

class Mean
{
public:
    bool full() const { return m_count == mostUsed; }
    void add(double error)
    {
        m_sum += error;
        ++m_count;
    }
    FinishedRuns runs() const
    {
        return m_count > 0 ? FinishedRuns{m_count, m_sum / m_count} : FinishedRuns{};
    }

private:
    int m_count = 0;
    double m_sum = 0;
};

} // namespace

FinishedRunErrors::Run FinishedRunErrors::price(const std::string& directory, double measured,
                                                const MachineCalibration& calibration)
{
    Run run;
    try {
        const RunDirectory stored = RunDirectory::open(directory);
        const RunPlan plan = stored.plan();
        if (stored.environment().host != calibration.host || !plan.execution.hostfile.empty())
            return run;
        ++m_priced;
        run.paced = plan.execution.pace.active();
        run.error = std::abs(predictOnMachine(plan, calibration).stepSeconds / measured - 1);
        run.usable = std::isfinite(run.error);
    } catch (const Error&) {
        run.usable = false; // gone, damaged, or too large to be predicted
    }
    return run;
}

FinishedRunErrors::Found FinishedRunErrors::look(const std::filesystem::path& home,
                                                 const MachineCalibration& calibration)
{
    std::string name = calibration.date;
    for (const PaceTrace& pace : calibration.now)
        name += ' ' + pace.date;
    if (name != m_calibration)
        m_runs.clear();
    m_calibration = name;
    Mean finished, paced;
    try {
        RunQuery query;
        query.state = RunState::Finished;
        query.limit = mostLooked;
        for (const RunSummary& summary : History(home).runs(query)) {
            if (summary.steps < leastSteps || !(summary.stepSeconds > 0))
                continue;
            if (finished.full() && paced.full())
                break;
            auto known = m_runs.find(summary.id);
            if (known == m_runs.end())
                known = m_runs
                            .emplace(summary.id,
                                     price(summary.directory, summary.stepSeconds, calibration))
                            .first;
            Mean& mean = known->second.paced ? paced : finished;
            if (known->second.usable && !mean.full())
                mean.add(known->second.error);
        }
    } catch (const Error&) {
        return {}; // the history tells of it on its own page
    }
    return {finished.runs(), paced.runs()};
}

} // namespace triaxis::ui
