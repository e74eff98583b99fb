#pragma once

#include <QHash>
#include <QWidget>

class QComboBox;
class QSpinBox;
class QVBoxLayout;

namespace triaxis::ui
{

class FormRow;

/// A titled part of the form: settings in rows, each known by the field of the plan that it is.
class FormSection : public QWidget
{
    Q_OBJECT
public:
    FormSection(const QString& title, QWidget* parent = nullptr);

    const QHash<QString, FormRow*>& rows() const { return m_rows; }

protected:
    FormRow* addRow(const QString& where, const QString& name, QWidget* control);
    QSpinBox* addNumber(const QString& where, const QString& name, int least, int most);
    QComboBox* addChoice(const QString& where, const QString& name);
    QVBoxLayout* column() { return m_column; }
    void showRow(const QString& where, bool shown);

private:
    QVBoxLayout* m_column;
    QHash<QString, FormRow*> m_rows;
};

} // namespace triaxis::ui
