#pragma once

#include "engine/simulate/run_prediction.h"
#include "engine/timeline/prediction_join.h"
#include "ui/panels/figure_table.h"
#include "ui/panels/run_panel.h"

#include <memory>

namespace triaxis::ui
{

class CalibrateBox;

/// A run's prediction against its measurement: step, kinds, ranks and memory.
class PredictionPanel : public RunPanel
{
    Q_OBJECT
public:
    explicit PredictionPanel(QWidget* parent = nullptr);

    void setRun(const RunData* run) override;
    /// Null: it is being worked out.
    void setPrediction(std::shared_ptr<const RunPrediction> prediction);
    const PredictionJoin& join() const { return m_join; }

signals:
    /// This machine has been measured anew.
    void calibrated();

protected:
    void refresh() override;

private:
    void sayWhatIsMissing();

    std::shared_ptr<const RunPrediction> m_prediction;
    PredictionJoin m_join;
    CalibrateBox* m_box;
    QLabel* m_state;
    QLabel* m_sign;
    FigureTableView* m_step;
    QLabel* m_kindTitle;
    FigureTableView* m_kinds;
    QLabel* m_rankTitle;
    FigureTableView* m_ranks;
    QLabel* m_memoryTitle;
    FigureTableView* m_memory;
    QLabel* m_usesTitle;
    FigureTableView* m_uses;
};

/// Step time and bubble of a whole run, measured and predicted; NaN: not known.
struct RunErrors
{
    std::size_t steps = 0; ///< that the step time is the median of
    double measuredStep = std::numeric_limits<double>::quiet_NaN();
    double predictedStep = std::numeric_limits<double>::quiet_NaN();
    std::size_t bubbles = 0; ///< steps that the bubble is the mean of
    double measuredBubble = std::numeric_limits<double>::quiet_NaN();
    double predictedBubble = std::numeric_limits<double>::quiet_NaN();
};
/// `join`: of the steps shown.
FigureTable stepErrorTable(const PredictionJoin& join, const RunErrors& run, double spread = 0);
FigureTable kindErrorTable(const PredictionJoin& join);
FigureTable rankErrorTable(const PredictionJoin& join, const Layout& layout);
/// Predicted peak against the measured one, by rank.
FigureTable memoryErrorTable(const RunData& run, const std::vector<PredictedBytes>& predicted);
/// The same by use: the fullest of all ranks, measured and predicted, each at its own peak.
FigureTable memoryUseTable(const RunData& run, const std::vector<PredictedBytes>& predicted);

} // namespace triaxis::ui
