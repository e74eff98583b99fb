#include "ui/plan/training_form.h"

#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/commands/set_label.h"
#include "ui/commands/set_training.h"
#include "ui/plan/plan_document.h"

#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>

#include <memory>
#include <optional>

namespace triaxis::ui
{
namespace
{

constexpr int mostSteps = 1'000'000;
constexpr int mostSeeds = 2'000'000'000;

bool runsHere(const DrawnPlan& plan)
{
    return plan.cluster.thisMachine && plan.trainable;
}

QString figureText(double value)
{
    return numberLocale().toString(value, 'g', 6);
}

/// What was typed; nothing where that is only what was shown.
std::optional<double> typed(const QLineEdit* field, double now)
{
    if (field->text() == figureText(now))
        return std::nullopt;
    return numberLocale().toDouble(field->text());
}

/// One setting of the training changed, as a command.
template <class Value>
void change(PlanDocument& document, Value TrainingPlan::*field, Value value, const QString& text)
{
    TrainingPlan training = document.plan().training;
    training.*field = value;
    document.apply(std::make_unique<SetTraining>(document, training, text));
}

} // namespace

TrainingForm::TrainingForm(PlanDocument& document, QWidget* parent)
    : FormSection(tr("Training"), parent), m_document(document), m_label(new QLineEdit)
{
    setObjectName(QStringLiteral("trainingForm"));
    m_steps = addNumber(QStringLiteral("training.steps"), tr("Steps"), 1, mostSteps);
    m_learningRate = addReal(QStringLiteral("training.learningRate"), tr("Learning rate"), 1000);
    m_seed = addNumber(QStringLiteral("training.seed"), tr("Seed"), 0, mostSeeds);
    m_seed->setGroupSeparatorShown(false);
    m_label->setPlaceholderText(tr("name in the history"));
    addRow(QStringLiteral("label"), tr("Label"), m_label);
    connect(m_steps, &QSpinBox::valueChanged, this, [this](int value) {
        change(m_document, &TrainingPlan::steps, std::int64_t(value), tr("steps"));
    });
    connect(m_learningRate, &QLineEdit::editingFinished, this, [this] {
        if (const auto rate = typed(m_learningRate, m_document.plan().training.learningRate))
            change(m_document, &TrainingPlan::learningRate, *rate, tr("learning rate"));
    });
    connect(m_seed, &QSpinBox::valueChanged, this, [this](int value) {
        change(m_document, &TrainingPlan::seed, std::uint64_t(value), tr("seed"));
    });
    connect(m_label, &QLineEdit::editingFinished, this, [this] {
        m_document.apply(
            std::make_unique<SetLabel>(m_document, m_label->text().trimmed().toStdString()));
    });
    connect(&m_document, &PlanDocument::changed, this, &TrainingForm::refresh);
    refresh();
}

void TrainingForm::refresh()
{
    const RunPlan& plan = m_document.plan();
    setWanted(runsHere(m_document.drawn()));
    putQuietly(m_steps, plan.training.steps);
    putQuietly(m_seed, std::int64_t(plan.training.seed));
    m_learningRate->setText(figureText(plan.training.learningRate));
    m_label->setText(toQString(plan.label));
}

OptimizerForm::OptimizerForm(PlanDocument& document, QWidget* parent)
    : FormSection(tr("Optimizer (AdamW)"), parent), m_document(document)
{
    setObjectName(QStringLiteral("optimizerForm"));
    m_warmup = addNumber(QStringLiteral("training.warmupSteps"), tr("Warm-up steps"), 0, mostSteps);
    connect(m_warmup, &QSpinBox::valueChanged, this, [this](int value) {
        change(m_document, &TrainingPlan::warmupSteps, std::int64_t(value), tr("warm-up"));
    });
    addShare("training.weightDecay", tr("Weight decay"), &TrainingPlan::weightDecay);
    addShare("training.clipNorm", tr("Clip norm"), &TrainingPlan::clipNorm);
    addShare("training.beta1", tr("Beta 1"), &TrainingPlan::beta1);
    addShare("training.beta2", tr("Beta 2"), &TrainingPlan::beta2);
    addShare("training.epsilon", tr("Epsilon"), &TrainingPlan::epsilon);
    makeCollapsible();
    connect(&m_document, &PlanDocument::changed, this, &OptimizerForm::refresh);
    refresh();
}

void OptimizerForm::addShare(const char* where, const QString& name, double TrainingPlan::*field)
{
    QLineEdit* control = addReal(QLatin1String(where), name, 1e6);
    m_figures.push_back({control, field});
    connect(control, &QLineEdit::editingFinished, this, [this, control, field, name] {
        if (const auto value = typed(control, m_document.plan().training.*field))
            change(m_document, field, *value, name.toLower());
    });
}

void OptimizerForm::refresh()
{
    const TrainingPlan& training = m_document.plan().training;
    setWanted(runsHere(m_document.drawn()));
    putQuietly(m_warmup, training.warmupSteps);
    for (const Figure& figure : m_figures)
        figure.control->setText(figureText(training.*figure.field));
}

} // namespace triaxis::ui
