#pragma once

#include "ui/history/history_actions.h"
#include "ui/run/exporter.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <functional>

class QMenu;
class QPushButton;
class QStackedWidget;

namespace triaxis::ui
{

class Banner;
class ComparisonView;
class HistoryJobs;
class HistoryList;
class HistoryModel;
class HistoryService;
class PageHeader;
class RunEdits;
class RunView;

/// All stored runs, one of them opened, or several side by side.
class HistoryPage : public QWidget
{
    Q_OBJECT
public:
    explicit HistoryPage(HistoryService& service, QWidget* parent = nullptr);
    ~HistoryPage() override;

    /// Shows the views of one run in place of the table.
    void openRun(const QString& directory);
    void showTable();
    /// Lays runs side by side in place of the table; the first is what the others are compared
    /// with.
    void compareRuns(const QStringList& directories);
    ComparisonView* comparison() const { return m_comparison; }
    RunView* view() const { return m_view; }
    HistoryModel* model() const;
    HistoryList* list() const { return m_list; }
    RunEdits& edits() const { return *m_edits; }
    HistoryJobs& jobs() const { return *m_jobs; }
    const HistoryActions& actions() const { return *m_actions; }
    /// For the bar of menus.
    QMenu* menu() const { return m_menu; }
    /// Runs are laid side by side.
    bool isComparing() const;
    /// A stored run is open.
    bool isRunOpen() const;
    /// Id of the run that is open or selected; empty for none.
    QString currentId() const;
    /// Called when runs may have come or changed.
    void reload();
    /// Takes bundles in; the last run that comes is selected.
    void importFiles(const QStringList& files);
    /// Instead of the question that is put to a person before something is deleted for good.
    void setAsk(std::function<bool(int runs)> ask) { m_ask = std::move(ask); }

signals:
    void planRequested();
    /// Something was chosen that this page shows.
    void pageRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildHeader();
    QPushButton* addButton(HistoryActions::Command command, const char* name, const QString& text);
    void connectParts();
    void connectActions();
    void connectEdits();
    void follow();
    void refresh();
    void refreshTitle();
    void refreshButtons();
    void say(int kind, const QString& title, const QString& detail, const QString& action = {},
             std::function<void()> act = {});
    void fail(const QString& title, const QString& detail);
    void sayExported(const QString& title, const QString& detail, const QString& folder);

    void openSelected();
    void showFolder();
    void exportRun(Exporter::Format format);
    void exportComparison();
    void compareSelected();
    void stopRun();
    void toggleStar();
    void deleteSelected();
    void purge(const QStringList& ids);
    void emptyTrash();
    void exportBundle();
    void askImport();
    void askPrune();
    void edit(void (HistoryPage::*focus)());
    void focusLabel();
    void focusTags();
    void focusNote();
    void setTrash(bool trash);
    bool mayPurge(int runs) const;

    bool isTable() const { return !isRunOpen() && !isComparing(); }
    QStringList selectedIds() const;
    /// Of the opened run, or else the selected row; empty for none.
    QString currentDirectory() const;
    /// The opened run, or else the selected one, has begun and is not over.
    bool isCurrentGoing() const;

    HistoryService& m_service;
    HistoryActions* m_actions;
    RunEdits* m_edits;
    HistoryJobs* m_jobs;
    Exporter m_exporter;
    QTimer m_follow;          ///< while the page is shown
    QElapsedTimer m_asked;    ///< since the index was asked to be brought up to date
    bool m_following = false; ///< the index is being brought up to date
    PageHeader* m_header;
    Banner* m_banner;
    std::function<void()> m_bannerAct;
    QStackedWidget* m_stack;
    HistoryList* m_list;
    RunView* m_view;
    ComparisonView* m_comparison;
    QPushButton* m_back;
    QPushButton* m_prediction;
    QPushButton* m_stop = nullptr;
    QPushButton* m_report = nullptr;
    QList<QPushButton*> m_tableButtons, m_trashButtons, m_runButtons;
    QMenu* m_menu = nullptr;
    QString m_stopAsked; ///< directory of the run that was asked to stop
    std::function<bool(int runs)> m_ask;
};

} // namespace triaxis::ui
