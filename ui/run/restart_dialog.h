#pragma once

#include "engine/record/run_plan.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace triaxis::ui
{

/// A run's plan with a few things changed, to be run again: schedule, batch, steps. Refuses what
/// cannot run, and says why.
class RestartDialog : public QDialog
{
    Q_OBJECT
public:
    /// `active`: the run goes on and is stopped first.
    RestartDialog(RunPlan plan, bool active, QWidget* parent = nullptr);

    enum class Choice { Cancel, Restart, OpenInPlan };
    Choice choice() const { return m_choice; }
    RunPlan plan() const;

private:
    void check();

    RunPlan m_plan;
    Choice m_choice = Choice::Cancel;
    QComboBox* m_schedule;
    QSpinBox* m_microbatch;
    QSpinBox* m_globalBatch;
    QSpinBox* m_steps;
    QLabel* m_problem;
    QPushButton* m_restart;
};

} // namespace triaxis::ui
