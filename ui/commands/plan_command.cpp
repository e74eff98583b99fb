#include "ui/commands/plan_command.h"

#include "engine/formats/plan_file.h"

namespace triaxis::ui
{

PlanCommand::PlanCommand(PlanDocument& document, const RunPlan& after, const QString& text,
                         int gesture)
    : PlanCommand(document, withRun(document.drawn(), after), text, gesture)
{
}

PlanCommand::PlanCommand(PlanDocument& document, DrawnPlan after, const QString& text, int gesture)
    : QUndoCommand(text), m_document(document), m_before(document.drawn()),
      m_after(std::move(after)), m_gesture(gesture)
{
    setObsolete(samePlan(m_before, m_after));
}

void PlanCommand::undo()
{
    m_document.setDrawn(m_before);
}

void PlanCommand::redo()
{
    if (!isObsolete())
        m_document.setDrawn(m_after);
}

bool PlanCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const PlanCommand*>(other);
    if (m_gesture == 0 || next->m_gesture != m_gesture)
        return false;
    m_after = next->m_after;
    setText(next->text()); // a drag is called by what it ended with
    setObsolete(samePlan(m_before, m_after));
    return true;
}

bool samePlan(const RunPlan& first, const RunPlan& second)
{
    return toJson(first) == toJson(second);
}

} // namespace triaxis::ui
