#pragma once

#include <QWidget>

class QLabel;

namespace triaxis::ui
{

/// A setting: its name at the left, the control at the right, and below it what is wrong with it.
class FormRow : public QWidget
{
    Q_OBJECT
public:
    FormRow(const QString& name, QWidget* control, QWidget* parent = nullptr);

    /// Empty: nothing is wrong.
    void setProblem(const QString& problem);
    QString problem() const;

private:
    QWidget* m_control;
    QLabel* m_problem;
};

} // namespace triaxis::ui
