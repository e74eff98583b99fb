#include "ui/plan/step_panels.h"

#include "engine/record/run_bubble.h"
#include "engine/schedule/generators.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/plan/plan_actions.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_predictor.h"
#include "ui/plan/predicted_step_panel.h"
#include "ui/plan/schedule_panel.h"
#include "ui/widgets/follow_action.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>

#include <utility>

namespace triaxis::ui
{
namespace
{

/// The same two buttons on either panel, one of them pressed.
QWidget* switchOf(PlanActions& actions)
{
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    const std::pair<QAction*, const char*> choices[] = {{actions.step(), "toStep"},
                                                        {actions.schedule(), "toSchedule"}};
    for (const auto& [action, name] : choices) {
        auto* button = new QPushButton;
        button->setObjectName(QLatin1String(name));
        button->setProperty("look", "tab");
        followAction(button, action);
        row->addWidget(button);
    }
    return both;
}

} // namespace

StepPanels::StepPanels(PlanDocument& document, PlanPredictor& predictor, PlanActions& actions,
                       QWidget* parent)
    : QStackedWidget(parent), m_document(document), m_predictor(predictor), m_actions(actions),
      m_step(new PredictedStepPanel), m_schedule(new SchedulePanel)
{
    addWidget(m_step);
    addWidget(m_schedule);
    m_step->addLeading(switchOf(m_actions));
    m_schedule->addLeading(switchOf(m_actions));
    connect(m_step, &PredictedStepPanel::calibrationRequested, m_actions.measure(),
            &QAction::trigger);
    connect(m_actions.measure(), &QAction::changed, this,
            [this] { m_step->setMeasuring(m_actions.isMeasuring()); });
    for (const QAction* action : {m_actions.step(), m_actions.schedule()})
        connect(action, &QAction::toggled, this, &StepPanels::showChosen);
    connect(&m_predictor, &PlanPredictor::timelineReady, this, &StepPanels::showTimeline);
    showChosen();
}

void StepPanels::showChosen()
{
    const bool step = m_actions.step()->isChecked();
    if (step == (currentIndex() == 0) && m_predictor.isTimelineWanted() == step)
        return;
    setCurrentIndex(step ? 0 : 1);
    m_predictor.setTimelineWanted(step);
    refresh();
}

void StepPanels::refresh()
{
    if (currentIndex() == 1)
        m_schedule->showPlan(m_document.plan());
}

void StepPanels::showTimeline()
{
    m_step->setTitle(spoken(scheduleTitle(m_document.plan().training.schedule)));
    m_step->show(m_predictor.timeline(),
                 m_document.isSound() ? planClosedForm(m_document.plan()).form : ClosedForm{},
                 drawnLayout(m_document.drawn()));
}

} // namespace triaxis::ui
