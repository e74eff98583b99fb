#include "ui/history/days_dialog.h"

#include <QCheckBox>
#include <QDateEdit>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QPushButton>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int offeredDays = 30;

} // namespace

DaysDialog::DaysDialog(const QDate& from, const QDate& to, QWidget* parent)
    : QDialog(parent), m_hasFrom(new QCheckBox(tr("From"))), m_from(new QDateEdit),
      m_hasTo(new QCheckBox(tr("Until"))), m_to(new QDateEdit)
{
    setObjectName(QStringLiteral("daysDialog"));
    setWindowTitle(tr("Runs started between two days"));
    const QDate today = QDate::currentDate();
    const bool open = !from.isValid() && !to.isValid();
    m_from->setDate(from.isValid() ? from : today.addDays(1 - offeredDays));
    m_to->setDate(to.isValid() ? to : today);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(18, 16, 18, 14);
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(10);
    const auto add = [&](int row, QCheckBox* box, QDateEdit* edit, bool set, const char* name) {
        edit->setObjectName(QLatin1String(name));
        edit->setCalendarPopup(true);
        edit->setDisplayFormat(QStringLiteral("yyyy-MM-dd"));
        edit->setAccessibleName(box->text());
        box->setChecked(set || open);
        edit->setEnabled(box->isChecked());
        connect(box, &QCheckBox::toggled, edit, &QWidget::setEnabled);
        grid->addWidget(box, row, 0);
        grid->addWidget(edit, row, 1);
    };
    add(0, m_hasFrom, m_from, from.isValid(), "fromDay");
    add(1, m_hasTo, m_to, to.isValid(), "toDay");
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Show"));
    buttons->button(QDialogButtonBox::Ok)->setProperty("look", "primary");
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    grid->addWidget(buttons, 2, 0, 1, 2);
}

QDate DaysDialog::from() const
{
    if (!m_hasFrom->isChecked())
        return {};
    return m_hasTo->isChecked() ? std::min(m_from->date(), m_to->date()) : m_from->date();
}

QDate DaysDialog::to() const
{
    if (!m_hasTo->isChecked())
        return {};
    return m_hasFrom->isChecked() ? std::max(m_from->date(), m_to->date()) : m_to->date();
}

} // namespace triaxis::ui
