#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace triaxis::ui
{

/// What a sweep is to run: layouts, form, model and steps. A form at the left of the dialog.
class SweepSettings : public QWidget
{
    Q_OBJECT
public:
    /// `drawn`: what the drawn plan is called; empty where it cannot be run here.
    explicit SweepSettings(const QString& drawn, QWidget* parent = nullptr);

    /// The layouts can be read.
    bool isValid() const { return m_valid; }
    /// Of `triaxis sweep`. `planFile`: of the drawn plan, which is taken where it is wanted.
    QStringList arguments(const QString& planFile) const;
    bool wantsDrawnPlan() const;
    /// How many forms the sweep has.
    int forms() const;
    void setLayouts(const QString& text);

signals:
    void changed();

private:
    void build(const QString& drawn);
    void readLayouts();
    void explain();

    QComboBox* m_choice;
    QLineEdit* m_layouts;
    QLabel* m_found;
    QComboBox* m_form;
    QLabel* m_meaning;
    QComboBox* m_cluster;
    QComboBox* m_model;
    QCheckBox* m_drawn;
    QSpinBox* m_steps;
    bool m_valid = false;
};

} // namespace triaxis::ui
