#pragma once

#include "engine/plan/drawn_plan.h"
#include "ui/plan/plan_findings.h"
#include "ui/widgets/panel.h"

namespace triaxis::ui
{

class AxisBar;
class FloorView;
class LayerPanel;
class PlanDocument;
class PlanPredictor;
struct FloorProposal;

/// Where the layout is drawn: the axes, the floor, the layers of each stage.
class FloorPanel : public Panel
{
    Q_OBJECT
public:
    FloorPanel(PlanDocument& document, const PlanPredictor& predictor, QWidget* parent = nullptr);

    FloorView* floor() const { return m_floor; }
    void addPlaces(FindingPlaces& places);
    /// Memory, times and notices as they are now.
    void refresh(const std::vector<PlanFinding>& findings);

signals:
    void mendRequested(const triaxis::ui::DrawnMend& mend);

private:
    void takeProposal(const FloorProposal& proposal, int gesture);

    PlanDocument& m_document;
    const PlanPredictor& m_predictor;
    AxisBar* m_axes;
    FloorView* m_floor;
    LayerPanel* m_layers;
    DrawnPlan m_gestureStart;
    int m_gesture = 0;
};

} // namespace triaxis::ui
