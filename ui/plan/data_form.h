#pragma once

#include "ui/plan/form_section.h"

class QAction;

namespace triaxis::ui
{

class PlanDocument;

/// What a run here reads: a text file, or the synthetic source.
class DataForm : public FormSection
{
    Q_OBJECT
public:
    explicit DataForm(PlanDocument& document, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void chooseKind(int index);
    void chooseFile();
    void takeFile(const QString& path);
    void refresh();

    PlanDocument& m_document;
    ChoiceBox* m_kind;
    QLineEdit* m_file;
    QAction* m_browse;
};

} // namespace triaxis::ui
