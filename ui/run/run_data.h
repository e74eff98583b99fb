#pragma once

#include "ui/run/run_tail.h"

#include <QObject>

#include <deque>

namespace triaxis::ui
{

/// Everything known of one run, gathered from its updates. Lives on the window's thread.
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
    const std::shared_ptr<Lanes>& lanes() const { return m_lanes; }
    const std::vector<StepResult>& steps() const { return m_steps; }
    /// Of the latest steps with spans, the newest last; at most sharesKept.
    const std::deque<StepShares>& shares() const { return m_shares; }
    /// Latest sample of each rank; step 0: none yet.
    const std::vector<MemorySample>& memory() const { return m_memory; }
    /// Most bytes of each rank over all steps.
    const std::vector<std::int64_t>& peakBytes() const { return m_peakBytes; }
    const std::vector<FaultRecord>& faults() const { return m_faults; }
    double clockError() const { return m_clockError; }
    std::int64_t droppedSpans() const { return m_droppedSpans; }
    std::int64_t tornBytes() const { return m_tornBytes; }

    static constexpr std::size_t sharesKept = 20;

signals:
    /// Once for each update, after all of it has been taken in.
    void changed(const triaxis::ui::RunUpdate& update);

private:
    RunOpening m_opening;
    RunStatus m_status;
    std::shared_ptr<Lanes> m_lanes;
    std::vector<StepResult> m_steps;
    std::deque<StepShares> m_shares;
    std::vector<MemorySample> m_memory;
    std::vector<std::int64_t> m_peakBytes;
    std::vector<FaultRecord> m_faults;
    double m_clockError = 0;
    std::int64_t m_droppedSpans = 0;
    std::int64_t m_tornBytes = 0;
};

} // namespace triaxis::ui
