#pragma once

#include "engine/simulate/run_prediction.h"
#include "ui/run/run_figures.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

class QAction;
class QSplitter;

namespace triaxis::ui
{

class Banner;
class FigureStrip;
class LaneView;
class LogPanel;
class MemoryPanel;
class PanelTabs;
class PredictionPanel;
class RunFollower;
class RunPredictor;
class TimelinePanel;
class ViewRange;

/// One run, going on or stored: figures, timeline, its prediction, loss, bubble, memory,
/// communication and log. The same for the Run page and the history.
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
    TimelinePanel* timelinePanel() const { return m_timelinePanel; }
    ViewRange& range() const { return *m_range; }
    PanelTabs* panels() const { return m_panels; }
    /// The one switch of the prediction over the timeline: for menus, buttons and keys. Disabled
    /// while there is no run or its prediction is being worked out; where there is none it turns to
    /// the page that says why.
    QAction* predictionAction() const;
    /// Whether each predicted step is as long as the measured one. Disabled while none is shown.
    QAction* scaleAction() const;
    /// Works the prediction out again: the machine has been measured anew.
    void predict();
    /// Null: not worked out yet.
    const std::shared_ptr<const RunPrediction>& prediction() const { return m_prediction; }

signals:
    /// The title of the run, its state or its progress may have changed.
    void changed();
    /// It is known now, or the run has changed.
    void predictionChanged();
    /// This machine has been measured anew from here: others that predict read it again.
    void calibrated();

private:
    QWidget* buildTimeline();
    QWidget* buildSide();
    void begin(const RunOpening& opening);
    void take(const RunUpdate& update);
    void takeLog(const RunUpdate& update);
    void takePrediction(std::shared_ptr<const RunPrediction> prediction);
    void layPrediction();
    void switchPrediction(bool shown);
    void switchScale(bool scaled);
    void refreshPredictionAction();
    /// A run that was over already is shown by the step that stands for it.
    void showSteadyStep();
    void rangeMoved();
    void refreshFigures();
    void refreshTimelineTitle();
    void showOutcome();
    void restoreSplitters();

    std::unique_ptr<RunFollower> m_follower;
    std::unique_ptr<RunData> m_run;
    Banner* m_banner;
    FigureStrip* m_figures;
    TimelinePanel* m_timelinePanel = nullptr;
    LaneView* m_timeline = nullptr;
    ViewRange* m_range;
    MemoryPanel* m_memory = nullptr;
    PredictionPanel* m_predictionPanel = nullptr;
    PanelTabs* m_panels = nullptr;
    LogPanel* m_log;
    QSplitter* m_upper = nullptr;
    QSplitter* m_whole = nullptr;
    RunPredictor* m_predictor;
    std::shared_ptr<const RunPrediction> m_prediction;
    PredictedFigures m_predicted;
    bool m_predictionWanted = true;
    std::vector<std::int32_t> m_laid;             ///< steps that the prediction lies over
    std::shared_ptr<const Lanes> m_predictedStep; ///< by itself
    bool m_cut = false;           ///< what is laid ends with its step, and would go on
    bool m_manySteps = false;     ///< too many are in the window to be told apart
    std::optional<bool> m_stored; ///< the run was over when it was opened; empty: not known yet
    QTimer m_layDelay;
};

/// "gpt2-1m · 2 × 2 × 2".
QString runTitle(const RunData& run);
/// "step 148 of 400".
QString runProgress(const RunData& run);

} // namespace triaxis::ui
