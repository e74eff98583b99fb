#pragma once

#include "ui/plan/form_section.h"

namespace triaxis::ui
{

class PlanDocument;

/// Sequences and tokens of a step.
class BatchForm : public FormSection
{
    Q_OBJECT
public:
    explicit BatchForm(PlanDocument& document, QWidget* parent = nullptr);

private:
    void refresh();

    PlanDocument& m_document;
    QSpinBox* m_global;
    QSpinBox* m_micro;
    QSpinBox* m_sequence;
};

} // namespace triaxis::ui
