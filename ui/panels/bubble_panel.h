#pragma once

#include "engine/timeline/bubble_phases.h"
#include "ui/panels/figure_table.h"
#include "ui/panels/run_panel.h"

namespace triaxis::ui
{

class BubbleBars;

/// Where the time of every stage goes, in percent of the step, measured and by the closed form.
class BubblePanel : public RunPanel
{
    Q_OBJECT
public:
    explicit BubblePanel(QWidget* parent = nullptr);

    const std::vector<StagePhases>& stages() const { return m_stages; }

protected:
    void refresh() override;

private:
    BubbleBars* m_bars;
    QLabel* m_phasesTitle;
    FigureTableView* m_phases;
    QLabel* m_tableTitle;
    FigureTableView* m_table;
    QLabel* m_empty;
    std::vector<StagePhases> m_stages;
};

/// Rows: the idle phases and their sum, the other phases, all of them; columns: stages and their
/// mean.
FigureTable phaseTable(const std::vector<StagePhases>& stages);
/// Rows: the bubble, measured and by its closed form; the same columns.
FigureTable bubbleTable(const std::vector<StagePhases>& stages, const PlanClosedForm& form);

} // namespace triaxis::ui
