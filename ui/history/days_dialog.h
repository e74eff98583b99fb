#pragma once

#include <QDate>
#include <QDialog>

class QCheckBox;
class QDateEdit;

namespace triaxis::ui
{

/// Asks for a first and a last day, each of which may be left open.
class DaysDialog : public QDialog
{
    Q_OBJECT
public:
    DaysDialog(const QDate& from, const QDate& to, QWidget* parent = nullptr);

    /// Invalid: open. Never after to().
    QDate from() const;
    QDate to() const;

private:
    QCheckBox* m_hasFrom;
    QDateEdit* m_from;
    QCheckBox* m_hasTo;
    QDateEdit* m_to;
};

} // namespace triaxis::ui
