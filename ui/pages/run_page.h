#pragma once

#include "engine/record/run_plan.h"

#include <QWidget>

#include <optional>

class QAction;
class QPushButton;
class QStackedWidget;

namespace triaxis::ui
{

class EmptyState;
class PageHeader;
class RunView;

/// The run that goes on, or the last one that did, with a button to stop it.
class RunPage : public QWidget
{
    Q_OBJECT
public:
    explicit RunPage(QWidget* parent = nullptr);

    void open(const QString& directory, int starter = 0);
    /// Stops the run of this directory, which is shown, and asks for the next one when it is over.
    void replace(const QString& directory, const RunPlan& next);
    /// How many other runs go on; a button leads to them.
    void setOthers(int count);
    RunView* view() const { return m_view; }
    /// A run is shown and not over.
    bool isActive() const;

signals:
    void planRequested();
    void historyRequested();
    /// Another run of this plan; comes once the run that is shown is over.
    void restartRequested(const triaxis::RunPlan& plan);
    /// The plan of the run that is shown is to be drawn.
    void planOpened(const triaxis::RunPlan& plan);
    /// The runs that go on beside the one that is shown are wanted.
    void othersRequested();
    /// The run may have begun, gone on or ended.
    void changed();

private:
    void refresh();
    void stop();
    bool askToStop();
    void askRestart();
    /// Starts what waited for the end of the run.
    void restartIfOver();
    void buildActions();
    void showFolder();

    PageHeader* m_header;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    RunView* m_view;
    QPushButton* m_others;
    QPushButton* m_prediction;
    QPushButton* m_folder;
    QPushButton* m_restart;
    QAction* m_restartAction;
    QAction* m_stopAction;
    QPushButton* m_stop;
    bool m_stopAsked = false;
    std::optional<RunPlan> m_next; ///< to be run when this one is over
};

} // namespace triaxis::ui
