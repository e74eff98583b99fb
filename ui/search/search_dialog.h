#pragma once

#include "engine/plan/drawn_plan.h"
#include "engine/search/plan_search.h"

#include <QDialog>

#include <memory>
#include <thread>

class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTableView;

namespace triaxis::ui
{

class SearchChart;
class SearchModel;
struct SearchRow;

/// Looks for the best layout of the drawn job on a worker, and shows what it found: a table, step
/// time against memory, and why all others were rejected.
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

signals:
    void applyRequested(const triaxis::ParallelPlan& plan);
    void finished();

private:
    struct Outcome;
    QWidget* buildHead();
    QWidget* buildResults();
    void showProgress(double share, std::int64_t layouts);
    void take(const Outcome& outcome);
    void apply(int row);
    QString rejectedText(const SearchResult& result) const;

    DrawnPlan m_plan;
    TrainingJob m_job;
    SearchModel* m_model;
    SearchChart* m_chart;
    QTableView* m_table = nullptr;
    QLabel* m_about = nullptr;
    QLabel* m_rejected = nullptr;
    QSpinBox* m_keep = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_start = nullptr;
    QPushButton* m_apply = nullptr;
    bool m_running = false;
    std::jthread m_thread;
};

/// The rows of a search: the best, the front, the rule of thumb, the fastest first.
std::vector<SearchRow> rowsOf(const SearchResult& result, const TrainingJob& job);

} // namespace triaxis::ui
