#pragma once

#include "engine/cluster/cluster.h"
#include "engine/core/diagnostic.h"
#include "engine/cost/software_profile.h"
#include "engine/model/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace triaxis
{

/// A mixture of experts: in expert layers the MLP is `experts` MLPs of `expertFeedForward`, of
/// which each token takes `activeExperts`.
struct ExpertShape
{
    int experts = 0;           ///< 0: a dense model
    int activeExperts = 0;     ///< routed experts a token takes (top-k)
    int sharedExperts = 0;     ///< experts that every token takes
    int expertFeedForward = 0; ///< inner width of one expert
    int denseLayers = 0;       ///< leading layers that keep the dense MLP
    /// Experts lie in so many groups, of which a token's lie in `activeGroups` at most, so that it
    /// travels to few nodes (DeepSeek-V3 report, section 2.1.2). 0: no such limit.
    int groups = 0;
    int activeGroups = 0;
};

/// Multi-head latent attention (DeepSeek-V2): low-rank queries and keys/values. 0 ranks: ordinary
/// attention.
struct LatentAttention
{
    int queryRank = 0;
    int keyValueRank = 0;
    int ropeHead = 0;  ///< decoupled part of each head that carries the positions
    int valueHead = 0; ///< value head size
};

/// What the cost of a decoder-only transformer depends on.
struct ModelShape
{
    std::string name;
    int layers = 0;
    int hidden = 0;
    int heads = 0;
    int kvHeads = 0;
    int headSize = 0;
    int feedForward = 0;
    bool gatedMlp = false; ///< SwiGLU: three matrices instead of two
    int vocabulary = 0;    ///< as stored: padded entries cost like real ones
    int positions = 0;     ///< learned position embeddings; 0: none
    bool tiedHead = true;
    bool biases = true;      ///< on linear layers and norms (GPT-2 style)
    int predictedTokens = 1; ///< 1 + layers of multi-token prediction, each one more layer and head
    ExpertShape expert;
    LatentAttention latent;
};

ModelShape shapeOf(const ModelSpec& model);
/// Throws Error that names the field.
void checkShape(const ModelShape& shape);

/// Parameters of the parts of the model, all ranks together (doubles: a trillion counts exactly).
double layerParameters(const ModelShape& shape, bool expertLayer);
double embeddingParameters(const ModelShape& shape); ///< token and position embeddings
double headParameters(const ModelShape& shape);      ///< as if untied
double parameterCount(const ModelShape& shape);

/// How the FLOPs behind a reported rate were counted.
enum class FlopConvention {
    Model,              ///< 3 × forward: no recompute, causal attention halved
    ModelFullAttention, ///< the same with attention not halved (Megatron-LM's counter, Korthikanti
                        ///< et al. 2022)
    Hardware,           ///< forward again where it is recomputed
    MegatronSc21 ///< 96·B·s·l·h²(1 + s/6h + V/16lh): always with full recompute, attention not
                 ///< halved (Narayanan et al. 2021, eq. 3)
};

/// The problem: what is to be trained on what, whatever the layout.
struct TrainingJob
{
    ModelShape model;
    ClusterSpec cluster;
    SoftwareProfile software;
    NumberFormat precision = NumberFormat::Bf16;
    int devices = 1;
    int sequence = 2048;          ///< tokens a sequence
    std::int64_t globalBatch = 1; ///< sequences a step
    double trainedShare =
        1; ///< share of the weights that get gradients and optimizer state (LoRA: near 0)
};

enum class ZeroStage {
    None,
    Optimizer,
    Gradients,
    Parameters
}; ///< ZeRO 0 … 3 (FSDP full shard: Parameters)
enum class Recompute {
    None,
    Selective,
    Full
}; ///< Selective: the attention scores, softmax and dropout; with latent attention norms, its
   ///< up-projections and the activation function (DeepSeek-V3 report, section 3.2.3)

const char* toText(ZeroStage zero);      ///< "none", "1", "2", "3"
const char* toText(Recompute recompute); ///< "none", "selective", "full"

/// The answer: how the job is spread. devices = dp · tp · cp · pp (expert parallelism divides dp ·
/// cp · tp / expertTp).
struct ParallelPlan
{
    int dp = 1;
    int tp = 1;
    int cp = 1;
    int pp = 1;
    int virtualStages = 1;
    int ep = 1;
    int expertTp = 1;
    int microbatch = 1; ///< sequences
    std::string schedule = "1f1b";
    bool sequenceParallel = false;
    ZeroStage zero = ZeroStage::None;
    int shardGroup =
        0; ///< ranks over which ZeRO shards; 0: all of dp · cp (hybrid sharding: fewer)
    Recompute recompute = Recompute::None;
    int recomputedLayers = -1; ///< layers a stage under full recompute; −1: all
    bool offloadActivations = false;
    /// Embedding and head split by vocabulary over all stages, with this many barriers between the
    /// forward and the backward of a microbatch, each of which keeps one more microbatch alive
    /// (Yeung et al. 2024, section 4: 1 or 2). 0: whole on the first and the last stage.
    int vocabularyBarriers = 0;
    double scheduleMemory = 0; ///< "auto": microbatch shares a stage may hold; 0: as many as 1F1B
    std::vector<int> layersPerStage; ///< by virtual stage; empty: even, surplus in the middle

    bool operator==(const ParallelPlan&) const = default;

    int devices() const { return dp * tp * cp * pp; }
    /// Microbatches a replica and step; 0 where it does not divide.
    std::int64_t microbatches(std::int64_t globalBatch) const;
};

/// False where a step has more forwards and backwards than a program holds (4 million): far beyond
/// what anybody runs, and before absurd sizes fill the memory.
bool fitsProgram(const ParallelPlan& plan, std::int64_t microbatches);

/// Every rule that the plan breaks (sizes that do not divide, devices that do not match, schedule
/// conditions). A plan without errors can be priced and simulated. Never throws.
std::vector<Diagnostic> checkPlan(const TrainingJob& job, const ParallelPlan& plan);

/// Model or hardware FLOPs of one step over all devices.
double stepFlops(const TrainingJob& job, const ParallelPlan& plan, FlopConvention convention);

} // namespace triaxis
