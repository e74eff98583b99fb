#pragma once

#include "engine/timeline/kept_bubble.h"
#include "ui/run/run_tail.h"
#include "ui/run/step_store.h"

#include <QObject>

#include <deque>

namespace triaxis::ui
{

/// Everything known of one run, gathered from its updates. Lives on the window's thread. What grows
/// with the steps is bounded; old steps are thinned out then, and this says so.
class RunData : public QObject
{
    Q_OBJECT
public:
    explicit RunData(const RunOpening& opening, QObject* parent = nullptr);

    void apply(const RunUpdate& update);

    const std::filesystem::path& directory() const { return m_opening.directory; }
    const RunPlan& plan() const { return m_opening.plan; }
    const RunEnvironment& environment() const { return m_opening.environment; }
    const RunStatus& status() const { return m_status; }
    bool isOver() const { return isFinal(m_status.state); }
    double closedForm() const { return m_opening.closedForm; }
    /// The closed form by stage, and what it assumes.
    const PlanClosedForm& form() const { return m_opening.form; }
    const std::shared_ptr<Lanes>& lanes() const { return m_lanes; }
    const std::vector<StepResult>& steps() const { return m_steps; }
    /// Of the latest steps with spans, the newest last; at most sharesKept.
    const std::deque<StepShares>& shares() const { return m_shares; }
    /// Of every step with spans of all ranks.
    const std::vector<StepBubble>& bubbles() const { return m_bubbles; }
    /// Shares and traffic of the steps with spans.
    const StepStore<StepDetail>& details() const { return m_details; }
    /// The spans of fewer of them.
    const StepStore<std::shared_ptr<const std::vector<Span>>>& spans() const { return m_spans; }
    /// Latest sample of each rank; step 0: none yet.
    const std::vector<MemorySample>& memory() const { return m_memory; }
    /// [rank] over time.
    const std::vector<StepStore<MemorySample>>& memoryOverTime() const { return m_samples; }
    bool isMemoryThinned() const;
    /// Whether there are several samples a step, which then tell the moment, or one, which tells
    /// what the step needed most.
    bool samplesWithinSteps() const { return m_samplesWithinSteps; }
    /// Most bytes of each rank over all steps.
    const std::vector<std::int64_t>& peakBytes() const { return m_peakBytes; }
    /// The same by category, each by itself.
    const std::vector<std::array<std::int64_t, memoryCategoryCount>>& peakByCategory() const
    {
        return m_peakByCategory;
    }
    /// What a rank may take: its share of its host's memory; 0 where that is not known.
    std::int64_t capacityOf(Rank rank) const;
    const std::vector<FaultRecord>& faults() const { return m_faults; }
    double clockError() const { return m_clockError; }
    std::int64_t droppedSpans() const { return m_droppedSpans; }
    std::int64_t tornBytes() const { return m_tornBytes; }

    static constexpr std::size_t sharesKept = 20;
    static constexpr std::size_t sharesOfRanksKept = 250'000; ///< steps × ranks in details()
    static constexpr std::size_t samplesKept = 200'000;       ///< of memory, all ranks together

signals:
    /// Once for each update, after all of it has been taken in.
    void changed(const triaxis::ui::RunUpdate& update);

private:
    void takeMemory(const MemorySample& sample);
    void takeBubble(const StepShares& shares);

    RunOpening m_opening;
    RunStatus m_status;
    std::shared_ptr<Lanes> m_lanes;
    std::vector<StepResult> m_steps;
    std::deque<StepShares> m_shares;
    std::vector<StepBubble> m_bubbles;
    std::ptrdiff_t m_ranksOfStep = 0; ///< that have spans of each step in m_bubbles
    StepStore<StepDetail> m_details;
    StepStore<std::shared_ptr<const std::vector<Span>>> m_spans;
    std::vector<MemorySample> m_memory;
    std::vector<StepStore<MemorySample>> m_samples;
    bool m_samplesWithinSteps = false;
    std::vector<std::int64_t> m_peakBytes;
    std::vector<std::array<std::int64_t, memoryCategoryCount>> m_peakByCategory;
    std::vector<std::string>
        m_hosts; ///< [rank] of those that compute on its cores; empty: not known
    std::vector<FaultRecord> m_faults;
    double m_clockError = 0;
    std::int64_t m_droppedSpans = 0;
    std::int64_t m_tornBytes = 0;
};

} // namespace triaxis::ui
