#pragma once

#include "ui/base/background.h"
#include "ui/models/history_service.h"
#include "ui/plan/plan_document.h"
#include "ui/run/beside_question.h"
#include "ui/run/run_starter.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <vector>

class QMenuBar;
class QStackedWidget;

namespace triaxis::ui
{

class HistoryPage;
class NavigationRail;
class PlanAutosave;
class PlanPage;
class RunPage;
class SettingsPopup;
class SweepDialog;
class ThemeController;
class Tour;

/// The one window: a rail of pages and the page that is shown.
class MainWindow : public QWidget
{
    Q_OBJECT
public:
    enum class Page { Plan, Run, History };

    struct Options
    {
        RunPlan plan;               ///< what the Plan page begins with
        std::filesystem::path home; ///< where runs and history lie
        QString version;
        QString planFile{};  ///< opened instead, if given: .triaxis or run.json
        bool restore = true; ///< else what a window that was killed has left behind
    };
    MainWindow(const Options& options, ThemeController& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    void showPage(Page page);
    Page page() const;
    /// Brings the history up to date and opens a run that goes on, if there is one; `goThere`: also
    /// turns to it.
    void begin(bool goThere = true);
    /// Opens a run directory on the Run page.
    void openRun(const QString& directory, int starter = 0);
    /// Starts the plan that is drawn and goes to the Run page; asks first where a run goes on.
    void startRun();
    void showTour();
    /// Shows the tour to somebody who has not seen it.
    void offerTour();
    /// Instead of the question that is put to a person.
    void setAsk(std::function<BesideAnswer(const QString& name)> ask) { m_ask = std::move(ask); }

    PlanPage* planPage() const { return m_plan; }
    RunPage* runPage() const { return m_run; }
    HistoryPage* historyPage() const { return m_history; }
    PlanDocument& document() { return m_document; }

protected:
    void paintEvent(QPaintEvent*) override;
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildMenus();
    void connectPages();
    void showSettings();
    void showKeys();
    void showGlossary();
    void showSweep();
    void exportPage();
    void lookForActiveRun(bool goThere);
    using Directories = std::vector<std::filesystem::path>;
    void startBeside(const Directories& active);
    void watchOthers();
    void lookForOthers();
    void takeOthers(const Directories& active);
    void openOthers();
    void noteRunChange();
    void refreshActive();
    void noteFileChange();

    ThemeController& m_theme;
    Background m_background;
    HistoryService m_service;
    PlanDocument m_document;
    RunStarter m_starter;
    std::filesystem::path m_home;
    QMenuBar* m_menuBar;
    NavigationRail* m_rail;
    QStackedWidget* m_pages;
    PlanPage* m_plan;
    PlanAutosave* m_autosave = nullptr;
    RunPage* m_run;
    HistoryPage* m_history;
    SettingsPopup* m_settings;
    QPointer<SweepDialog> m_sweep;
    QPointer<Tour> m_tour;
    bool m_wasActive = false;
    std::function<BesideAnswer(const QString& name)> m_ask;
    QTimer m_lookout; ///< for runs that go on
    bool m_looking = false;
    Directories m_others; ///< runs that go on and are not on the Run page, the newest first
};

} // namespace triaxis::ui
