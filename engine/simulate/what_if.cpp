#include "engine/simulate/what_if.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/simulate/plan_changes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace triaxis
{
namespace
{

/// Asks for one changed job and plan after the other.
class Asking
{
public:
    Asking(const TrainingJob& job, const ParallelPlan& plan, double change)
        : m_job(job), m_plan(plan), m_change(change), m_today(estimateStep(job, plan).seconds)
    {
    }

    /// A rate or constant, more and less of it. `most`: shares cannot be larger.
    void vary(const std::string& what, const std::string& setting, double value,
              const std::function<void(TrainingJob&, double)>& set,
              double most = std::numeric_limits<double>::infinity())
    {
        for (const double factor : {1 + m_change, 1 - m_change}) {
            const double changed = std::min(most, value * factor);
            if (!(value > 0) || changed == value)
                continue;
            TrainingJob job = m_job;
            set(job, changed);
            const double share = changed / value - 1;
            ask(what, (share > 0 ? "+" : "−") + units::percent(std::abs(share)), setting, job,
                m_plan);
        }
    }

    void ask(const std::string& what, const std::string& change, const std::string& setting,
             const TrainingJob& job, const ParallelPlan& plan)
    {
        WhatIf row;
        row.what = what;
        row.change = change;
        row.setting = setting;
        try {
            const StepEstimate estimate = estimateStep(job, plan);
            row.seconds = estimate.seconds;
            row.effect = estimate.seconds / m_today - 1;
            row.memory = estimate.memory;
        } catch (const Error& error) {
            row.seconds = row.effect = std::numeric_limits<double>::quiet_NaN();
            row.refusal = error.object();
        }
        if (row.effect != 0 || !row.refusal.empty())
            m_rows.push_back(std::move(row));
    }

    std::vector<WhatIf> sorted()
    {
        const auto weight = [](const WhatIf& row) {
            return row.refusal.empty() ? std::abs(row.effect) : -1;
        };
        std::stable_sort(m_rows.begin(), m_rows.end(),
                         [&](const WhatIf& a, const WhatIf& b) { return weight(a) > weight(b); });
        return std::move(m_rows);
    }

private:
    const TrainingJob& m_job;
    const ParallelPlan& m_plan;
    double m_change;
    double m_today;
    std::vector<WhatIf> m_rows;
};

void askMachine(Asking& asking, const TrainingJob& job)
{
    for (std::size_t level = 0; level < job.cluster.levels.size(); ++level) {
        const LinkLevel& link = job.cluster.levels[level];
        const std::string path = "cluster.levels[" + std::to_string(level) + "].";
        asking.vary("bandwidth of " + link.name, path + "bandwidth", link.bandwidth,
                    [level](TrainingJob& changed, double value) {
                        changed.cluster.levels[level].bandwidth = value;
                    });
        asking.vary("latency of " + link.name, path + "latency", link.latency,
                    [level](TrainingJob& changed, double value) {
                        changed.cluster.levels[level].latency = value;
                    });
    }
    asking.vary(
        "memory bandwidth", "cluster.device.memoryBandwidth", job.cluster.device.memoryBandwidth,
        [](TrainingJob& changed, double value) { changed.cluster.device.memoryBandwidth = value; });
    asking.vary("peak of matrix products", "cluster.device.peak", 1,
                [](TrainingJob& changed, double value) {
                    for (double& peak : changed.cluster.device.peak)
                        peak *= value;
                });
}

void askSoftware(Asking& asking, const TrainingJob& job)
{
    struct Constant
    {
        const char* what;
        const char* setting;
        double SoftwareProfile::*member;
        bool share;
    };
    const Constant constants[] = {
        {"launch floor of a layer, forward", "layerFloor", &SoftwareProfile::layerFloor, false},
        {"launch floor of a layer, backward", "backwardFloor", &SoftwareProfile::backwardFloor,
         false},
        {"efficiency of matrix products", "gemmEfficiency", &SoftwareProfile::gemmEfficiency,
         false},
        {"efficiency of attention", "attentionEfficiency", &SoftwareProfile::attentionEfficiency,
         false},
        {"traffic of norms and activations", "elementwiseFactor",
         &SoftwareProfile::elementwiseFactor, false},
        {"overlap of tensor communication", "tensorOverlap", &SoftwareProfile::tensorOverlap, true},
        {"overlap of gradients and gathers", "dataOverlap", &SoftwareProfile::dataOverlap, true},
        {"overlap of pipeline transfers", "pipelineOverlap", &SoftwareProfile::pipelineOverlap,
         true},
        {"overlap of context communication", "contextOverlap", &SoftwareProfile::contextOverlap,
         true},
        {"overlap of expert communication", "expertOverlap", &SoftwareProfile::expertOverlap, true},
        {"efficiency of collectives", "linkEfficiency", &SoftwareProfile::linkEfficiency, false},
        {"traffic of the update", "optimizerTraffic", &SoftwareProfile::optimizerTraffic, false},
        {"overhead of a step", "stepOverhead", &SoftwareProfile::stepOverhead, false}};
    for (const Constant& constant : constants)
        asking.vary(
            constant.what, std::string("software.") + constant.setting,
            job.software.*constant.member,
            [member = constant.member](TrainingJob& changed, double value) {
                changed.software.*member = value;
            },
            constant.share ? 1 : std::numeric_limits<double>::infinity());
}

} // namespace

std::vector<WhatIf> whatIf(const TrainingJob& job, const ParallelPlan& plan,
                           const WhatIfOptions& options)
{
    if (!(options.change > 0 && options.change < 1))
        throw Error("cannot vary the prediction",
                    "a change by " + std::to_string(100 * options.change) + " %",
                    "give a percentage above 0 and below 100");
    Asking asking(job, plan, options.change);
    if (options.machine)
        askMachine(asking, job);
    if (options.software)
        askSoftware(asking, job);
    if (options.layout)
        for (const PlanChange& change : planChanges(job, plan))
            asking.ask(change.what, change.change, change.setting, job, change.plan);
    return asking.sorted();
}

} // namespace triaxis
