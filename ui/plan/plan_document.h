#pragma once

#include "engine/plan/drawn_plan.h"
#include "ui/plan/rank_share.h"

#include <QObject>
#include <QUndoStack>

#include <memory>

namespace triaxis::ui
{

/// The plan being drawn, what speaks against it, and the way back. Every change goes through a
/// command on the undo stack.
class PlanDocument : public QObject
{
    Q_OBJECT
public:
    /// `cores`: of this machine.
    PlanDocument(const RunPlan& plan, int cores, QObject* parent = nullptr);
    PlanDocument(DrawnPlan plan, int cores, QObject* parent = nullptr);

    /// All that is drawn …
    const DrawnPlan& drawn() const { return m_plan; }
    /// … and of it what a run here would be.
    const RunPlan& plan() const { return m_plan.run; }
    int cores() const { return m_cores; }
    /// As many as were found; what depends on them is told anew.
    void setCores(int cores);
    /// Rules that are broken, then notes about this machine.
    const std::vector<Diagnostic>& diagnostics() const { return m_diagnostics; }
    /// The plan breaks no rule.
    bool isSound() const { return m_isSound; }
    /// It can be run here, too.
    bool canRun() const { return m_canRun; }
    /// Empty while the layout cannot hold the model.
    const std::vector<RankShare>& shares() const { return m_shares; }
    QUndoStack& undoStack() { return m_undo; }
    bool isClean() const { return m_undo.isClean(); }
    /// Does the command and remembers it; one that changes nothing is dropped, and what can be
    /// redone stays.
    void apply(std::unique_ptr<QUndoCommand> command);

    /// For commands only: puts a plan in place.
    void setDrawn(DrawnPlan plan);
    /// Begins with another plan: nothing to undo, nothing unsaved.
    void begin(DrawnPlan plan);

signals:
    void changed();

private:
    void check();

    DrawnPlan m_plan;
    int m_cores;
    std::vector<Diagnostic> m_diagnostics;
    std::vector<RankShare> m_shares;
    bool m_isSound = false;
    bool m_canRun = false;
    QUndoStack m_undo;
};

/// What is no rule but worth knowing on a machine of `cores`: ranks that share cores.
std::vector<Diagnostic> machineNotes(const RunPlan& plan, int cores);

} // namespace triaxis::ui
