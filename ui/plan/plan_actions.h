#pragma once

#include <QList>
#include <QObject>

class QAction;

namespace triaxis::ui
{

class PlanDocument;

/// What can be done with the plan besides drawing it, as actions for menus, buttons and keys. They
/// wait while another page is shown; so do those that the plan as it is does not allow.
class PlanActions : public QObject
{
    Q_OBJECT
public:
    PlanActions(PlanDocument& document, QObject* parent);

    QAction* undo() const { return m_undo; }
    QAction* redo() const { return m_redo; }
    QAction* run() const { return m_run; }
    QAction* find() const { return m_find; }
    QAction* whatIf() const { return m_whatIf; }
    QAction* findMachine() const { return m_findMachine; }
    QAction* measure() const { return m_measure; }
    /// While this machine is measured the action stops that.
    void setMeasuring(bool measuring);
    bool isMeasuring() const { return m_isMeasuring; }
    /// Which of the two pictures is shown below the floor; one of them is checked.
    QAction* step() const { return m_step; }
    QAction* schedule() const { return m_schedule; }
    QList<QAction*> all() const;

    /// The page is on screen.
    void setShown(bool shown);
    /// A run is being made.
    void setStarting(bool starting);
    bool isStarting() const { return m_starting; }

private:
    void refresh();
    void refreshRun();
    QAction* add(const char* id);

    PlanDocument& m_document;
    QAction* m_undo;
    QAction* m_redo;
    QAction* m_run;
    QAction* m_find;
    QAction* m_whatIf;
    QAction* m_findMachine;
    QAction* m_measure;
    QAction* m_step;
    QAction* m_schedule;
    bool m_shown = false;
    bool m_starting = false;
    bool m_isMeasuring = false;
};

} // namespace triaxis::ui
