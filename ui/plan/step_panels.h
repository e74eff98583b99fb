#pragma once

#include <QStackedWidget>

namespace triaxis::ui
{

class PlanActions;
class PlanDocument;
class PlanPredictor;
class PredictedStepPanel;
class SchedulePanel;

/// Below the floor: the step as it is predicted, or the schedule alone. Tabs and actions turn from
/// one to the other; only the one that is shown is worked out.
class StepPanels : public QStackedWidget
{
    Q_OBJECT
public:
    StepPanels(PlanDocument& document, PlanPredictor& predictor, PlanActions& actions,
               QWidget* parent = nullptr);

    void refresh();

private:
    void showChosen();
    void showTimeline();

    PlanDocument& m_document;
    PlanPredictor& m_predictor;
    PlanActions& m_actions;
    PredictedStepPanel* m_step;
    SchedulePanel* m_schedule;
};

} // namespace triaxis::ui
