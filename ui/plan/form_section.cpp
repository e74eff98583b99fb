#include "ui/plan/form_section.h"

#include "ui/plan/form_row.h"

#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QSpinBox>
#include <QVBoxLayout>

namespace triaxis::ui
{

FormSection::FormSection(const QString& title, QWidget* parent)
    : QWidget(parent), m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 8, 0, 0);
    m_column->setSpacing(8);
    auto* heading = new QLabel(title);
    heading->setProperty("role", "title");
    m_column->addWidget(heading);
}

FormRow* FormSection::addRow(const QString& where, const QString& name, QWidget* control)
{
    auto* row = new FormRow(name, control);
    control->setObjectName(where);
    m_rows.insert(where, row);
    m_column->addWidget(row);
    return row;
}

QSpinBox* FormSection::addNumber(const QString& where, const QString& name, int least, int most)
{
    auto* box = new QSpinBox;
    box->setRange(least, most);
    box->setKeyboardTracking(false);
    box->setGroupSeparatorShown(true);
    box->setLocale(QLocale::c());
    addRow(where, name, box);
    return box;
}

QComboBox* FormSection::addChoice(const QString& where, const QString& name)
{
    auto* box = new QComboBox;
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(10);
    addRow(where, name, box);
    return box;
}

void FormSection::showRow(const QString& where, bool shown)
{
    m_rows.value(where)->setVisible(shown);
}

} // namespace triaxis::ui
