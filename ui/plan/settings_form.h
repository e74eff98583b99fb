#pragma once

#include "ui/plan/form_section.h"

#include <functional>

class QCheckBox;

namespace triaxis
{
struct DrawnPlan;
}

namespace triaxis::ui
{

class PlanDocument;

/// How a cluster's software trains: precision, ZeRO, recompute, further axes. Runs on this machine
/// have none of these, and the section hides.
class SettingsForm : public FormSection
{
    Q_OBJECT
public:
    explicit SettingsForm(PlanDocument& document, QWidget* parent = nullptr);

private:
    void buildChoices();
    void buildNumbers();
    void refresh();
    void change(const QString& text, const std::function<void(DrawnPlan&)>& edit);

    PlanDocument& m_document;
    ChoiceBox* m_precision = nullptr;
    ChoiceBox* m_zero = nullptr;
    ChoiceBox* m_recompute = nullptr;
    QSpinBox* m_recomputed = nullptr;
    QCheckBox* m_sequenceParallel = nullptr;
    QSpinBox* m_context = nullptr;
    QSpinBox* m_expert = nullptr;
    QSpinBox* m_expertTensor = nullptr;
    ChoiceBox* m_software = nullptr;
};

} // namespace triaxis::ui
