#pragma once

#include "ui/plan/plan_findings.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;

namespace triaxis::ui
{

/// A setting: its name at the left, the control at the right, and below it what is found about it,
/// with a button that mends it where one change does. A control whose choices do not fit beside its
/// name goes below it, whatever is chosen.
class FormRow : public QWidget
{
    Q_OBJECT
public:
    FormRow(const QString& name, QWidget* control, QWidget* parent = nullptr);

    /// Null: nothing is found.
    void setFinding(const PlanFinding* finding);
    /// What is wrong, if that is an error.
    QString problem() const;
    bool isWrong() const { return m_severity == Severity::Error; }
    /// What is said below the control; empty: nothing.
    QString said() const;
    QWidget* control() const { return m_control; }

    /// It is shown while it is wanted, and while something is wrong with it.
    void setWanted(bool wanted);
    /// Always below its name.
    void setBelow();

signals:
    void mendRequested(const triaxis::ui::DrawnMend& mend);
    /// Something has become wrong with it, or is no longer.
    void wrongChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void arrange();
    void placeControl(bool below);

    QWidget* m_control;
    QLabel* m_name;
    QLabel* m_said;
    QPushButton* m_mendButton;
    QGridLayout* m_grid;
    std::vector<DrawnMend> m_mends;
    Severity m_severity = Severity::Note;
    bool m_wanted = true;
    bool m_below = false;
    bool m_alwaysBelow = false;
};

} // namespace triaxis::ui
