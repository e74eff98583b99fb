#include "ui/commands/set_rank_order.h"
#include "ui/base/words.h"

namespace triaxis::ui
{
namespace
{

RunPlan changed(RunPlan plan, const RankOrder& order)
{
    plan.layout.order = order;
    return plan;
}

} // namespace

SetRankOrder::SetRankOrder(PlanDocument& document, const RankOrder& order)
    : PlanCommand(document, changed(document.plan(), order), Words::tr("rank order"))
{
}

} // namespace triaxis::ui
