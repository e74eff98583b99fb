#pragma once

#include "engine/schedule/generators.h"
#include "engine/simulate/play.h"
#include "ui/plan/plan_document.h"
#include "ui/widgets/panel.h"

#include <optional>

class QScrollArea;

namespace triaxis::ui
{

class DisplayListView;
class LegendBar;
class StageBars;

/// The schedule as a picture with unit durations, and how many microbatches each stage keeps alive.
class SchedulePanel : public Panel
{
    Q_OBJECT
public:
    explicit SchedulePanel(QWidget* parent = nullptr);

    void showPlan(const RunPlan& plan);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void play();
    void redraw();

    QScrollArea* m_scroll;
    DisplayListView* m_picture;
    LegendBar* m_legend;
    StageBars* m_live;
    Played m_played;                          ///< empty: nothing to draw
    std::optional<ScheduleRequest> m_request; ///< what is shown
};

} // namespace triaxis::ui
