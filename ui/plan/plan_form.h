#pragma once

#include "ui/plan/plan_document.h"

#include <QHash>
#include <QWidget>

#include <functional>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace triaxis::ui
{

class Background;
class FormRow;
class FormSection;

/// Settings of the plan that are not drawn: model, data, batch, schedule, training. Each change is
/// a command of the document.
class PlanForm : public QWidget
{
    Q_OBJECT
public:
    PlanForm(PlanDocument& document, Background& background, QWidget* parent = nullptr);

    /// What is wrong with the setting at `where` ("training.microbatch"); empty if nothing is, or
    /// there is no such field.
    QString problemOf(const QString& where) const;

signals:
    /// A file that was chosen could not be read.
    void failed(const QString& title, const QString& detail);

protected:
    void changeEvent(QEvent* event) override;

private:
    QLabel* addHeading(const QString& text);
    void addSection(FormSection* section);
    FormRow* addRow(const QString& where, const QString& name, QWidget* control);
    QSpinBox* addNumber(const QString& where, const QString& name, int largest);
    void buildModel();
    void buildData();
    void buildBatch();
    void buildSchedule();
    void buildTraining();
    void refresh();
    void refreshModel();
    void refreshRunRows();
    void refreshChunks();
    void refreshProblems();
    void chooseModel(int index);
    void openModel();
    void takeModelFile(const QString& path);
    std::function<void()> takeShapeFile(const QString& path);
    void chooseSchedule(int index);
    void searchOrder();
    void takeScheduleFile(const QString& path);
    void chooseDataKind(int index);
    void chooseTextFile();
    void takeTextFile(const QString& path);

    PlanDocument& m_document;
    Background& m_background;
    QVBoxLayout* m_layout;
    QHash<QString, FormRow*> m_rows;
    QLineEdit* m_label = nullptr;
    QComboBox* m_model = nullptr;
    QLabel* m_modelSummary = nullptr;
    QLabel* m_dataTitle = nullptr;
    QLabel* m_trainingTitle = nullptr;
    QComboBox* m_dataKind = nullptr;
    QLineEdit* m_file = nullptr;
    QAction* m_browse = nullptr;
    FormRow* m_fileRow = nullptr;
    QSpinBox* m_globalBatch = nullptr;
    QSpinBox* m_microbatch = nullptr;
    QSpinBox* m_sequence = nullptr;
    QComboBox* m_schedule = nullptr;
    QSpinBox* m_virtualStages = nullptr;
    QSpinBox* m_steps = nullptr;
    QLineEdit* m_learningRate = nullptr;
    QSpinBox* m_seed = nullptr;
};

} // namespace triaxis::ui
