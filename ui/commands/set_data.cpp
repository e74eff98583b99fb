#include "ui/commands/set_data.h"
#include "ui/base/words.h"

namespace triaxis::ui
{
namespace
{

RunPlan changed(RunPlan plan, const DataPlan& data)
{
    plan.data = data;
    return plan;
}

} // namespace

SetData::SetData(PlanDocument& document, const DataPlan& data)
    : PlanCommand(document, changed(document.plan(), data), Words::tr("data"))
{
}

} // namespace triaxis::ui
