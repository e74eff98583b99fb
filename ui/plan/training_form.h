#pragma once

#include "ui/plan/form_section.h"

namespace triaxis
{
struct TrainingPlan;
}

namespace triaxis::ui
{

class PlanDocument;

/// Steps, learning rate and name of a run here.
class TrainingForm : public FormSection
{
    Q_OBJECT
public:
    explicit TrainingForm(PlanDocument& document, QWidget* parent = nullptr);

private:
    void refresh();

    PlanDocument& m_document;
    QSpinBox* m_steps;
    QLineEdit* m_learningRate;
    QSpinBox* m_seed;
    QLineEdit* m_label;
};

/// AdamW's figures.
class OptimizerForm : public FormSection
{
    Q_OBJECT
public:
    explicit OptimizerForm(PlanDocument& document, QWidget* parent = nullptr);

private:
    void addShare(const char* where, const QString& name, double TrainingPlan::*field);
    void refresh();

    struct Figure
    {
        QLineEdit* control;
        double TrainingPlan::*field;
    };
    PlanDocument& m_document;
    QSpinBox* m_warmup;
    std::vector<Figure> m_figures;
};

} // namespace triaxis::ui
