#include "ui/commands/set_axis_sizes.h"
#include "ui/base/words.h"

namespace triaxis::ui
{

SetAxisSizes::SetAxisSizes(PlanDocument& document, int dp, int tp, int pp, int gesture)
    : PlanCommand(document, withAxisSizes(document.drawn(), dp, tp, pp),
                  Words::tr("layout %1 × %2 × %3").arg(dp).arg(tp).arg(pp), gesture)
{
}

} // namespace triaxis::ui
