#include "ui/plan/form_row.h"

#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/choice_box.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

namespace triaxis::ui
{
namespace
{

const char* roleOf(Severity severity)
{
    switch (severity) {
    case Severity::Note:
        return "hint";
    case Severity::Warning:
        return "caution";
    case Severity::Error:
        return "problem";
    }
    return "hint";
}

void polishAgain(QWidget* widget)
{
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

} // namespace

FormRow::FormRow(const QString& name, QWidget* control, QWidget* parent)
    : QWidget(parent), m_control(control), m_name(new QLabel(name)), m_said(new QLabel),
      m_mendButton(new QPushButton(tr("Mend"))), m_grid(new QGridLayout(this))
{
    m_name->setProperty("role", "muted");
    m_name->setBuddy(control);
    if (control->accessibleName().isEmpty())
        control->setAccessibleName(name);
    followTextSize(this, [this] {
        m_name->setMinimumWidth(scaled(84));
        m_control->setMinimumWidth(scaled(80));
        arrange();
    });
    control->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_said->setWordWrap(true);
    m_said->hide();
    m_mendButton->setProperty("look", "mend");
    m_mendButton->hide();
    connect(m_mendButton, &QPushButton::clicked, this, [this] {
        if (!m_mends.empty())
            emit mendRequested(DrawnMend(m_mends.front()));
    });
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(1, 1);
    m_grid->addWidget(m_name, 0, 0, 1, 1);
    m_grid->addWidget(m_control, 0, 1, 1, 2);
    m_grid->addWidget(m_said, 2, 0, 1, 2);
    m_grid->addWidget(m_mendButton, 2, 2, Qt::AlignTop);
}

void FormRow::setFinding(const PlanFinding* finding)
{
    const QString text = finding != nullptr ? adviceOf(finding->finding) : QString();
    const Severity severity = finding != nullptr ? finding->finding.severity : Severity::Note;
    m_mends = finding != nullptr ? finding->mends : std::vector<DrawnMend>{};
    m_mendButton->setVisible(!m_mends.empty());
    if (!m_mends.empty()) {
        m_mendButton->setToolTip(m_mends.front().change);
        m_mendButton->setAccessibleName(tr("Mend: ") + m_mends.front().change);
    }
    if (text == m_said->text() && severity == m_severity)
        return;
    const bool wasWrong = m_severity == Severity::Error;
    m_severity = severity;
    const bool isWrong = this->isWrong();
    m_said->setText(text);
    m_said->setProperty("role", roleOf(severity));
    m_said->setVisible(!text.isEmpty());
    m_control->setAccessibleDescription(text);
    polishAgain(m_said);
    if (isWrong != wasWrong) {
        m_control->setProperty("problem", isWrong);
        polishAgain(m_control);
        setVisible(m_wanted || isWrong);
        emit wrongChanged();
    }
}

QString FormRow::problem() const
{
    return m_severity == Severity::Error ? m_said->text() : QString();
}

QString FormRow::said() const
{
    return m_said->text();
}

void FormRow::setWanted(bool wanted)
{
    m_wanted = wanted;
    setVisible(m_wanted || m_severity == Severity::Error);
}

void FormRow::setBelow()
{
    m_alwaysBelow = true;
    arrange();
}

void FormRow::arrange()
{
    const auto* choice = qobject_cast<ChoiceBox*>(m_control);
    const int beside = width() - m_name->sizeHint().width() - m_grid->horizontalSpacing();
    const int room = std::min(beside, width() - scaled(84) - m_grid->horizontalSpacing());
    placeControl(m_alwaysBelow || (choice != nullptr && choice->widthOfLongest() > room));
}

void FormRow::placeControl(bool below)
{
    if (below == m_below)
        return;
    m_below = below;
    m_grid->removeWidget(m_control);
    if (below)
        m_grid->addWidget(m_control, 1, 0, 1, 3);
    else
        m_grid->addWidget(m_control, 0, 1, 1, 2);
}

void FormRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void FormRow::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        arrange();
}

} // namespace triaxis::ui
