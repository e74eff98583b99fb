#pragma once

#include <QWidget>

#include <memory>

class QComboBox;
class QToolButton;

namespace triaxis::ui
{

class Banner;
class BubbleBars;
class FigureStrip;
class LaneView;
class LogPanel;
class LossChart;
class MemoryGrid;
class Panel;
class RunData;
class RunFollower;
struct RunOpening;
struct RunUpdate;

/// One run, going on or stored: figures, timeline, loss, bubble, memory and log. The same for the Run page and the history.
class RunView : public QWidget
{
    Q_OBJECT
public:
    explicit RunView(QWidget* parent = nullptr);
    ~RunView() override;

    /// Leaves the run shown before and follows this one.
    /// `starter`: the process that is to run it, where it is known.
    void open(const QString& directory, int starter = 0);
    void close();
    void showProblem(const QString& title, const QString& detail);
    QString directory() const;
    /// Null until the run directory has been read.
    const RunData* run() const { return m_run.get(); }
    LaneView* timeline() const { return m_timeline; }

signals:
    /// The title of the run, its state or its progress may have changed.
    void changed();

private:
    QWidget* buildTimeline();
    QWidget* buildSide();
    void begin(const RunOpening& opening);
    void take(const RunUpdate& update);
    void takeSteps(const RunUpdate& update);
    void takeLog(const RunUpdate& update);
    void refreshTimelineTitle();
    void refreshMemory();
    void showOutcome();

    std::unique_ptr<RunFollower> m_follower;
    std::unique_ptr<RunData> m_run;
    Banner* m_banner;
    FigureStrip* m_figures;
    Panel* m_timelinePanel = nullptr;
    LaneView* m_timeline = nullptr;
    QToolButton* m_follow = nullptr;
    LossChart* m_loss = nullptr;
    BubbleBars* m_bubble = nullptr;
    MemoryGrid* m_memory = nullptr;
    QComboBox* m_memoryKind = nullptr;
    LogPanel* m_log;
};

/// "gpt2-1m · 2 × 2 × 2".
QString runTitle(const RunData& run);
/// "step 148 of 400".
QString runProgress(const RunData& run);

} // namespace triaxis::ui
