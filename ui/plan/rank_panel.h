#pragma once

#include "ui/plan/notice_list.h"
#include "ui/widgets/panel.h"

#include <optional>

namespace triaxis
{
struct Coordinates;
}

namespace triaxis::ui
{

class PlanDocument;
class PlanPredictor;
class RankInspector;

/// What one rank is and holds, and below it what to look at in the whole plan.
class RankPanel : public Panel
{
    Q_OBJECT
public:
    RankPanel(const PlanDocument& document, const PlanPredictor& predictor,
              QWidget* parent = nullptr);

    void inspect(const std::optional<Coordinates>& at);
    void refresh(const std::vector<PlanFinding>& findings);

signals:
    void mendRequested(const triaxis::ui::DrawnMend& mend);

private:
    const PlanDocument& m_document;
    const PlanPredictor& m_predictor;
    RankInspector* m_inspector;
    NoticeList* m_notices;
};

} // namespace triaxis::ui
