#pragma once

#include "ui/plan/form_section.h"

namespace triaxis::ui
{

class Background;
class PlanDocument;

/// The schedule, by name, from a file or searched for, and the chunks of a stage.
class PipelineForm : public FormSection
{
    Q_OBJECT
public:
    PipelineForm(PlanDocument& document, Background& background, QWidget* parent = nullptr);

    /// Reads an order in the CSV form, on a worker.
    void takeFile(const QString& path);

private:
    void fill();
    void choose(int index);
    void searchOrder();
    void refresh();
    void refreshChunks();

    PlanDocument& m_document;
    Background& m_background;
    ChoiceBox* m_schedule;
    QSpinBox* m_chunks;
};

} // namespace triaxis::ui
