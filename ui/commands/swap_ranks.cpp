#include "ui/commands/swap_ranks.h"
#include "ui/base/words.h"

namespace triaxis::ui
{

SwapRanks::SwapRanks(PlanDocument& document, Rank a, Rank b)
    : PlanCommand(document, withRanksSwapped(document.drawn(), a, b),
                  Words::tr("ranks %1 and %2 swapped").arg(a.value).arg(b.value))
{
}

} // namespace triaxis::ui
