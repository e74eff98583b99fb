#include "ui/plan/execution_form.h"

#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/commands/change_plan.h"
#include "ui/plan/form_row.h"
#include "ui/plan/plan_document.h"

#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

#include <cmath>
#include <memory>

namespace triaxis::ui
{
namespace
{

/// "btl=tcp,self map-by=node": settings are apart by spaces.
QString optionsText(const std::vector<std::string>& options)
{
    QStringList words;
    for (const std::string& option : options)
        words << toQString(option);
    return words.join(QLatin1Char(' '));
}

std::vector<std::string> optionsIn(const QString& text)
{
    std::vector<std::string> options;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        options.push_back(word.toStdString());
    return options;
}

} // namespace

ExecutionForm::ExecutionForm(PlanDocument& document, QWidget* parent)
    : FormSection(tr("Execution"), parent), m_document(document)
{
    setObjectName(QStringLiteral("executionForm"));
    buildNumbers();
    buildTexts();
    makeCollapsible();
    connect(&m_document, &PlanDocument::changed, this, &ExecutionForm::refresh);
    refresh();
}

void ExecutionForm::buildNumbers()
{
    constexpr int mostSeconds = 1'000'000;
    m_threads = addNumber(QStringLiteral("execution.threadsPerRank"), tr("Threads a rank"), 0,
                          maximumThreads);
    m_threads->setSpecialValueText(tr("shared out"));
    m_threads->setToolTip(tr("0: the cores are shared out among the ranks"));
    m_hang = addNumber(QStringLiteral("execution.hangSeconds"), tr("Hang limit"), 1, mostSeconds);
    m_hang->setSuffix(tr(" s"));
    m_hang->setToolTip(tr("A run in which nothing moves for so long is ended"));
    m_every = addNumber(QStringLiteral("execution.everyStep"), tr("Spans kept"), 1, mostSeconds);
    m_every->setPrefix(tr("every "));
    m_every->setToolTip(tr("The first and last steps are kept whole, and every so "
                           "manyth between"));
    connect(m_threads, &QSpinBox::valueChanged, this, [this](int value) {
        change(tr("threads a rank"),
               [value](RunPlan& plan) { plan.execution.threadsPerRank = value; });
    });
    connect(m_hang, &QSpinBox::valueChanged, this, [this](int value) {
        change(tr("hang limit"), [value](RunPlan& plan) { plan.execution.hangSeconds = value; });
    });
    connect(m_every, &QSpinBox::valueChanged, this, [this](int value) {
        change(tr("spans kept"), [value](RunPlan& plan) { plan.execution.everyStep = value; });
    });
}

void ExecutionForm::buildTexts()
{
    const auto add = [this](const char* where, const char* name, const char* hint,
                            std::function<void(RunPlan&, const QString&)> put) {
        auto* field = new QLineEdit;
        field->setPlaceholderText(Words::tr(hint));
        const QString text = Words::tr(name);
        addRow(QLatin1String(where), text, field);
        connect(field, &QLineEdit::editingFinished, this, [this, field, text, put] {
            change(text.toLower(), [&](RunPlan& plan) { put(plan, field->text().trimmed()); });
        });
        return field;
    };
    m_hostfile = add(
        "execution.hostfile", QT_TRANSLATE_NOOP("Words", "Hostfile"),
        QT_TRANSLATE_NOOP("Words", "this machine only"),
        [](RunPlan& plan, const QString& text) { plan.execution.hostfile = text.toStdString(); });
    m_options =
        add("execution.mcaOptions", QT_TRANSLATE_NOOP("Words", "Open MPI"),
            QT_TRANSLATE_NOOP("Words", "name=value …"), [](RunPlan& plan, const QString& text) {
                plan.execution.mcaOptions = optionsIn(text);
            });
    m_weights = add("weights", QT_TRANSLATE_NOOP("Words", "Weights"),
                    QT_TRANSLATE_NOOP("Words", "random, from the seed"),
                    [](RunPlan& plan, const QString& text) { plan.weights = text.toStdString(); });
    m_pace = new QLabel;
    m_pace->setWordWrap(true);
    addRow(QStringLiteral("execution.pace"), tr("Pace"), m_pace);
}

void ExecutionForm::change(const QString& text, const std::function<void(RunPlan&)>& edit)
{
    RunPlan plan = m_document.plan();
    edit(plan);
    m_document.apply(
        std::make_unique<ChangePlan>(m_document, withRun(m_document.drawn(), plan), text));
}

void ExecutionForm::refresh()
{
    const DrawnPlan& drawn = m_document.drawn();
    const ExecutionPlan& execution = drawn.run.execution;
    setWanted(drawn.cluster.thisMachine && drawn.trainable);
    putQuietly(m_threads, execution.threadsPerRank);
    putQuietly(m_hang, std::isfinite(execution.hangSeconds)
                           ? std::int64_t(std::llround(execution.hangSeconds))
                           : 0);
    putQuietly(m_every, execution.everyStep);
    m_hostfile->setText(toQString(execution.hostfile));
    m_options->setText(optionsText(execution.mcaOptions));
    m_weights->setText(toQString(drawn.run.weights));
    m_pace->setText(execution.pace.active() ? tr("slots of the plan's file")
                                            : tr("as fast as the machine goes"));
    showRow(QStringLiteral("execution.pace"), execution.pace.active());
}

} // namespace triaxis::ui
