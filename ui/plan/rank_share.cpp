#include "ui/plan/rank_share.h"

#include "engine/core/error.h"
#include "engine/model/parameters.h"
#include "engine/schedule/chunk_contents.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace triaxis::ui
{
namespace
{

std::int64_t elementsOf(const std::vector<std::int64_t>& shape)
{
    return std::accumulate(shape.begin(), shape.end(), std::int64_t(1), std::multiplies<>());
}

/// Elements of one tensor rank by owner; all layers are alike, so that one stands for each.
struct OwnerSizes
{
    std::int64_t tokenEmbedding = 0;
    std::int64_t embedding = 0;
    std::int64_t layer = 0;
    std::int64_t finalNorm = 0;
    std::int64_t head = 0;
};

/// `parameters`: of the model with one layer.
OwnerSizes sizesOf(const ModelSpec& model, const std::vector<ParameterSpec>& parameters, int tensor,
                   int tp)
{
    OwnerSizes sizes;
    for (const ParameterSpec& parameter : parameters) {
        const std::int64_t elements = elementsOf(shardOf(model, parameter, tensor, tp).shape);
        switch (parameter.owner) {
        case ParameterOwner::Embedding:
            sizes.embedding += elements;
            if (parameter.split == TensorSplit::Vocabulary)
                sizes.tokenEmbedding += elements;
            break;
        case ParameterOwner::Layer:
            sizes.layer += elements;
            break;
        case ParameterOwner::FinalNorm:
            sizes.finalNorm += elements;
            break;
        case ParameterOwner::Head:
            sizes.head += elements;
            break;
        }
    }
    return sizes;
}

RankShare shareOf(const ModelSpec& model, const Layout& layout, std::vector<ChunkContent> chunks,
                  int stage, int tensor, const OwnerSizes& sizes)
{
    RankShare share;
    share.stage = stage;
    share.tensor = tensor;
    share.heads = model.heads / layout.tp;
    share.firstHead = tensor * share.heads;
    share.keyValueHeads = std::max(1, model.kvHeads / layout.tp);
    share.firstKeyValueHead = tensor * model.kvHeads / layout.tp;
    std::sort(chunks.begin(), chunks.end(), [](const ChunkContent& a, const ChunkContent& b) {
        return a.firstLayer < b.firstLayer;
    });
    for (const ChunkContent& chunk : chunks) {
        if (chunk.layerCount > 0)
            share.ranges.push_back({chunk.firstLayer, chunk.layerCount});
        share.layers += chunk.layerCount;
        share.embedding = share.embedding || chunk.embedding;
        share.head = share.head || chunk.head;
    }
    share.parameters = sizes.layer * share.layers;
    if (share.embedding)
        share.parameters += sizes.embedding;
    if (share.head)
        share.parameters += sizes.finalNorm + sizes.head;
    if (share.head && !share.embedding && model.tiedHead)
        share.parameters += sizes.tokenEmbedding;
    return share;
}

bool isAboutStages(const Diagnostic& finding)
{
    return finding.where == "layout.pp" || finding.where == "layout.virtualStages" ||
           finding.where == "layout.layersPerStage";
}

/// A split that does not add up is found when the layers are dealt out, whatever is allowed here.
bool isRefused(const Layout& layout, const ModelSpec& model, EmptyStages emptyStages)
{
    const std::vector<Diagnostic> findings = checkLayout(layout, model, {layout.dp, 1, 1});
    return std::any_of(findings.begin(), findings.end(), [&](const Diagnostic& finding) {
        const bool allowed = emptyStages == EmptyStages::Allowed && isAboutStages(finding);
        return finding.severity == Severity::Error && !allowed;
    });
}

/// Where the schedule places the chunks. Only that is asked for, so a number of microbatches that
/// suits every schedule will do; an order that was read from a file has its own.
ComputeProgram placementOf(ScheduleRequest request, const Layout& layout)
{
    request.stages = layout.pp;
    request.virtualStages = layout.virtualStages;
    if (request.csv.empty())
        request.microbatches = 4 * layout.pp;
    return generate(request);
}

} // namespace

std::vector<RankShare> rankShares(const ModelSpec& model, const Layout& layout,
                                  const ScheduleRequest& request, EmptyStages emptyStages)
{
    std::vector<RankShare> shares;
    if (isRefused(layout, model, emptyStages))
        return shares;
    std::vector<std::vector<ChunkContent>> contents;
    try {
        ProgramInputs inputs;
        inputs.model = model;
        inputs.layout = layout;
        contents = chunkContents(placementOf(request, layout), inputs);
    } catch (const Error&) {
        return shares; // the plan's findings say why
    }
    ModelSpec oneLayer = model;
    oneLayer.layers = std::min(1, model.layers);
    const std::vector<ParameterSpec> parameters = parametersOf(oneLayer);
    std::vector<OwnerSizes> sizes;
    for (int tensor = 0; tensor < layout.tp; ++tensor)
        sizes.push_back(sizesOf(oneLayer, parameters, tensor, layout.tp));
    for (int stage = 0; stage < layout.pp; ++stage) {
        for (int tensor = 0; tensor < layout.tp; ++tensor)
            shares.push_back(shareOf(model, layout, contents[std::size_t(stage)], stage, tensor,
                                     sizes[std::size_t(tensor)]));
    }
    return shares;
}

const RankShare& shareOf(const std::vector<RankShare>& shares, const Layout& layout,
                         const Coordinates& at)
{
    return shares[std::size_t(at.pipeline * layout.tp + at.tensor)];
}

} // namespace triaxis::ui
