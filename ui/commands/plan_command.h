#pragma once

#include "ui/plan/plan_document.h"

#include <QUndoCommand>

namespace triaxis::ui
{

/// A change of the plan that can be taken back: the plan before and after it. Commands of one
/// gesture (a drag) become one step of the history; a command that changes nothing leaves none.
class PlanCommand : public QUndoCommand
{
public:
    void undo() override;
    void redo() override;
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* other) override;

protected:
    /// `gesture` > 0: merges with the command before it of the same gesture.
    PlanCommand(PlanDocument& document, DrawnPlan after, const QString& text, int gesture = 0);
    /// The same floor and settings for another run.
    PlanCommand(PlanDocument& document, const RunPlan& after, const QString& text, int gesture = 0);

private:
    PlanDocument& m_document;
    DrawnPlan m_before;
    DrawnPlan m_after;
    int m_gesture;
};

/// True if the two plans are the same in everything that the plan page can change.
bool samePlan(const RunPlan& first, const RunPlan& second);

} // namespace triaxis::ui
