#pragma once

#include "engine/plan/drawn_prediction.h"
#include "engine/schedule/closed_forms.h"
#include "ui/widgets/panel.h"

#include <memory>

class QPushButton;

namespace triaxis::ui
{

class BubbleBars;
class LaneView;

/// The spans of one pipeline that stands for the plan, and the bubble of its stages.
class PredictedStepPanel : public Panel
{
    Q_OBJECT
public:
    explicit PredictedStepPanel(QWidget* parent = nullptr);

    /// Null: being worked out.
    /// `drawn` is the layout that the floor shows: lanes are named after the ranks of its first
    /// pipeline.
    void show(const std::shared_ptr<const DrawnTimeline>& timeline, const ClosedForm& closedForm,
              const Layout& drawn = {});

    /// A calibration runs: the button ends it.
    void setMeasuring(bool measuring);

signals:
    void calibrationRequested();

private:
    LaneView* m_lanes;
    BubbleBars* m_bubble;
    QPushButton* m_calibrate;
};

} // namespace triaxis::ui
