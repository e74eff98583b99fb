#include "ui/commands/apply_mend.h"

namespace triaxis::ui
{

ApplyMend::ApplyMend(PlanDocument& document, const DrawnMend& mend)
    : PlanCommand(document, mend.plan, mend.change)
{
}

} // namespace triaxis::ui
