#include "ui/plan/form_row.h"

#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"

#include <QGridLayout>
#include <QLabel>
#include <QStyle>

namespace triaxis::ui
{

FormRow::FormRow(const QString& name, QWidget* control, QWidget* parent)
    : QWidget(parent), m_control(control), m_problem(new QLabel)
{
    auto* label = new QLabel(name);
    label->setProperty("role", "muted");
    label->setBuddy(control);
    if (control->accessibleName().isEmpty())
        control->setAccessibleName(name);
    followTextSize(this, [label, control] {
        label->setMinimumWidth(scaled(84));
        control->setMinimumWidth(scaled(80));
    });
    control->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_problem->setProperty("role", "problem");
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    grid->addWidget(label, 0, 0);
    grid->addWidget(control, 0, 1);
    grid->addWidget(m_problem, 1, 0, 1, 2);
}

void FormRow::setProblem(const QString& problem)
{
    if (problem == m_problem->text())
        return;
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_control->setProperty("problem", !problem.isEmpty());
    m_control->setAccessibleDescription(problem);
    m_control->style()->unpolish(m_control);
    m_control->style()->polish(m_control);
}

QString FormRow::problem() const
{
    return m_problem->text();
}

} // namespace triaxis::ui
