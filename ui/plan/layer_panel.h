#pragma once

#include "ui/plan/layer_bar.h"
#include "ui/plan/plan_findings.h"

#include <QWidget>

#include <string>

class QLabel;
class QPushButton;
class QScrollArea;

namespace triaxis
{
struct DrawnPrediction;
}

namespace triaxis::ui
{

class ChoiceBox;

/// The layers of each stage below the floor, and what is wrong with how they are split. Where the
/// virtual stages are too many to be read in a row it shows what each pipeline stage holds, or one
/// chunk of all stages.
class LayerPanel : public QWidget
{
    Q_OBJECT
public:
    LayerPanel(PlanDocument& document, const PlanPredictor& predictor, QWidget* parent = nullptr);

    void addPlaces(FindingPlaces& places);
    void refresh();

signals:
    void mendRequested(const triaxis::ui::DrawnMend& mend);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildHead();
    void showFinding(const PlanFinding* finding);
    void refreshCosts();
    /// In a row, as sums or chunk by chunk.
    void choosePart();
    void colourLegend();
    std::vector<LayerBar::Cost> timesOf(const DrawnPrediction& prediction) const;
    std::vector<LayerBar::Cost> memoryOf(const DrawnPrediction& prediction) const;

    PlanDocument& m_document;
    const PlanPredictor& m_predictor;
    QLabel* m_title;
    QLabel* m_said;
    QPushButton* m_mend;
    QLabel* m_legend;
    ChoiceBox* m_part;
    QScrollArea* m_scroll;
    LayerBar* m_bar;
    std::vector<DrawnMend> m_mends;
    struct Placement ///< what decides where chunks lie
    {
        std::string schedule, csv;
        int stages = 0, chunks = 0;
        bool operator==(const Placement&) const = default;
    };
    Placement m_placement;
    std::vector<int> m_stages; ///< pipeline stage by virtual stage
};

} // namespace triaxis::ui
