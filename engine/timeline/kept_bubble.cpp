#include "engine/timeline/kept_bubble.h"

#include <cmath>

namespace triaxis
{

KeptBubble keptBubble(const std::vector<StepBubble>& steps, std::size_t last)
{
    std::size_t first = steps.size() > 1 ? 1 : 0;
    if (last > 0 && steps.size() - first > last)
        first = steps.size() - last;
    KeptBubble kept;
    double sum = 0;
    for (std::size_t i = first; i < steps.size(); ++i) {
        if (!std::isfinite(steps[i].bubble))
            continue;
        if (kept.steps++ == 0)
            kept.first = steps[i].step;
        kept.latest = steps[i].step;
        sum += steps[i].bubble;
    }
    if (kept.steps > 0)
        kept.bubble = sum / double(kept.steps);
    return kept;
}

} // namespace triaxis
