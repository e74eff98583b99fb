#include "ui/plan/floor_gestures.h"

#include "engine/layout/choices.h"
#include "ui/base/words.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace triaxis::ui
{
namespace
{

void setSize(AxisSizes& sizes, Axis axis, int size)
{
    switch (axis) {
    case Axis::Data:
        sizes.dp = size;
        break;
    case Axis::Tensor:
        sizes.tp = size;
        break;
    case Axis::Pipeline:
        sizes.pp = size;
        break;
    }
}

/// Devices for each step of the axis once everything that gives way has shrunk to one.
std::int64_t leastOthers(const AxisSizes& base, Axis axis)
{
    switch (axis) {
    case Axis::Data:
        return std::int64_t(base.tp) * base.pp;
    case Axis::Pipeline:
        return base.tp;
    case Axis::Tensor:
        break;
    }
    return 1;
}

bool isPowerOfTwo(int size)
{
    return (size & (size - 1)) == 0;
}

/// The largest divisor of `size` with which `others` still fit.
int givenWay(int size, std::int64_t others, int devices)
{
    const std::int64_t room =
        std::max<std::int64_t>(1, devices / std::max<std::int64_t>(1, others));
    return int(choices::largestDivisor(size, std::min<std::int64_t>(size, room)));
}

} // namespace

int AxisSizes::of(Axis axis) const
{
    switch (axis) {
    case Axis::Data:
        return dp;
    case Axis::Tensor:
        return tp;
    case Axis::Pipeline:
        break;
    }
    return pp;
}

AxisSizes sizesOf(const Layout& layout)
{
    return {layout.dp, layout.tp, layout.pp};
}

const std::vector<int>& SizeLimits::of(Axis axis) const
{
    switch (axis) {
    case Axis::Data:
        return data;
    case Axis::Tensor:
        return tensor;
    case Axis::Pipeline:
        break;
    }
    return pipeline;
}

std::vector<int> allowedSizes(const AxisSizes& base, Axis axis, const SizeLimits& limits)
{
    const std::vector<int>& named = limits.of(axis);
    const std::int64_t most = limits.devices / leastOthers(base, axis);
    std::vector<int> allowed;
    const auto offer = [&](int size) {
        const bool divides = limits.devices % size == 0 || isPowerOfTwo(size);
        const bool allows = named.empty() || std::binary_search(named.begin(), named.end(), size);
        if (size <= most && divides && allows)
            allowed.push_back(size);
    };
    for (int size = 1; std::int64_t(size) * size <= limits.devices; ++size) {
        offer(size);
        if (limits.devices % size == 0 && limits.devices / size != size)
            offer(limits.devices / size);
    }
    for (std::int64_t size = 1; size <= most; size *= 2)
        offer(int(size));
    allowed.push_back(base.of(axis));
    std::sort(allowed.begin(), allowed.end());
    allowed.erase(std::unique(allowed.begin(), allowed.end()), allowed.end());
    return allowed;
}

int snappedSize(const std::vector<int>& allowed, double wish)
{
    if (allowed.empty())
        return 1;
    int best = allowed.front();
    for (const int size : allowed) {
        if (std::abs(size - wish) <= std::abs(best - wish))
            best = size;
    }
    return best;
}

AxisSizes stretched(const AxisSizes& base, Axis axis, double wish, const SizeLimits& limits)
{
    AxisSizes sizes = base;
    setSize(sizes, axis, snappedSize(allowedSizes(base, axis, limits), wish));
    if (sizes.of(axis) == base.of(axis))
        return base; // also where it never fitted
    if (axis != Axis::Data)
        sizes.dp = givenWay(base.dp, std::int64_t(sizes.tp) * sizes.pp, limits.devices);
    if (axis == Axis::Tensor)
        sizes.pp = givenWay(base.pp, std::int64_t(sizes.tp) * sizes.dp, limits.devices);
    return sizes;
}

AxisSizes stepped(const AxisSizes& base, Axis axis, int steps, const SizeLimits& limits)
{
    const std::vector<int> allowed = allowedSizes(base, axis, limits);
    const auto now = std::lower_bound(allowed.begin(), allowed.end(), base.of(axis));
    const auto last = std::int64_t(allowed.size()) - 1;
    const std::int64_t next = std::clamp<std::int64_t>((now - allowed.begin()) + steps, 0, last);
    return stretched(base, axis, allowed[std::size_t(next)], limits);
}

int devicesOfAStep(const AxisSizes& base, Axis axis)
{
    return int(leastOthers(base, axis));
}

int draggedSize(const AxisSizes& base, Axis axis, int firstDevice, int lastDevice)
{
    const int step = std::max(1, devicesOfAStep(base, axis));
    return std::abs(lastDevice / step - firstDevice / step) + 1;
}

QString textOf(const FloorProposal& proposal)
{
    if (proposal.by == FloorProposal::By::Swap)
        return proposal.swap ? Words::tr("swap ranks %1 and %2")
                                   .arg(proposal.swap->first)
                                   .arg(proposal.swap->second)
                             : Words::tr("move a rank to a free device");
    const int size = proposal.sizes.of(proposal.axis);
    const bool drawn = proposal.by == FloorProposal::By::Brush;
    switch (proposal.axis) {
    case Axis::Tensor:
        return drawn ? Words::tr("draw tensor groups of %1").arg(size)
                     : Words::tr("stretch the tensor axis to %1").arg(size);
    case Axis::Pipeline:
        return drawn ? Words::tr("draw pipelines of %1").arg(size)
                     : Words::tr("stretch the pipeline to %1").arg(size);
    case Axis::Data:
        break;
    }
    return drawn ? Words::tr("stamp %1 data replicas").arg(size)
                 : Words::tr("stretch the data axis to %1").arg(size);
}

std::vector<int> swappedPlacement(const std::vector<int>& placement, int ranks, int first,
                                  int second)
{
    std::vector<int> swapped = placement;
    if (int(swapped.size()) != ranks) {
        swapped.resize(std::size_t(std::max(0, ranks)));
        std::iota(swapped.begin(), swapped.end(), 0);
    }
    if (std::min(first, second) >= 0 && std::max(first, second) < ranks)
        std::swap(swapped[std::size_t(first)], swapped[std::size_t(second)]);
    for (int rank = 0; rank < ranks; ++rank) {
        if (swapped[std::size_t(rank)] != rank)
            return swapped;
    }
    return {};
}

} // namespace triaxis::ui
