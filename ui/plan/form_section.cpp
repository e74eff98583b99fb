#include "ui/plan/form_section.h"

#include "ui/base/language.h"
#include "ui/plan/form_row.h"
#include "ui/widgets/choice_box.h"

#include <QDoubleValidator>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

/// A number from 0 on in the language of the window; a point is taken for its decimal mark.
class RealValidator : public QDoubleValidator
{
public:
    RealValidator(double most, QObject* parent) : QDoubleValidator(0, most, 12, parent)
    {
        setLocale(numberLocale());
    }
    State validate(QString& text, int& at) const override
    {
        text.replace(QLatin1Char('.'), locale().decimalPoint());
        return QDoubleValidator::validate(text, at);
    }
};

} // namespace

FormSection::FormSection(const QString& title, QWidget* parent)
    : QWidget(parent), m_heading(new QLabel(title)), m_body(new QWidget),
      m_column(new QVBoxLayout(m_body))
{
    setAccessibleName(title);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(8);
    m_heading->setProperty("role", "title");
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 8, 0, 0);
    whole->setSpacing(8);
    whole->addWidget(m_heading);
    whole->addWidget(m_body);
}

FormRow* FormSection::addRow(const QString& where, const QString& name, QWidget* control)
{
    auto* row = new FormRow(name, control);
    control->setObjectName(where);
    m_rows.insert(where, row);
    m_column->addWidget(row);
    connect(row, &FormRow::mendRequested, this, &FormSection::mendRequested);
    connect(row, &FormRow::wrongChanged, this, &FormSection::followRows);
    return row;
}

QSpinBox* FormSection::addNumber(const QString& where, const QString& name, int least, int most)
{
    auto* box = new QSpinBox;
    box->setRange(least, most);
    box->setKeyboardTracking(false);
    box->setGroupSeparatorShown(true);
    box->setLocale(numberLocale());
    addRow(where, name, box);
    return box;
}

QLineEdit* FormSection::addReal(const QString& where, const QString& name, double most)
{
    auto* field = new QLineEdit;
    auto* positive = new RealValidator(most, field);
    field->setValidator(positive);
    addRow(where, name, field);
    return field;
}

ChoiceBox* FormSection::addChoice(const QString& where, const QString& name)
{
    auto* box = new ChoiceBox;
    addRow(where, name, box);
    return box;
}

void FormSection::showRow(const QString& where, bool shown)
{
    m_rows.value(where)->setWanted(shown);
}

void FormSection::setWanted(bool wanted)
{
    m_wanted = wanted;
    followRows();
}

void FormSection::followRows()
{
    const bool wrong = std::any_of(m_rows.constBegin(), m_rows.constEnd(),
                                   [](const FormRow* row) { return row->isWrong(); });
    setVisible(m_wanted || wrong);
    if (wrong)
        setOpen(true);
}

void FormSection::makeCollapsible()
{
    m_toggle = new QToolButton;
    m_toggle->setObjectName(objectName() + QStringLiteral(".toggle"));
    m_toggle->setText(accessibleName());
    m_toggle->setAccessibleName(accessibleName());
    m_toggle->setProperty("look", "heading");
    m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_toggle->setCheckable(true);
    layout()->replaceWidget(m_heading, m_toggle);
    delete m_heading;
    m_heading = m_toggle;
    connect(m_toggle, &QToolButton::toggled, this, &FormSection::setOpen);
    setOpen(false);
}

void FormSection::setOpen(bool open)
{
    if (m_toggle == nullptr)
        return;
    m_body->setVisible(open);
    m_toggle->setChecked(open);
    m_toggle->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
}

void putQuietly(QSpinBox* box, std::int64_t value)
{
    const QSignalBlocker quiet(box);
    box->setValue(int(std::clamp<std::int64_t>(value, box->minimum(), box->maximum())));
}

} // namespace triaxis::ui
