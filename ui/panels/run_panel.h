#pragma once

#include "ui/run/shown_steps.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace triaxis::ui
{

/// One page at the side of a run: what it is told of on top, then its content, which scrolls where
/// there is too little room. Pages read the run when they are shown; what comes in meanwhile is
/// taken once they are.
class RunPanel : public QWidget
{
    Q_OBJECT
public:
    RunPanel(const QString& name, const QString& title, QWidget* parent = nullptr);

    const QString& title() const { return m_title; }
    /// The title, shortened where its tab has little room.
    virtual QString tabText() const { return m_title; }
    /// The run that is shown; null for none. It stays the owner's.
    virtual void setRun(const RunData* run);
    const RunData* run() const { return m_run; }
    /// The steps that the shared range shows.
    void setSteps(const ShownSteps& steps);
    const ShownSteps& steps() const { return m_steps; }
    /// The run has new records.
    void runGrown();

signals:
    /// All steps are to be shown.
    void wholeRunRequested();

protected:
    /// Reads the run anew; only while visible.
    virtual void refresh() = 0;
    void markStale();
    void setBasis(const QString& text);
    void addControl(QWidget* control);
    /// A button that shows the whole run, while less of it is shown.
    void addWholeRun();
    /// Below the controls, in the part that scrolls.
    QVBoxLayout* content() { return m_content; }
    /// A line with a triangle that shows and hides `explanation` (rich text).
    void addFoldout(const QString& title, const QString& explanation);
    void showEvent(QShowEvent* event) override;

private:
    void refreshWholeRun();

    QString m_title;
    const RunData* m_run = nullptr;
    ShownSteps m_steps;
    bool m_stale = true;
    QLabel* m_basis;
    QHBoxLayout* m_controls;
    QPushButton* m_wholeRun = nullptr;
    QScrollArea* m_scroll;
    QVBoxLayout* m_content;
};

/// The name of a part of a page.
QLabel* sectionTitle(const QString& text);
/// Takes the room beside and below, with a hint in its middle.
QLabel* emptyHint();

} // namespace triaxis::ui
