#include "ui/commands/set_label.h"
#include "ui/base/words.h"

namespace triaxis::ui
{
namespace
{

RunPlan changed(RunPlan plan, const std::string& label)
{
    plan.label = label;
    return plan;
}

} // namespace

SetLabel::SetLabel(PlanDocument& document, const std::string& label)
    : PlanCommand(document, changed(document.plan(), label), Words::tr("label"))
{
}

} // namespace triaxis::ui
