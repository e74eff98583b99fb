#include "ui/plan/plan_document.h"

namespace triaxis::ui
{

PlanDocument::PlanDocument(const RunPlan& plan, int cores, QObject* parent)
    : PlanDocument(drawnPlan(plan), cores, parent)
{
}

PlanDocument::PlanDocument(DrawnPlan plan, int cores, QObject* parent)
    : QObject(parent), m_plan(std::move(plan)), m_cores(cores)
{
    check();
}

void PlanDocument::setDrawn(DrawnPlan plan)
{
    m_plan = std::move(plan);
    check();
    emit changed();
}

void PlanDocument::setCores(int cores)
{
    if (cores == m_cores)
        return;
    m_cores = cores;
    check();
    emit changed();
}

void PlanDocument::begin(DrawnPlan plan)
{
    m_undo.clear();
    setDrawn(std::move(plan));
}

void PlanDocument::apply(std::unique_ptr<QUndoCommand> command)
{
    if (!command->isObsolete())
        m_undo.push(command.release());
}

void PlanDocument::check()
{
    m_diagnostics = checkDrawn(m_plan);
    m_isSound = !hasErrors(m_diagnostics);
    m_canRun = m_isSound && whyNotRunnable(m_plan).empty();
    m_shares.clear();
    if (m_plan.trainable)
        m_shares = rankShares(plan().model, plan().layout, scheduleRequest(plan()),
                              m_isSound && !m_plan.cluster.thisMachine ? EmptyStages::Allowed
                                                                       : EmptyStages::Refused);
    if (!m_plan.cluster.thisMachine)
        return;
    for (Diagnostic& note : machineNotes(plan(), m_cores))
        m_diagnostics.push_back(std::move(note));
}

std::vector<Diagnostic> machineNotes(const RunPlan& plan, int cores)
{
    const int ranks = plan.layout.ranks();
    if (ranks <= cores)
        return {};
    Diagnostic note;
    note.severity = Severity::Note;
    note.what = std::to_string(ranks) + " ranks share " + std::to_string(cores) +
                (cores == 1 ? " core" : " cores");
    note.where = "machine";
    note.why = "they take turns, so a step takes longer than on as many cores as ranks, and waits "
               "are longer than the schedule alone makes them; losses do not change";
    return {note};
}

} // namespace triaxis::ui
