#pragma once

#include "ui/run/exporter.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace triaxis::ui
{

class Banner;
class ComparisonView;
class EmptyState;
class HistoryModel;
class HistoryService;
class PageHeader;
class RunView;

/// All stored runs, one of them opened, or several side by side.
class HistoryPage : public QWidget
{
    Q_OBJECT
public:
    explicit HistoryPage(HistoryService& service, QWidget* parent = nullptr);

    /// Shows the views of one run in place of the table.
    void openRun(const QString& directory);
    void showTable();
    /// Lays runs side by side in place of the table; the first is what the others are compared with.
    void compareRuns(const QStringList& directories);
    ComparisonView* comparison() const { return m_comparison; }
    /// Runs are laid side by side.
    bool isComparing() const;
    /// A stored run is open.
    bool isRunOpen() const;
    /// Id of the run that is open or selected; empty for none.
    QString currentId() const;
    RunView* view() const { return m_view; }
    HistoryModel* model() const { return m_model; }
    /// Called when runs may have come or changed.
    void reload();

signals:
    void planRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void follow();
    QWidget* buildTable();
    void configureTable();
    void buildHeader();
    void selectionChanged();
    void refresh();
    void openSelected();
    void showFolder();
    void exportRun(Exporter::Format format);
    void exportComparison();
    void compareSelected();
    /// In the order of the table.
    QStringList selectedDirectories() const;
    /// Of the opened run, or else the selected row; empty for none.
    QString currentDirectory() const;
    /// The opened run, or else the selected one, has begun and is not over.
    bool isCurrentGoing() const;
    void stopRun();

    HistoryService& m_service;
    HistoryModel* m_model;
    Exporter m_exporter;
    QTimer m_searchDelay;
    QTimer m_follow;          ///< while the page is shown
    bool m_following = false; ///< the index is being brought up to date
    PageHeader* m_header;
    Banner* m_banner;
    QStackedWidget* m_stack;
    QTableView* m_table;
    QLineEdit* m_search;
    EmptyState* m_empty;
    RunView* m_view;
    ComparisonView* m_comparison;
    QPushButton* m_back;
    QPushButton* m_compare;
    QPushButton* m_open;
    QPushButton* m_prediction;
    QPushButton* m_folder;
    QPushButton* m_report;
    QPushButton* m_trace;
    QPushButton* m_stop;
    QString m_stopAsked; ///< directory of the run that was asked to stop
    QString m_selectedId;
};

} // namespace triaxis::ui
