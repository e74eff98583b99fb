#pragma once

#include "engine/simulate/run_prediction.h"
#include "ui/panels/run_panel.h"
#include "ui/run/memory_figures.h"

#include <memory>

class QComboBox;
class QSlider;

namespace triaxis::ui
{

class ViewRange;

/// Memory of every rank, at its peak or at any moment, and of the selected rank over time.
class MemoryPanel : public RunPanel
{
    Q_OBJECT
public:
    /// Moves and follows the cursor of `range`, which must outlive the panel.
    explicit MemoryPanel(ViewRange& range, QWidget* parent = nullptr);

    void setRun(const RunData* run) override;
    void setPrediction(std::shared_ptr<const RunPrediction> prediction);
    MemoryGrid* grid() const { return m_grid; }

protected:
    void refresh() override;

private:
    void refreshCells();
    void refreshCurves();
    void followCursor();
    void scrub(int value);
    std::optional<double> moment() const;
    MemoryWhen when() const;
    QString basis() const;
    MemoryChoice choice() const;
    /// The rank whose curves are shown: the selected one, or that of a folded cell's fullest.
    int chosenRank() const;

    ViewRange& m_range;
    std::shared_ptr<const RunPrediction> m_prediction;
    QComboBox* m_category;
    QComboBox* m_when;
    int m_peakChoice = 0; ///< of m_when while no moment is looked at
    QSlider* m_slider;
    QLabel* m_moment;
    QLabel* m_empty;
    MemoryGrid* m_grid;
    QLabel* m_curvesTitle;
    MemoryCurves* m_curves;
};

} // namespace triaxis::ui
