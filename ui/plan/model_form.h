#pragma once

#include "ui/plan/form_section.h"

class QLabel;

namespace triaxis::ui
{

class Background;
class PlanDocument;

/// The model: a preset that can be trained, one that can only be predicted, or any Hugging Face
/// config.json.
class ModelForm : public FormSection
{
    Q_OBJECT
public:
    ModelForm(PlanDocument& document, Background& background, QWidget* parent = nullptr);

    /// Reads a config.json, or a folder with one, on a worker.
    void takeFile(const QString& path);

private:
    void choose(int index);
    void open();
    std::function<void()> takeShapeFile(const QString& path);
    void fill(const QString& shown);
    void refresh();

    PlanDocument& m_document;
    Background& m_background;
    ChoiceBox* m_model;
    QLabel* m_summary;
};

} // namespace triaxis::ui
