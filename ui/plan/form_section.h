#pragma once

#include "ui/plan/plan_findings.h"

#include <QHash>
#include <QWidget>

#include <cstdint>

class QLineEdit;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace triaxis::ui
{

class ChoiceBox;
class FormRow;

/// A titled part of the form: settings in rows, each known by the field of the plan that it is.
class FormSection : public QWidget
{
    Q_OBJECT
public:
    FormSection(const QString& title, QWidget* parent = nullptr);

    const QHash<QString, FormRow*>& rows() const { return m_rows; }

signals:
    void mendRequested(const triaxis::ui::DrawnMend& mend);
    /// A file that was chosen could not be read, or the like.
    void failed(const QString& title, const QString& detail);

protected:
    FormRow* addRow(const QString& where, const QString& name, QWidget* control);
    QSpinBox* addNumber(const QString& where, const QString& name, int least, int most);
    QLineEdit* addReal(const QString& where, const QString& name, double most);
    ChoiceBox* addChoice(const QString& where, const QString& name);
    QVBoxLayout* column() { return m_column; }
    void showRow(const QString& where, bool shown);
    /// The section is shown while it is wanted, and while something in it is wrong.
    void setWanted(bool wanted);
    /// The heading becomes a button that opens and closes the section; it opens by itself when
    /// something in it is wrong.
    void makeCollapsible();

private:
    void setOpen(bool open);
    void followRows();

    QWidget* m_heading;
    QToolButton* m_toggle = nullptr;
    QWidget* m_body;
    QVBoxLayout* m_column;
    QHash<QString, FormRow*> m_rows;
    bool m_wanted = true;
};

/// Shows a value without telling of it; one outside the box's range at its edge.
void putQuietly(QSpinBox* box, std::int64_t value);

} // namespace triaxis::ui
