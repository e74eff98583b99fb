#pragma once

#include "engine/layout/layout.h"

#include <QString>

#include <optional>
#include <vector>

namespace triaxis::ui
{

/// Sizes of the three axes.
struct AxisSizes
{
    int dp = 1;
    int tp = 1;
    int pp = 1;
    std::int64_t product() const { return std::int64_t(dp) * tp * pp; }
    int of(Axis axis) const;
    auto operator<=>(const AxisSizes&) const = default;
};

AxisSizes sizesOf(const Layout& layout);

/// What sizes may become.
struct SizeLimits
{
    int devices = 1; ///< of the cluster
    /// Sizes that the model and the batch allow, ascending; empty: any.
    std::vector<int> tensor, pipeline, data;
    const std::vector<int>& of(Axis axis) const;
};

/// The sizes that an axis of `base` may be stretched to, ascending, never empty: divisors of the
/// number of devices and powers of two that leave room for what the axis does not push aside (data:
/// nothing else gives way; pipeline: data does; tensor: data and pipeline do), of which those
/// remain that the limits name. The size the axis has is always one of them.
std::vector<int> allowedSizes(const AxisSizes& base, Axis axis, const SizeLimits& limits);

/// The allowed size nearest to `wish`; of two equally near ones the larger. Never decreases as
/// `wish` grows.
int snappedSize(const std::vector<int>& allowed, double wish);

/// `base` with the axis at the allowed size nearest to `wish`. Where the product would exceed the
/// devices, data gives way first, then pipeline, each to the largest divisor of its size that fits.
AxisSizes stretched(const AxisSizes& base, Axis axis, double wish, const SizeLimits& limits);

/// The next allowed size up (steps > 0) or down, from the one the axis has.
AxisSizes stepped(const AxisSizes& base, Axis axis, int steps, const SizeLimits& limits);

/// Devices that one step along an axis takes when it is drawn: a device (tensor), a tensor group
/// (pipeline), a model replica (data).
int devicesOfAStep(const AxisSizes& base, Axis axis);

/// The size that dragging a brush from one device to another asks for: steps that the way touches,
/// both ends included.
int draggedSize(const AxisSizes& base, Axis axis, int firstDevice, int lastDevice);

/// What a gesture would make of the plan. Always the whole state since the gesture's start, so that
/// each proposal can take the place of the one before it.
struct FloorProposal
{
    enum class By { Brush, Handle, Swap } by = By::Brush;
    Axis axis = Axis::Data; ///< that is drawn or stretched
    AxisSizes sizes;
    std::vector<int> placement; ///< device of rank; empty: rank r on device r
    struct Swap
    {
        int first = 0; ///< ranks
        int second = 0;
        auto operator<=>(const Swap&) const = default;
    };
    std::optional<Swap> swap; ///< what differs from the start, where ranks were swapped
    auto operator<=>(const FloorProposal&) const = default;
};

/// What the gesture does, for the history: "draw tensor groups of 4", "swap ranks 1 and 6".
QString textOf(const FloorProposal& proposal);

/// Two ranks in each other's place. Empty again where that is the identity. Throws nothing; ranks
/// outside change nothing.
std::vector<int> swappedPlacement(const std::vector<int>& placement, int ranks, int first,
                                  int second);

} // namespace triaxis::ui
