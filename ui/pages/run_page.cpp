#include "ui/pages/run_page.h"

#include "engine/core/error.h"
#include "ui/base/text.h"
#include "ui/pages/prediction_button.h"
#include "ui/run/restart_dialog.h"
#include "ui/run/run_data.h"
#include "ui/run/run_view.h"
#include "ui/run/stop_request.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/page_header.h"
#include "ui/base/language.h"

#include <QAction>
#include <QDesktopServices>
#include <QPushButton>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

namespace triaxis::ui
{

RunPage::RunPage(QWidget* parent)
    : QWidget(parent), m_header(new PageHeader), m_stack(new QStackedWidget),
      m_empty(new EmptyState(
          QStringLiteral("run"), tr("Nothing is running"),
          tr("Draw a layout on the Plan page and press Run: its ranks train for real, "
                         "and loss, timeline, bubble and memory appear here as they are measured."))),
      m_view(new RunView), m_others(new QPushButton), m_prediction(predictionButton(*m_view)), m_folder(new QPushButton(tr("Show folder"))),
      m_restart(new QPushButton(tr("Restart…"))),
      m_stop(new QPushButton(tr("Stop")))
{
    setObjectName(QStringLiteral("runPage"));
    QPushButton* plan = m_empty->addButton(tr("Go to Plan"), true);
    plan->setObjectName(QStringLiteral("goToPlan"));
    QPushButton* history = m_empty->addButton(tr("Open a stored run"), false);
    m_folder->setObjectName(QStringLiteral("showFolder"));
    m_others->setObjectName(QStringLiteral("otherRuns"));
    m_others->setToolTip(tr("Runs that go on beside the one shown here"));
    m_others->hide();
    m_stop->setObjectName(QStringLiteral("stop"));
    m_stop->setProperty("look", "danger");
    followTextSize(this, [this] { m_stop->setMinimumWidth(scaled(84)); });
    m_stop->setToolTip(tr("Ask the ranks to end after their step; what they have "
                                      "measured is kept"));
    m_restart->setObjectName(QStringLiteral("restart"));
    for (QPushButton* button : {m_others, m_prediction, m_folder, m_restart, m_stop})
        m_header->addAction(button);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_view);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 10, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(m_header);
    layout->addWidget(m_stack, 1);
    connect(plan, &QPushButton::clicked, this, &RunPage::planRequested);
    connect(history, &QPushButton::clicked, this, &RunPage::historyRequested);
    connect(m_view, &RunView::changed, this, &RunPage::refresh);
    connect(m_others, &QPushButton::clicked, this, &RunPage::othersRequested);
    connect(m_folder, &QPushButton::clicked, this, &RunPage::showFolder);
    buildActions();
    refresh();
}

void RunPage::buildActions()
{
    const auto add = [this](const char* name, const QString& text, const QKeySequence& keys,
                            QPushButton* button, auto act) {
        auto* action = new QAction(text, this);
        action->setObjectName(QLatin1String(name));
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        QWidget::addAction(action);
        connect(action, &QAction::triggered, this, act);
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        button->setToolTip(QStringLiteral("%1 (%2)").arg(
            button->toolTip(), keys.toString(QKeySequence::NativeText)));
        return action;
    };
    m_restart->setToolTip(tr("Run this plan again with another schedule, batch or "
                                         "number of steps, or open it on the Plan page"));
    m_restartAction = add("run.restart", tr("Restart with a change…"),
                          QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), m_restart,
                          [this] { askRestart(); });
    m_stopAction = add("run.stop", tr("Stop the run after its step"),
                       QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_X), m_stop,
                       [this] { stop(); });
}

void RunPage::open(const QString& directory, int starter)
{
    m_stopAsked = false;
    m_next.reset();
    m_view->open(directory, starter);
    m_stack->setCurrentWidget(m_view);
    refresh();
}

void RunPage::setOthers(int count)
{
    m_others->setText(counted(count, QStringLiteral("other run")));
    m_others->setVisible(count > 0);
}

void RunPage::replace(const QString& directory, const RunPlan& next)
{
    if (m_view->directory() != directory)
        open(directory);
    if (!askToStop())
        return;
    m_next = next;
    refresh();
}

bool RunPage::isActive() const
{
    return m_view->run() != nullptr && !m_view->run()->isOver();
}

void RunPage::refresh()
{
    const RunData* run = m_view->run();
    const bool shown = run != nullptr;
    if (shown)
        m_header->setTitle(runTitle(*run), runProgress(*run));
    else
        m_header->setTitle(tr("Run"));
    for (QPushButton* button : {m_prediction, m_folder, m_restart})
        button->setVisible(shown);
    m_stop->setVisible(isActive());
    const bool stopping =
        m_stopAsked || (shown && run->status().state == RunState::Stopping);
    m_stop->setEnabled(!stopping);
    m_stopAction->setEnabled(isActive() && !stopping);
    m_stop->setText(stopping ? tr("Stopping…") : tr("Stop"));
    m_restart->setEnabled(!m_next);
    m_restartAction->setEnabled(shown && !m_next);
    m_restart->setText(m_next ? tr("Restarting…") : tr("Restart…"));
    emit changed();
    restartIfOver();
}

void RunPage::askRestart()
{
    const RunData* run = m_view->run();
    if (run == nullptr)
        return;
    RestartDialog dialog(run->plan(), isActive(), window());
    if (dialog.exec() != QDialog::Accepted)
        return;
    if (dialog.choice() == RestartDialog::Choice::OpenInPlan) {
        emit planOpened(dialog.plan());
        return;
    }
    m_next = dialog.plan();
    if (isActive() && !m_stopAsked)
        stop();
    refresh();
}

void RunPage::restartIfOver()
{
    if (!m_next || m_view->run() == nullptr || isActive())
        return;
    const RunPlan plan = *m_next;
    m_next.reset();
    m_restart->setEnabled(true);
    m_restartAction->setEnabled(true);
    m_restart->setText(tr("Restart…"));
    emit restartRequested(plan);
}

void RunPage::stop()
{
    if (m_view->run() != nullptr && askToStop())
        refresh();
}

bool RunPage::askToStop()
{
    try {
        requestStop(m_view->directory().toStdString());
    } catch (const Error& error) {
        m_view->showProblem(tr("The run cannot be stopped"),
                            spoken(error.object() + ". " + error.remedy()));
        return false;
    }
    m_stopAsked = true;
    return true;
}

void RunPage::showFolder()
{
    QDesktopServices::openUrl(QUrl::fromLocalFile(m_view->directory()));
}

} // namespace triaxis::ui
