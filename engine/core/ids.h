#pragma once

#include <cstddef>

// Not as the first header: Qt's moc cannot read it then.
#include <compare>
#include <functional>

namespace triaxis
{

/// An index that cannot be mixed up with another kind of index.
template <class Tag>
struct Index
{
    int value = 0;

    constexpr Index() = default;
    constexpr explicit Index(int index) : value(index) {}
    constexpr auto operator<=>(const Index&) const = default;
};

/// Global rank: one process, one device.
using Rank = Index<struct RankTag>;
/// Position along the pipeline axis (0 … P−1). A rank belongs to exactly one stage.
using Stage = Index<struct StageTag>;
/// Model chunk held by a stage (0 … V−1); 0 where a stage holds one contiguous share of the layers.
using Chunk = Index<struct ChunkTag>;
/// Microbatch of a step, counted within one data-parallel replica (0 … M−1).
using Microbatch = Index<struct MicrobatchTag>;

} // namespace triaxis

template <class Tag>
struct std::hash<triaxis::Index<Tag>>
{
    std::size_t operator()(const triaxis::Index<Tag>& index) const noexcept
    {
        return std::hash<int>{}(index.value);
    }
};
