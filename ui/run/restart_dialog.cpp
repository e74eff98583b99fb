#include "ui/run/restart_dialog.h"

#include "ui/base/language.h"
#include "ui/base/text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int mostSequences = 1'000'000;

QSpinBox* spinBox(const QString& name, int value)
{
    auto* box = new QSpinBox;
    box->setObjectName(name);
    box->setRange(1, mostSequences);
    box->setValue(value);
    return box;
}

} // namespace

RestartDialog::RestartDialog(RunPlan plan, bool active, QWidget* parent)
    : QDialog(parent), m_plan(std::move(plan)), m_schedule(new QComboBox),
      m_microbatch(spinBox(QStringLiteral("restartMicrobatch"), m_plan.training.batch.microbatch)),
      m_globalBatch(spinBox(QStringLiteral("restartBatch"), m_plan.training.batch.globalBatch)),
      m_steps(spinBox(QStringLiteral("restartSteps"),
                      int(std::min<std::int64_t>(m_plan.training.steps, mostSequences)))),
      m_problem(new QLabel), m_restart(new QPushButton(tr("Restart now")))
{
    setObjectName(QStringLiteral("restartDialog"));
    setWindowTitle(tr("Restart with a change"));
    auto* intro =
        new QLabel(active ? tr("The run is stopped after its step and kept in the history; "
                               "a new run begins with these settings.")
                          : tr("A new run begins with these settings; this one stays in "
                               "the history."));
    intro->setProperty("role", "muted");
    intro->setWordWrap(true);
    m_schedule->setObjectName(QStringLiteral("restartSchedule"));
    for (const std::string& name : scheduleNames())
        m_schedule->addItem(spoken(scheduleTitle(name)), toQString(name));
    int at = m_schedule->findData(toQString(m_plan.training.schedule));
    if (at < 0) { // an order of its own, written down in the plan
        m_schedule->addItem(spoken(scheduleTitle(m_plan.training.schedule)),
                            toQString(m_plan.training.schedule));
        at = m_schedule->count() - 1;
    }
    m_schedule->setCurrentIndex(at);
    m_problem->setProperty("role", "problem");
    m_problem->setObjectName(QStringLiteral("restartProblem"));
    m_problem->setWordWrap(true);
    auto* form = new QFormLayout;
    form->addRow(tr("&Schedule"), m_schedule);
    form->addRow(tr("&Microbatch, sequences"), m_microbatch);
    form->addRow(tr("&Global batch, sequences"), m_globalBatch);
    form->addRow(tr("S&teps"), m_steps);
    auto* buttons = new QDialogButtonBox;
    m_restart->setObjectName(QStringLiteral("restartNow"));
    m_restart->setProperty("look", "primary");
    m_restart->setDefault(true);
    auto* plan_ = new QPushButton(tr("Open in Plan"));
    plan_->setObjectName(QStringLiteral("restartInPlan"));
    plan_->setToolTip(tr("Draw the layout of this run anew; nothing is started"));
    buttons->addButton(m_restart, QDialogButtonBox::AcceptRole);
    buttons->addButton(plan_, QDialogButtonBox::ActionRole);
    buttons->addButton(QDialogButtonBox::Cancel);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 16, 18, 14);
    layout->setSpacing(12);
    layout->addWidget(intro);
    layout->addLayout(form);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    setMinimumWidth(420);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        m_choice = Choice::Restart;
        accept();
    });
    connect(plan_, &QPushButton::clicked, this, [this] {
        m_choice = Choice::OpenInPlan;
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_schedule, &QComboBox::currentIndexChanged, this, &RestartDialog::check);
    for (QSpinBox* box : {m_microbatch, m_globalBatch, m_steps})
        connect(box, &QSpinBox::valueChanged, this, &RestartDialog::check);
    check();
}

RunPlan RestartDialog::plan() const
{
    RunPlan plan = m_plan;
    const std::string schedule = m_schedule->currentData().toString().toStdString();
    if (schedule != plan.training.schedule)
        plan.training.scheduleCsv.clear();
    plan.training.schedule = schedule;
    plan.training.batch.microbatch = m_microbatch->value();
    plan.training.batch.globalBatch = m_globalBatch->value();
    if (m_steps->value() != mostSequences)
        plan.training.steps = m_steps->value();
    return plan;
}

void RestartDialog::check()
{
    QString problem;
    for (const Diagnostic& finding : checkPlan(plan()))
        if (finding.severity == Severity::Error && problem.isEmpty()) {
            problem = spoken(finding.what);
            if (!finding.mend.empty())
                problem += QStringLiteral(": ") + spoken(finding.mend);
        }
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_restart->setEnabled(problem.isEmpty());
}

} // namespace triaxis::ui
