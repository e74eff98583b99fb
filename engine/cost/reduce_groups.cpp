#include "engine/cost/reduce_groups.h"

#include "engine/schedule/step_tail.h"

#include <algorithm>

namespace triaxis
{

ReduceGroups::ReduceGroups(const RunPlan& plan, const Program& program)
    : m_plan(plan), m_program(program)
{
    std::vector<std::vector<ChunkContent>> contents;
    for (const StageProgram& stage : program.perStage)
        contents.push_back(stage.chunks);
    m_tied = tiedStages(plan.model, contents);
}

std::pair<int, int> ReduceGroups::of(Kind kind, const Coordinates& at) const
{
    const Layout& layout = m_plan.layout;
    const int column = at.data * layout.tp + at.tensor;
    switch (kind) {
    case Kind::GradientReduce: {
        const int twin = m_program.replicas > 1 ? std::min(at.pipeline, layout.pp - 1 - at.pipeline)
                                                : at.pipeline;
        return {layout.dp * m_program.replicas, twin * layout.tp + at.tensor};
    }
    case Kind::TiedReduce:
        return {int(m_tied.size()), column};
    case Kind::ReplicaReduce: {
        const int holders = std::max(1, layout.tp / std::max(1, m_plan.model.kvHeads));
        return {holders, (at.data * layout.pp + at.pipeline) * layout.tp + at.tensor / holders};
    }
    case Kind::NormReduce:
        return {layout.tp * layout.pp, at.data};
    case Kind::TensorCollective:
        return {layout.tp, at.data * layout.pp + at.pipeline};
    case Kind::LossReduce:
    case Kind::Forward:
    case Kind::Backward:
    case Kind::BackwardInput:
    case Kind::BackwardWeight:
    case Kind::SendActivation:
    case Kind::ReceiveActivation:
    case Kind::SendGradient:
    case Kind::ReceiveGradient:
    case Kind::Wait:
    case Kind::OptimizerStep:
        break;
    }
    return {layout.ranks(), 0};
}

} // namespace triaxis
