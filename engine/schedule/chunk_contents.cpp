#include "engine/schedule/chunk_contents.h"

#include "engine/core/error.h"
#include "engine/schedule/compute_program.h"

#include <algorithm>
#include <numeric>

namespace triaxis
{
namespace
{

void checkSplit(const std::vector<int>& split, int positions, const ModelSpec& model)
{
    const bool negative = std::any_of(split.begin(), split.end(), [](int n) { return n < 0; });
    const int total = std::accumulate(split.begin(), split.end(), 0);
    if (int(split.size()) != positions || negative || total != model.layers)
        throw Error("cannot spread the layers over the pipeline",
                    std::to_string(split.size()) + " shares with " + std::to_string(total) +
                        " layers in all",
                    "give " + std::to_string(positions) + " shares whose sum is " +
                        std::to_string(model.layers));
}

} // namespace

std::vector<std::vector<ChunkContent>> chunkContents(const ComputeProgram& compute,
                                                     const ProgramInputs& inputs)
{
    const int positions = virtualStages(compute);
    const std::vector<int> split = layerSplit(inputs.layout, inputs.model);
    checkSplit(split, positions, inputs.model);
    std::vector<int> firstLayer(positions, 0);
    std::partial_sum(split.begin(), split.end() - 1, firstLayer.begin() + 1);

    std::vector<std::vector<ChunkContent>> contents(compute.stages);
    for (int stage = 0; stage < compute.stages; ++stage) {
        for (int chunk = 0; chunk < compute.chunks; ++chunk) {
            const int position = compute.virtualStage[stage][chunk];
            contents[stage].push_back({position, compute.replica[stage][chunk],
                                       firstLayer[position], split[position], position == 0,
                                       position == positions - 1});
        }
    }
    return contents;
}

std::int64_t computeFlops(Kind kind, const ChunkContent& content, const ProgramInputs& inputs)
{
    const std::int64_t sequences = inputs.batch.microbatch;
    const std::int64_t tokens = sequences * inputs.batch.sequence;
    std::int64_t matrix = content.layerCount * tokens * layerMatrixFlopsPerToken(inputs.model);
    if (content.head)
        matrix += tokens * headFlopsPerToken(inputs.model);
    const std::int64_t attention =
        content.layerCount * sequences * layerAttentionFlops(inputs.model, inputs.batch.sequence);
    const std::int64_t tensorRanks = inputs.layout.tp;
    switch (kind) {
    case Kind::Forward:
        return (matrix + attention) / tensorRanks;
    case Kind::Backward:
        return 2 * (matrix + attention) / tensorRanks;
    case Kind::BackwardInput:
        return (matrix + 2 * attention) / tensorRanks;
    case Kind::BackwardWeight:
        return matrix / tensorRanks;
    case Kind::SendActivation:
    case Kind::ReceiveActivation:
    case Kind::SendGradient:
    case Kind::ReceiveGradient:
    case Kind::Wait:
    case Kind::GradientReduce:
    case Kind::TiedReduce:
    case Kind::ReplicaReduce:
    case Kind::NormReduce:
    case Kind::OptimizerStep:
    case Kind::LossReduce:
    case Kind::TensorCollective:
        return 0;
    }
    return 0;
}

} // namespace triaxis
