#pragma once

#include "engine/sweep/sweep_table.h"

#include <QWidget>

#include <vector>

class QLabel;
class QVBoxLayout;

namespace triaxis::ui
{

class DisplayListView;
class FigureTableView;
class Panel;
struct FigureTable;

/// The comparison table of a sweep: a row a layout, also of the one that runs, which has no figures
/// yet.
FigureTable sweepFigures(const SweepTable& table, const Layout* running);

/// A sweep as it grows: for each form its title, table, scaling chart, and what the figures mean.
class SweepView : public QWidget
{
    Q_OBJECT
public:
    explicit SweepView(QWidget* parent = nullptr);

    /// `running`: of the last table.
    void show(const std::vector<SweepTable>& tables, const Layout* running);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Form
    {
        Panel* panel;
        FigureTableView* table;
        DisplayListView* chart;
        QLabel* notes;
    };
    Form& form(std::size_t index);
    void drawCharts();

    std::vector<SweepTable> m_tables;
    std::vector<Form> m_forms;
    QLabel* m_hint;
    QVBoxLayout* m_column;
};

} // namespace triaxis::ui
