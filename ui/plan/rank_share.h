#pragma once

#include "engine/layout/layout.h"
#include "engine/model/model.h"
#include "engine/schedule/generators.h"

#include <cstdint>
#include <vector>

namespace triaxis::ui
{

/// Neighbouring layers of the model.
struct LayerRange
{
    int first = 0;
    int count = 0;
};

/// What one rank holds of the model. The same for all replicas.
struct RankShare
{
    int stage = 0;
    int tensor = 0;
    std::vector<LayerRange> ranges; ///< one a chunk that has layers, in the order of the model
    int layers = 0;                 ///< of all chunks, twins of a bidirectional schedule included
    bool embedding = false;
    bool head = false;
    int firstHead = 0;
    int heads = 0;
    int firstKeyValueHead = 0;
    int keyValueHeads = 0;
    std::int64_t parameters = 0;       ///< elements, a second copy of a tied embedding included

    std::int64_t weightBytes() const { return parameters * 4; }    ///< float32
    std::int64_t gradientBytes() const { return parameters * 4; }  ///< float32
    std::int64_t optimizerBytes() const { return parameters * 8; } ///< AdamW's two moments
    std::int64_t totalBytes() const { return parameters * 16; }
};

/// Whether a virtual stage may be without layers: where a plan is priced, not where it is run.
enum class EmptyStages { Refused, Allowed };

/// Shares of all (stage, tensor rank) pairs, [pp · tp], tensor fastest, with the chunks where the
/// schedule places them. Empty if the layout cannot hold the model, or the schedule does not exist
/// for it.
std::vector<RankShare> rankShares(const ModelSpec& model, const Layout& layout,
                                  const ScheduleRequest& request = {},
                                  EmptyStages emptyStages = EmptyStages::Refused);
const RankShare& shareOf(const std::vector<RankShare>& shares, const Layout& layout,
                         const Coordinates& at);

} // namespace triaxis::ui
