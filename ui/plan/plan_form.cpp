#include "ui/plan/plan_form.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/units.h"
#include "engine/formats/hf_config.h"
#include "engine/formats/model_shape.h"
#include "engine/formats/plan_file.h"
#include "engine/formats/shape_presets.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/schedule_csv.h"
#include "engine/search/auto_plan.h"
#include "ui/base/background.h"
#include "ui/base/text.h"
#include "ui/commands/set_batch.h"
#include "ui/commands/set_data.h"
#include "ui/commands/set_label.h"
#include "ui/commands/set_model.h"
#include "ui/commands/set_schedule.h"
#include "ui/commands/set_shape.h"
#include "ui/commands/set_training.h"
#include "ui/plan/cluster_form.h"
#include "ui/plan/form_row.h"
#include "ui/plan/settings_form.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QDoubleValidator>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace triaxis::ui
{
namespace
{

constexpr int largestCount = 1'000'000;

QString summaryOf(const DrawnPlan& plan)
{
    const ModelShape& model = plan.shape;
    QString family = plan.run.model.architecture == Architecture::Gpt2 ? QStringLiteral("GPT-2")
                                                                       : QStringLiteral("Llama");
    if (!plan.trainable)
        family = model.expert.experts > 0 ? QStringLiteral("%1 experts, %2 a token")
                                                .arg(model.expert.experts)
                                                .arg(model.expert.activeExperts)
                                          : QStringLiteral("predicted only");
    QString heads = counted(model.heads, QStringLiteral("head"));
    if (model.kvHeads != model.heads)
        heads += QStringLiteral(" (%1 key/value)").arg(model.kvHeads);
    return QStringLiteral("%1 parameters · %2 · %3 · %4 · width %5 · vocabulary %6")
        .arg(toQString(units::count(parameterCount(model))), family,
             counted(model.layers, QStringLiteral("layer")), heads, wholeNumber(model.hidden),
             wholeNumber(model.vocabulary));
}

} // namespace

PlanForm::PlanForm(PlanDocument& document, Background& background, QWidget* parent)
    : QWidget(parent), m_document(document), m_background(background),
      m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("planForm"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
    buildModel();
    addSection(new ClusterForm(m_document));
    buildBatch();
    buildSchedule();
    addSection(new SettingsForm(m_document));
    buildData();
    buildTraining();
    m_layout->addStretch(1);
    connect(&m_document, &PlanDocument::changed, this, &PlanForm::refresh);
    refresh();
}

void PlanForm::addSection(FormSection* section)
{
    m_layout->addWidget(section);
    for (auto row = section->rows().constBegin(); row != section->rows().constEnd(); ++row)
        m_rows.insert(row.key(), row.value());
}

QLabel* PlanForm::addHeading(const QString& text)
{
    auto* heading = new QLabel(text);
    heading->setProperty("role", "title");
    if (m_layout->count() > 0)
        m_layout->addSpacing(8);
    m_layout->addWidget(heading);
    return heading;
}

FormRow* PlanForm::addRow(const QString& where, const QString& name, QWidget* control)
{
    auto* row = new FormRow(name, control);
    control->setObjectName(where);
    m_rows.insert(where, row);
    m_layout->addWidget(row);
    return row;
}

QSpinBox* PlanForm::addNumber(const QString& where, const QString& name, int largest)
{
    auto* box = new QSpinBox;
    box->setRange(1, largest);
    box->setKeyboardTracking(false);
    box->setGroupSeparatorShown(true);
    box->setLocale(QLocale::c());
    addRow(where, name, box);
    return box;
}

void PlanForm::buildModel()
{
    addHeading(QStringLiteral("Model"));
    m_model = new QComboBox;
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_model->setMinimumContentsLength(10);
    addRow(QStringLiteral("model"), QStringLiteral("Model"), m_model);
    m_modelSummary = new QLabel;
    m_modelSummary->setProperty("role", "hint");
    m_modelSummary->setWordWrap(true);
    m_layout->addWidget(m_modelSummary);
    connect(m_model, &QComboBox::activated, this, &PlanForm::chooseModel);
}

void PlanForm::buildData()
{
    m_dataTitle = addHeading(QStringLiteral("Data"));
    m_dataKind = new QComboBox;
    m_dataKind->addItem(QStringLiteral("text file"), int(DataKind::Text));
    m_dataKind->addItem(QStringLiteral("synthetic"), int(DataKind::Synthetic));
    m_dataKind->setToolTip(QStringLiteral("A text file is read as bytes. The synthetic source is "
                                          "random, and its best reachable loss is "
                                          "known and drawn in the loss chart."));
    addRow(QStringLiteral("data"), QStringLiteral("Source"), m_dataKind);
    m_file = new QLineEdit;
    m_file->setPlaceholderText(QStringLiteral("path of a text file"));
    const Theme& theme = themeOf(palette());
    m_browse = m_file->addAction(iconOf(QStringLiteral("folder"), theme.muted, theme.faint),
                                 QLineEdit::TrailingPosition);
    m_browse->setText(QStringLiteral("Choose a text file"));
    m_browse->setToolTip(m_browse->text());
    m_fileRow = addRow(QStringLiteral("data.path"), QStringLiteral("File"), m_file);
    connect(m_dataKind, &QComboBox::activated, this, &PlanForm::chooseDataKind);
    connect(m_browse, &QAction::triggered, this, &PlanForm::chooseTextFile);
    connect(m_file, &QLineEdit::editingFinished, this, [this] { takeTextFile(m_file->text()); });
}

void PlanForm::buildBatch()
{
    addHeading(QStringLiteral("Batch"));
    m_globalBatch = addNumber(QStringLiteral("training.globalBatch"),
                              QStringLiteral("Global batch"), largestCount);
    m_microbatch = addNumber(QStringLiteral("training.microbatch"), QStringLiteral("Microbatch"),
                             largestCount);
    m_sequence =
        addNumber(QStringLiteral("training.sequence"), QStringLiteral("Sequence"), largestCount);
    m_globalBatch->setToolTip(QStringLiteral("Sequences of one step, over all replicas"));
    m_microbatch->setToolTip(QStringLiteral("Sequences that pass through the pipeline together"));
    m_sequence->setToolTip(QStringLiteral("Tokens of one sequence"));
    const auto change = [this](int BatchShape::*field, const QString& text) {
        return [this, field, text](int value) {
            BatchShape batch = m_document.plan().training.batch;
            batch.*field = value;
            m_document.apply(std::make_unique<SetBatch>(m_document, batch, text));
        };
    };
    connect(m_globalBatch, &QSpinBox::valueChanged, this,
            change(&BatchShape::globalBatch, QStringLiteral("global batch")));
    connect(m_microbatch, &QSpinBox::valueChanged, this,
            change(&BatchShape::microbatch, QStringLiteral("microbatch")));
    connect(m_sequence, &QSpinBox::valueChanged, this,
            change(&BatchShape::sequence, QStringLiteral("sequence length")));
}

void PlanForm::buildSchedule()
{
    addHeading(QStringLiteral("Pipeline"));
    m_schedule = new QComboBox;
    m_schedule->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_schedule->setMinimumContentsLength(10);
    for (const ScheduleInfo& info : schedules()) {
        const bool fromFile = info.name == "custom";
        m_schedule->addItem(fromFile ? QStringLiteral("Open a CSV…") : toQString(info.title),
                            toQString(info.name));
        m_schedule->setItemData(
            m_schedule->count() - 1,
            QStringLiteral("%1\n%2").arg(toQString(info.summary), toQString(info.source)),
            Qt::ToolTipRole);
    }
    addRow(QStringLiteral("training.schedule"), QStringLiteral("Schedule"), m_schedule);
    m_virtualStages =
        addNumber(QStringLiteral("layout.virtualStages"), QStringLiteral("Chunks"), 64);
    m_virtualStages->setToolTip(
        QStringLiteral("Pieces of the model that every stage holds (virtual stages)"));
    connect(m_schedule, &QComboBox::activated, this, &PlanForm::chooseSchedule);
    connect(m_virtualStages, &QSpinBox::valueChanged, this, [this](int value) {
        m_document.apply(std::make_unique<SetVirtualStages>(m_document, value));
    });
}

void PlanForm::buildTraining()
{
    m_trainingTitle = addHeading(QStringLiteral("Training"));
    m_steps = addNumber(QStringLiteral("training.steps"), QStringLiteral("Steps"), largestCount);
    m_learningRate = new QLineEdit;
    auto* positive = new QDoubleValidator(0, 1000, 12, m_learningRate);
    positive->setLocale(QLocale::c());
    m_learningRate->setValidator(positive);
    addRow(QStringLiteral("training.learningRate"), QStringLiteral("Learning rate"),
           m_learningRate);
    m_seed = addNumber(QStringLiteral("training.seed"), QStringLiteral("Seed"), 2'000'000'000);
    m_seed->setRange(0, 2'000'000'000);
    m_seed->setGroupSeparatorShown(false);
    m_label = new QLineEdit;
    m_label->setPlaceholderText(QStringLiteral("name in the history"));
    addRow(QStringLiteral("label"), QStringLiteral("Label"), m_label);

    connect(m_steps, &QSpinBox::valueChanged, this, [this](int value) {
        TrainingPlan training = m_document.plan().training;
        training.steps = value;
        m_document.apply(
            std::make_unique<SetTraining>(m_document, training, QStringLiteral("steps")));
    });
    connect(m_learningRate, &QLineEdit::editingFinished, this, [this] {
        TrainingPlan training = m_document.plan().training;
        training.learningRate = QLocale::c().toDouble(m_learningRate->text());
        m_document.apply(
            std::make_unique<SetTraining>(m_document, training, QStringLiteral("learning rate")));
    });
    connect(m_seed, &QSpinBox::valueChanged, this, [this](int value) {
        TrainingPlan training = m_document.plan().training;
        training.seed = std::uint64_t(value);
        m_document.apply(
            std::make_unique<SetTraining>(m_document, training, QStringLiteral("seed")));
    });
    connect(m_label, &QLineEdit::editingFinished, this, [this] {
        m_document.apply(
            std::make_unique<SetLabel>(m_document, m_label->text().trimmed().toStdString()));
    });
}

void PlanForm::refreshModel()
{
    const DrawnPlan& plan = m_document.drawn();
    const QString shown = toQString(plan.trainable ? plan.run.model.name : plan.shape.name);
    // Rebuilt only for a model of one's own: a combo of forty entries costs as much as a frame.
    if (m_model->currentText() != shown || m_model->count() == 0) {
        m_model->clear();
        for (const std::string& name : modelPresets())
            m_model->addItem(toQString(name), toQString(name));
        m_model->insertSeparator(m_model->count());
        for (const ShapePreset& preset : shapePresets()) {
            m_model->addItem(toQString(preset.name), toQString(preset.name));
            m_model->setItemData(m_model->count() - 1,
                                 QStringLiteral("%1: predicted, not trained\n%2")
                                     .arg(toQString(preset.title), toQString(preset.source)),
                                 Qt::ToolTipRole);
        }
        if (m_model->findText(shown) < 0)
            m_model->addItem(shown, QString());
        m_model->insertSeparator(m_model->count());
        m_model->addItem(QStringLiteral("Open config.json…"), QStringLiteral("open"));
        m_model->setCurrentIndex(m_model->findText(shown));
    }
    m_modelSummary->setText(summaryOf(plan));
}

/// Data and training are of runs on this machine.
void PlanForm::refreshRunRows()
{
    const DrawnPlan& plan = m_document.drawn();
    const bool runs = plan.cluster.thisMachine && plan.trainable;
    m_dataTitle->setVisible(runs);
    m_trainingTitle->setVisible(runs);
    for (const char* where : {"data", "training.steps", "training.learningRate", "training.seed"})
        m_rows.value(QLatin1String(where))->setVisible(runs);
    m_fileRow->setVisible(runs && plan.run.data.kind == DataKind::Text);
}

void PlanForm::refresh()
{
    const RunPlan& plan = m_document.plan();
    refreshModel();
    m_dataKind->setCurrentIndex(m_dataKind->findData(int(plan.data.kind)));
    refreshRunRows();
    m_file->setText(toQString(plan.data.path));
    m_file->setToolTip(toQString(plan.data.path));
    const auto put = [](QSpinBox* box, std::int64_t value) {
        const QSignalBlocker quiet(box);
        box->setValue(int(std::min<std::int64_t>(value, box->maximum())));
    };
    const BatchShape& batch = plan.training.batch;
    put(m_globalBatch, batch.globalBatch);
    put(m_microbatch, batch.microbatch);
    put(m_sequence, batch.sequence);
    put(m_steps, plan.training.steps);
    put(m_seed, std::int64_t(plan.training.seed));
    m_globalBatch->setSingleStep(std::max(1, plan.layout.dp * batch.microbatch));
    m_schedule->setCurrentIndex(m_schedule->findData(toQString(plan.training.schedule)));
    m_schedule->setToolTip(m_schedule->currentData(Qt::ToolTipRole).toString());
    refreshChunks();
    m_learningRate->setText(QLocale::c().toString(plan.training.learningRate, 'g', 6));
    m_label->setText(toQString(plan.label));
    refreshProblems();
}

void PlanForm::refreshChunks()
{
    const RunPlan& plan = m_document.plan();
    int least = 1;
    int most = 1;
    for (const ScheduleInfo& info : schedules())
        if (info.name == plan.training.schedule) {
            least = info.minimumVirtual;
            most = info.maximumVirtual;
        }
    const int now = plan.layout.virtualStages;
    const QSignalBlocker quiet(m_virtualStages);
    m_virtualStages->setRange(std::min(least, now), std::max(std::min(most, 64), now));
    m_virtualStages->setValue(now);
    m_rows.value(QStringLiteral("layout.virtualStages"))->setVisible(most > 1 || now > 1);
    m_virtualStages->setEnabled(least < most || now != least);
}

void PlanForm::refreshProblems()
{
    QHash<QString, QString> problems;
    for (const Diagnostic& finding : m_document.diagnostics()) {
        const QString where = toQString(finding.where);
        if (finding.severity == Severity::Error && !problems.contains(where))
            problems.insert(where, toQString(finding.mend.empty() ? finding.what : finding.mend));
    }
    for (auto row = m_rows.constBegin(); row != m_rows.constEnd(); ++row)
        row.value()->setProblem(problems.value(row.key()));
}

QString PlanForm::problemOf(const QString& where) const
{
    const auto row = m_rows.constFind(where);
    return row == m_rows.constEnd() ? QString() : (*row)->problem();
}

void PlanForm::chooseModel(int index)
{
    const QString name = m_model->itemData(index).toString();
    if (name == QLatin1String("open")) {
        openModel();
        return;
    }
    if (name.isEmpty())
        return;
    for (const ShapePreset& preset : shapePresets())
        if (preset.name == name.toStdString()) {
            m_document.apply(std::make_unique<SetShape>(m_document, preset.shape));
            return;
        }
    m_document.apply(std::make_unique<SetModel>(m_document, modelPreset(name.toStdString())));
}

void PlanForm::openModel()
{
    m_model->setCurrentIndex(-1);
    refreshModel();
    const QString path = QFileDialog::getOpenFileName(
        window(), QStringLiteral("Open a model configuration"), QDir::homePath(),
        QStringLiteral("Hugging Face configuration (config.json *.json)"));
    if (!path.isEmpty())
        takeModelFile(path);
}

void PlanForm::takeModelFile(const QString& path)
{
    m_background.post(this, [this, path]() -> Background::Delivery {
        try {
            const ModelSpec model = readModel(path.toStdString());
            return
                [this, model] { m_document.apply(std::make_unique<SetModel>(m_document, model)); };
        } catch (const Error&) {
            return takeShapeFile(path);
        }
    });
}

/// What cannot be trained here may still be priced.
std::function<void()> PlanForm::takeShapeFile(const QString& path)
{
    try {
        const ModelShape shape = findModelShape(path.toStdString());
        return [this, shape] { m_document.apply(std::make_unique<SetShape>(m_document, shape)); };
    } catch (const Error& error) {
        const QString title = toQString(error.tried());
        const QString detail = toQString(error.object() + ". " + error.remedy());
        return [this, title, detail] { emit failed(title, detail); };
    }
}

void PlanForm::chooseSchedule(int index)
{
    const std::string name = m_schedule->itemData(index).toString().toStdString();
    if (name == "auto") {
        searchOrder();
        return;
    }
    if (name != "custom") {
        m_document.apply(std::make_unique<SetSchedule>(m_document, name));
        return;
    }
    refresh(); // back to what the plan has until a file is chosen
    const QString path =
        QFileDialog::getOpenFileName(window(), QStringLiteral("Open a schedule"), QDir::homePath(),
                                     QStringLiteral("Schedules, one row a stage (*.csv)"));
    if (!path.isEmpty())
        takeScheduleFile(path);
}

void PlanForm::searchOrder()
{
    refresh(); // back to what the plan has until an order is found
    if (!m_document.canRun())
        return;
    m_background.post(this, [this, before = m_document.plan()]() -> Background::Delivery {
        try {
            RunPlan plan = before;
            triaxis::chooseSchedule(plan);
            return [this, plan, before] {
                if (!samePlan(m_document.plan(), before))
                    return; // edited meanwhile: the order would not fit
                m_document.apply(std::make_unique<SetSchedule>(
                    m_document, "auto", plan.training.scheduleCsv, plan.layout.virtualStages));
            };
        } catch (const Error& error) {
            const QString title = toQString(error.tried());
            const QString detail = toQString(error.object() + ". " + error.remedy());
            return [this, title, detail] { emit failed(title, detail); };
        }
    });
}

void PlanForm::takeScheduleFile(const QString& path)
{
    m_background.post(this, [this, path]() -> Background::Delivery {
        try {
            const std::string csv =
                readFile(path.toStdString(), 16 << 20, "cannot read the schedule");
            const ComputeProgram program = programFromCsv(csv);
            const int chunks = program.chunks / program.replicas;
            return [this, csv, chunks] {
                m_document.apply(std::make_unique<SetSchedule>(m_document, "custom", csv, chunks));
            };
        } catch (const Error& error) {
            const QString title = toQString(error.tried());
            const QString detail = toQString(error.object() + ". " + error.remedy());
            return [this, title, detail] { emit failed(title, detail); };
        }
    });
}

void PlanForm::chooseDataKind(int index)
{
    DataPlan data = m_document.plan().data;
    data.kind = DataKind(m_dataKind->itemData(index).toInt());
    data.sha256.clear();
    data.bestLoss = -1;
    if (data.kind == DataKind::Synthetic)
        data.path.clear();
    m_document.apply(std::make_unique<SetData>(m_document, data));
}

void PlanForm::chooseTextFile()
{
    const QString now = toQString(m_document.plan().data.path);
    const QString path = QFileDialog::getOpenFileName(
        window(), QStringLiteral("Choose a text file"),
        now.isEmpty() ? QDir::homePath() : QFileInfo(now).absolutePath());
    if (!path.isEmpty())
        takeTextFile(path);
}

void PlanForm::takeTextFile(const QString& path)
{
    DataPlan data = m_document.plan().data;
    const QString trimmed = path.trimmed();
    data.path =
        trimmed.isEmpty() ? std::string() : QFileInfo(trimmed).absoluteFilePath().toStdString();
    data.sha256.clear();
    data.bestLoss = -1;
    m_document.apply(std::make_unique<SetData>(m_document, data));
}

void PlanForm::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || m_browse == nullptr)
        return;
    const Theme& theme = themeOf(palette());
    m_browse->setIcon(iconOf(QStringLiteral("folder"), theme.muted, theme.faint));
}

} // namespace triaxis::ui
