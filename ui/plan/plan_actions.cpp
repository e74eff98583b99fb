#include "ui/plan/plan_actions.h"

#include "ui/base/text.h"
#include "ui/plan/plan_document.h"
#include "ui/timeline/key_commands.h"
#include "ui/base/words.h"
#include "ui/base/language.h"

#include <QAction>
#include <QActionGroup>

namespace triaxis::ui
{
namespace
{

QString withKeys(const QString& hint, const QAction* action)
{
    const QString keys = keysText(action->shortcuts());
    return keys.isEmpty() ? hint : QStringLiteral("%1 (%2)").arg(hint, keys);
}

/// Why the plan is not run, or what running it does.
QString runHint(const PlanDocument& document)
{
    for (const Diagnostic& finding : document.diagnostics())
        if (finding.severity == Severity::Error)
            return Words::tr("This plan cannot run: ") + spoken(finding.what);
    if (const std::string why = whyNotRunnable(document.drawn()); !why.empty())
        return Words::tr("This plan is not run here: ") + spoken(why);
    return {};
}

} // namespace

PlanActions::PlanActions(PlanDocument& document, QObject* parent)
    : QObject(parent), m_document(document), m_undo(add("plan.undo")), m_redo(add("plan.redo")),
      m_run(add("plan.run")), m_find(add("plan.find")), m_whatIf(add("plan.whatIf")),
      m_findMachine(add("plan.findMachine")), m_measure(add("plan.measure")),
      m_step(add("plan.step")), m_schedule(add("plan.schedule"))
{
    auto* pictures = new QActionGroup(this);
    for (QAction* picture : {m_step, m_schedule}) {
        picture->setCheckable(true);
        pictures->addAction(picture);
    }
    m_step->setChecked(true);
    m_whatIf->setToolTip(withKeys(
        tr("Other links, devices or replicas, without changing the plan"), m_whatIf));
    setMeasuring(false);
    QUndoStack& stack = m_document.undoStack();
    connect(m_undo, &QAction::triggered, &stack, &QUndoStack::undo);
    connect(m_redo, &QAction::triggered, &stack, &QUndoStack::redo);
    connect(&stack, &QUndoStack::indexChanged, this, &PlanActions::refresh);
    connect(&m_document, &PlanDocument::changed, this, &PlanActions::refresh);
    refresh();
}

QAction* PlanActions::add(const char* id)
{
    return makeCommand(QLatin1String(id), this);
}

QList<QAction*> PlanActions::all() const
{
    return {m_undo, m_redo, m_run, m_find, m_whatIf, m_findMachine, m_measure, m_step, m_schedule};
}

void PlanActions::setShown(bool shown)
{
    if (shown == m_shown)
        return;
    m_shown = shown;
    refresh();
}

void PlanActions::setStarting(bool starting)
{
    m_starting = starting;
    refreshRun();
}

void PlanActions::setMeasuring(bool measuring)
{
    m_isMeasuring = measuring;
    m_measure->setText(measuring ? tr("Stop the calibration")
                                 : tr("Calibrate this machine…"));
    m_measure->setToolTip(withKeys(
        measuring ? tr("An earlier measurement stays in use")
                  : tr("Measure this machine, for up to 4 minutes, so that runs here are "
                                   "predicted; again after a change of it"),
        m_measure));
}

void PlanActions::refresh()
{
    const bool onCluster = !m_document.drawn().cluster.thisMachine;
    const QUndoStack& stack = m_document.undoStack();
    m_undo->setEnabled(m_shown && stack.canUndo());
    m_redo->setEnabled(m_shown && stack.canRedo());
    m_undo->setText(stack.canUndo() ? tr("Undo: ") + stack.undoText()
                                    : tr("Undo"));
    m_redo->setText(stack.canRedo() ? tr("Redo: ") + stack.redoText()
                                    : tr("Redo"));
    for (QAction* action : {m_undo, m_redo})
        action->setToolTip(withKeys(action->text(), action));
    m_find->setEnabled(m_shown && onCluster);
    m_whatIf->setEnabled(m_shown && onCluster);
    m_find->setToolTip(onCluster
                           ? withKeys(tr("Search all layouts of this job"), m_find)
                           : tr("Choose a cluster first: layouts are searched by what "
                                            "they take on it"));
    m_findMachine->setEnabled(m_shown);
    m_measure->setEnabled(m_shown);
    m_step->setEnabled(m_shown);
    m_schedule->setEnabled(m_shown);
    refreshRun();
}

void PlanActions::refreshRun()
{
    m_run->setEnabled(m_shown && m_document.canRun() && !m_starting);
    m_run->setText(m_starting ? tr("Starting…") : tr("Run"));
    const QString why = runHint(m_document);
    m_run->setToolTip(why.isEmpty()
                          ? withKeys(tr("Train this plan for real, through MPI"), m_run)
                          : why);
}

} // namespace triaxis::ui
