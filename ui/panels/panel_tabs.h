#pragma once

#include "ui/run/shown_steps.h"
#include "ui/widgets/panel.h"

#include <vector>

class QAction;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace triaxis::ui
{

class RunPanel;

/// Pages at the side of a run, one at a time, behind tabs. The page shown can be taken out into a
/// window of its own and comes back when that is closed. Alt and a digit turn to a page wherever
/// the focus is within `shortcuts`.
class PanelTabs : public Panel
{
    Q_OBJECT
public:
    PanelTabs(std::vector<RunPanel*> pages, QWidget* shortcuts, QWidget* parent = nullptr);
    ~PanelTabs() override;

    void showPage(int index);
    int page() const;
    RunPanel* panel(int index) const { return m_pages[std::size_t(index)]; }
    /// To every page.
    void setRun(const RunData* run);
    void setSteps(const ShownSteps& steps);
    void runGrown();
    void detach();
    bool isDetached(int index) const;
    /// One for each page, and the one that detaches.
    const std::vector<QAction*>& actionsOfPages() const { return m_actions; }

signals:
    /// A page wants all steps to be shown.
    void wholeRunRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* placeOf(int index) const;
    void takeBack(int index);
    void refreshButton();

    std::vector<RunPanel*> m_pages;
    std::vector<QWidget*> m_windows; ///< beside the pages; null while it is at home
    std::vector<QAction*> m_actions;
    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    QToolButton* m_detach;
};

} // namespace triaxis::ui
