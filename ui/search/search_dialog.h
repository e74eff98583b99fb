#pragma once

#include "engine/plan/drawn_plan.h"
#include "engine/search/plan_search.h"

#include <QDialog>

#include <memory>
#include <thread>

class QBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTableView;

namespace triaxis::ui
{

class Panel;
class SearchChart;
class SearchModel;

/// Looks for the best layout of the drawn job on a worker, and shows what it found: a table, step
/// time against memory, and why all others were rejected. A layout is taken over at once; the
/// dialog says so and takes it back when asked.
class SearchDialog : public QDialog
{
    Q_OBJECT
public:
    explicit SearchDialog(const DrawnPlan& plan, QWidget* parent = nullptr);
    ~SearchDialog() override;

    void start();
    void stop();
    bool isRunning() const { return m_running; }
    SearchModel* model() const { return m_model; }
    /// The layout that is drawn now. `canUndo`: it was taken from here and can be taken back.
    void setDrawn(const ParallelPlan& plan, bool canUndo);

signals:
    void applyRequested(const triaxis::ParallelPlan& plan);
    void undoRequested();
    void finished();

private:
    struct Outcome;
    QWidget* buildHead();
    QWidget* buildResults();
    QWidget* buildTable();
    QWidget* buildBelow();
    QBoxLayout* buildFoot();
    void showProgress(double share, std::int64_t layouts);
    void showWaiting(const QString& text);
    void take(const Outcome& outcome);
    void showRows(const Outcome& outcome);
    void apply(int row);
    void undo();
    void refreshFoot();
    QString rejectedText(const SearchResult& result) const;

    TrainingJob m_job;
    ParallelPlan m_drawn;
    SearchModel* m_model;
    SearchChart* m_chart;
    Panel* m_chartPanel = nullptr;
    QTableView* m_table = nullptr;
    QStackedWidget* m_layouts = nullptr; ///< what goes on, or the table
    QStackedWidget* m_picture = nullptr; ///< likewise the chart
    QLabel* m_rejected = nullptr;
    QLabel* m_counted = nullptr;
    QLabel* m_taken = nullptr;
    QSpinBox* m_keep = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_start = nullptr;
    QPushButton* m_undo = nullptr;
    QPushButton* m_apply = nullptr;
    bool m_running = false;
    std::jthread m_thread;
};

} // namespace triaxis::ui
