#include "ui/plan/floor_panel.h"

#include "ui/commands/change_plan.h"
#include "ui/plan/axis_bar.h"
#include "ui/plan/drawn_floor.h"
#include "ui/plan/floor_view.h"
#include "ui/plan/layer_panel.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_predictor.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"

#include <QVBoxLayout>

namespace triaxis::ui
{

FloorPanel::FloorPanel(PlanDocument& document, const PlanPredictor& predictor, QWidget* parent)
    : Panel({}, parent), m_document(document), m_predictor(predictor),
      m_axes(new AxisBar(document)), m_floor(new FloorView),
      m_layers(new LayerPanel(document, predictor))
{
    setObjectName(QStringLiteral("floorPanel"));
    body()->addWidget(m_axes);
    body()->addSpacing(4);
    body()->addWidget(m_floor, 1);
    body()->addSpacing(2);
    body()->addWidget(m_layers);
    followTextSize(this, [this] {
        setMinimumWidth(fontScale() > 1.2 ? scaled(300) + 52 : scaled(440));
        m_floor->setMinimumHeight(scaled(140));
    });
    connect(m_floor, &FloorView::proposed, this, &FloorPanel::takeProposal);
    connect(m_axes, &AxisBar::mendRequested, this, &FloorPanel::mendRequested);
    connect(m_layers, &LayerPanel::mendRequested, this, &FloorPanel::mendRequested);
}

/// Each proposal is the whole of a gesture, so it is made of the plan that the gesture began with.
void FloorPanel::takeProposal(const FloorProposal& proposal, int gesture)
{
    constexpr int apart = 1 << 20; // the numbers of the layer bar's drags are others
    if (gesture != m_gesture) {
        m_gesture = gesture;
        m_gestureStart = m_document.drawn();
    }
    m_document.apply(std::make_unique<ChangePlan>(
        m_document, withProposal(m_gestureStart, proposal), textOf(proposal), apart + gesture));
}

void FloorPanel::addPlaces(FindingPlaces& places)
{
    m_axes->addPlaces(places);
    m_layers->addPlaces(places);
    places.insert(m_floor->objectName(),
                  {m_floor, [this](const PlanFinding* finding) {
                       const bool whole = finding && finding->finding.where == "placement";
                       m_floor->setProblem(whole ? adviceOf(finding->finding) : QString());
                   }});
}

void FloorPanel::refresh(const std::vector<PlanFinding>& findings)
{
    m_layers->refresh();
    const DrawnPlan& plan = m_document.drawn();
    const Layout& layout = plan.run.layout;
    const double ranks = double(layout.dp) * layout.tp * layout.pp * std::max(1, plan.cp);
    if (ranks > mostDevices || ranks < 1)
        return; // the findings say so
    const auto& prediction = m_predictor.prediction();
    const bool isNew = prediction && m_predictor.isUpToDate();
    std::vector<Diagnostic> plain;
    for (const PlanFinding& one : findings)
        plain.push_back(one.finding);
    m_floor->setModel(
        floorModel(plan, isNew ? prediction.get() : nullptr, m_predictor.machine(), plain));
    m_floor->setLimits(sizeLimits(plan));
}

} // namespace triaxis::ui
