#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

PlanCommand::PlanCommand(PlanDocument& document, RunPlan after, const QString& text, int gesture)
    : QUndoCommand(text), m_document(document), m_before(document.plan()),
      m_after(std::move(after)), m_gesture(gesture)
{
    setObsolete(samePlan(m_before, m_after));
}

void PlanCommand::undo()
{
    m_document.setPlan(m_before);
}

void PlanCommand::redo()
{
    if (!isObsolete())
        m_document.setPlan(m_after);
}

bool PlanCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const PlanCommand*>(other);
    if (m_gesture == 0 || next->m_gesture != m_gesture)
        return false;
    m_after = next->m_after;
    setObsolete(samePlan(m_before, m_after));
    return true;
}

bool samePlan(const RunPlan& first, const RunPlan& second)
{
    return toJson(first) == toJson(second);
}

} // namespace triaxis::ui
