#pragma once

#include "ui/plan/form_section.h"

#include <functional>

namespace triaxis
{
struct RunPlan;
}

class QLabel;

namespace triaxis::ui
{

class PlanDocument;

/// How the ranks of a run here are started and recorded; what it starts from.
class ExecutionForm : public FormSection
{
    Q_OBJECT
public:
    explicit ExecutionForm(PlanDocument& document, QWidget* parent = nullptr);

private:
    void buildNumbers();
    void buildTexts();
    void change(const QString& text, const std::function<void(RunPlan&)>& edit);
    void refresh();

    PlanDocument& m_document;
    QSpinBox* m_threads = nullptr;
    QSpinBox* m_hang = nullptr;
    QSpinBox* m_every = nullptr;
    QLineEdit* m_hostfile = nullptr;
    QLineEdit* m_options = nullptr;
    QLineEdit* m_weights = nullptr;
    QLabel* m_pace = nullptr;
};

} // namespace triaxis::ui
