#pragma once

#include "engine/core/diagnostic.h"
#include "engine/core/ids.h"
#include "engine/model/model.h"

#include <array>
#include <string>
#include <vector>

namespace triaxis
{

enum class Axis { Data, Tensor, Pipeline };

/// Order in which global ranks run through the axes, fastest first. Megatron's default: tp-dp-pp.
using RankOrder = std::array<Axis, 3>;
inline constexpr RankOrder megatronOrder{Axis::Tensor, Axis::Data, Axis::Pipeline};

/// "tp-dp-pp" ↔ RankOrder. Throws Error on anything that is not a permutation.
RankOrder parseRankOrder(const std::string& text);
std::string toText(const RankOrder& order);

struct Coordinates
{
    int data = 0;
    int tensor = 0;
    int pipeline = 0;
    auto operator<=>(const Coordinates&) const = default;
};

/// DP × TP × PP over ranks 0 … dp·tp·pp − 1.
struct Layout
{
    int dp = 1;
    int tp = 1;
    int pp = 1;
    int virtualStages = 1; ///< V: chunks a stage
    RankOrder order = megatronOrder;
    std::vector<int> layersPerStage; ///< by virtual stage (P·V entries); empty: defaultLayerSplit

    int ranks() const { return dp * tp * pp; }
    auto operator<=>(const Layout&) const = default;
};

Rank rankOf(const Layout& layout, const Coordinates& at);
Coordinates coordinatesOf(const Layout& layout, Rank rank);

/// The ranks that share all coordinates with `rank` except along `axis`, in ascending coordinate.
std::vector<Rank> groupOf(const Layout& layout, Rank rank, Axis axis);
/// All groups of an axis; every rank is in exactly one.
std::vector<std::vector<Rank>> groupsOf(const Layout& layout, Axis axis);
/// TP × PP ranks of one replica (gradient norm), tensor fastest.
std::vector<Rank> modelGroupOf(const Layout& layout, Rank rank);

/// Layers of each virtual stage when they do not divide: as even as possible, the surplus layers go
/// to the stages in the middle, since the first also holds the embedding and the last the head.
std::vector<int> defaultLayerSplit(int layers, int virtualStages);
/// layersPerStage, or the default split when it is empty.
std::vector<int> layerSplit(const Layout& layout, const ModelSpec& model);

/// Batch figures that the rules need.
struct BatchShape
{
    int globalBatch = 1; ///< sequences a step over all replicas
    int microbatch = 1;  ///< sequences a microbatch
    int sequence = 1;    ///< tokens a sequence
    /// Microbatches a step and replica; 0 where it does not divide.
    int microbatches(int dp) const;
};

/// Every rule that the layout breaks for this model and batch (heads, layers, vocabulary, batch,
/// positions, world size), and advice as warnings and notes. `availableRanks` < 0: not checked. It
/// can run if there are no errors (hasErrors).
std::vector<Diagnostic> checkLayout(const Layout& layout, const ModelSpec& model,
                                    const BatchShape& batch, int availableRanks = -1);

/// "2×2×2 (data × tensor × pipeline)".
std::string toText(const Layout& layout);
/// "dp0 · pp2 · tp1".
std::string toText(const Coordinates& at);

} // namespace triaxis
