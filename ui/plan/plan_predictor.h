#pragma once

#include "engine/plan/drawn_prediction.h"
#include "engine/simulate/out_of_memory.h"
#include "ui/base/background.h"

#include <QObject>
#include <QThread>

#include <atomic>
#include <filesystem>
#include <memory>

namespace triaxis::ui
{

class FinishedRunErrors;
class PlanDocument;

/// Predicts the plan that is drawn, on a worker: the newest edit wins, those that were overtaken
/// before their turn are not worked out. First the figures, then the spans of a step.
class PlanPredictor : public QObject
{
    Q_OBJECT
public:
    /// `home`: where the calibration of this machine lies.
    PlanPredictor(PlanDocument& document, std::filesystem::path home, QObject* parent = nullptr);
    /// Waits for the prediction that is being made.
    ~PlanPredictor() override;

    /// Null before the first one is there.
    const std::shared_ptr<const DrawnPrediction>& prediction() const { return m_now; }
    /// Of the plan before the last edit; null if there was none. A drag is one edit.
    const std::shared_ptr<const DrawnPrediction>& before() const { return m_before; }
    /// Null until it is there; of the same plan as prediction() or an earlier one.
    const std::shared_ptr<const DrawnTimeline>& timeline() const { return m_timeline; }
    /// Why the plan of prediction() does not fit, and what would help; null while it fits, or that
    /// is being worked out.
    const std::shared_ptr<const OutOfMemory>& outOfMemory() const { return m_outOfMemory; }
    const MachineFacts& machine() const { return *m_machine; }
    /// The plan that prediction() is of is the one that is drawn.
    bool isUpToDate() const { return m_shown == m_newest->load(); }
    int computed() const { return m_computed->load(); } ///< predictions made so far

    /// Reads the calibration again and predicts anew.
    void reloadMachine();
    /// Looks how far predictions of runs that have ended here were off; their number may have
    /// changed.
    void lookAtRuns();
    /// What the machine has, as far as that is another amount than was known.
    void setMachineMemory(std::int64_t bytes);
    /// Spans are worked out only while somebody looks at them.
    void setTimelineWanted(bool wanted);
    bool isTimelineWanted() const { return m_timelineWanted; }

signals:
    void predicted();
    void timelineReady();
    void mendsReady();

private:
    void request();
    void remember(int index);
    void takeRuns(const FinishedRuns& finished, const FinishedRuns& paced);
    void take(std::uint64_t number, std::shared_ptr<const DrawnPrediction> prediction);

    PlanDocument& m_document;
    std::filesystem::path m_home;
    QThread m_thread;
    QObject m_worker;
    std::shared_ptr<const MachineFacts> m_machine;
    std::shared_ptr<FinishedRunErrors> m_runs; ///< of the thread of m_background
    bool m_looking = false;
    bool m_lookAgain = false;
    std::shared_ptr<std::atomic<std::uint64_t>> m_newest;
    std::shared_ptr<std::atomic<int>> m_computed;
    std::shared_ptr<const DrawnPrediction> m_now, m_before;
    std::shared_ptr<const DrawnTimeline> m_timeline;
    std::shared_ptr<const OutOfMemory> m_outOfMemory;
    std::uint64_t m_shown = 0;
    int m_index = 0; ///< of the undo stack
    bool m_timelineWanted = true;
    Background m_background;
};

} // namespace triaxis::ui
