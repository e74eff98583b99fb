#include "engine/cost/unit_costs.h"

#include "engine/cost/collectives.h"
#include "engine/cost/operations.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

/// Work and a floor that partly hide behind each other: the fourth-power mean lies within 19 % of
/// the larger one and is smooth.
double withFloor(double work, double floor)
{
    if (floor <= 0) {
        return work;
    }
    const double w2 = work * work;
    const double f2 = floor * floor;
    return std::sqrt(std::sqrt(w2 * w2 + f2 * f2));
}

/// Exposed seconds of the exchanges inside one layer.
struct LayerExchanges
{
    double forward = 0;
    double input = 0;
    double attention = 0; ///< of forward: what recomputing the attention repeats
    double experts = 0;   ///< of either
};

double activationBytes(const TrainingJob& job)
{
    return job.precision == NumberFormat::Fp32 || job.precision == NumberFormat::Tf32 ? 4 : 2;
}

double linked(const TrainingJob& job, double seconds)
{
    return seconds / job.software.linkEfficiency;
}

/// One sum over the tensor group of an activation [tokens, hidden]; with sequence parallelism a
/// gather and a scatter of the same bytes.
double tensorSeconds(const TrainingJob& job, const ParallelPlan& plan, double tokens)
{
    if (plan.tp == 1) {
        return 0;
    }
    const GroupPlacement group{plan.tp, 1, std::max(1, job.cluster.nodeSize() / plan.tp)};
    const double bytes = tokens * job.model.hidden * activationBytes(job);
    if (plan.sequenceParallel) {
        return linked(job,
                      collectiveSeconds(job.cluster, Collective::AllGather, bytes, group) +
                          collectiveSeconds(job.cluster, Collective::ReduceScatter, bytes, group));
    }
    return linked(job, collectiveSeconds(job.cluster, Collective::AllReduce, bytes, group));
}

/// Keys and values of the other ranks of the context group, by passes around the ring; what
/// attention hides taken off.
double contextSeconds(const TrainingJob& job, const ParallelPlan& plan, double attention)
{
    if (plan.cp == 1) {
        return 0;
    }
    const LayerSizes sizes = layerSizes(job, plan);
    const GroupPlacement group{plan.cp, plan.tp, std::min(plan.tp, job.cluster.nodeSize())};
    const double bytes = sizes.tokens * plan.cp * sizes.keyValueColumns * activationBytes(job);
    const double all =
        linked(job, collectiveSeconds(job.cluster, Collective::AllGather, bytes, group));
    return std::max(all - job.software.contextOverlap * attention,
                    (1 - job.software.contextOverlap) * all);
}

/// Domains of the innermost level, of `domains`, in which a token's experts are expected to lie:
/// all equally likely, within the groups that its routing is limited to.
double expectedDomains(const ExpertShape& expert, double domains)
{
    const double open =
        expert.groups > 0
            ? std::max(1.0, domains * expert.activeGroups / static_cast<double>(expert.groups))
            : domains;
    return open * (1 - std::pow(1 - 1 / open, expert.activeExperts));
}

/// Tokens to their experts and back, as far as compute does not hide them.
double expertSeconds(const TrainingJob& job, const ParallelPlan& plan)
{
    if (plan.ep == 1) {
        return 0;
    }
    const LayerSizes sizes = layerSizes(job, plan);
    GroupPlacement group{plan.ep, plan.expertTp, std::min(plan.expertTp, job.cluster.nodeSize())};
    if (job.software.dispatchesOnce) {
        const double inside = std::max(1, job.cluster.nodeSize() / plan.expertTp);
        const double domains = std::ceil(plan.ep / inside);
        group.beyond = expectedDomains(job.model.expert, domains) / job.model.expert.activeExperts;
    }
    const double width = job.precision == NumberFormat::Fp8 ? 1.5 : activationBytes(job);
    const double bytes =
        sizes.tokens / plan.tp * job.model.expert.activeExperts * job.model.hidden * width;
    return 2 * linked(job, collectiveSeconds(job.cluster, Collective::AllToAll, bytes, group)) *
           (1 - job.software.expertOverlap);
}

LayerExchanges layerExchanges(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer,
                              const WorkSeconds& attention)
{
    LayerExchanges exchanges;
    const double exposed = 1 - job.software.tensorOverlap;
    const double sums =
        expertLayer && plan.expertTp == 1 && job.model.expert.sharedExperts == 0 ? 1 : 2;
    const double tensor = sums * exposed * tensorSeconds(job, plan, layerSizes(job, plan).tokens);
    const double forward = contextSeconds(job, plan, attention.forward);
    // Backward passes keys, values and their gradients.
    const double backward = 2 * contextSeconds(job, plan, attention.input / 2);
    const double experts = expertLayer ? expertSeconds(job, plan) : 0;
    exchanges.forward = tensor + forward + experts;
    exchanges.input = tensor + backward + experts;
    exchanges.attention = forward;
    exchanges.experts = experts;
    return exchanges;
}

/// How much later launches become in this group, and without the fused softmax.
double floorFactor(const TrainingJob& job, const ParallelPlan& plan)
{
    const SoftwareProfile& software = job.software;
    double factor = 1 + software.floorJitter * std::log2(static_cast<double>(plan.tp));
    constexpr std::int64_t fusedScores = 4;
    if (!software.fusedAttention && static_cast<std::int64_t>(plan.microbatch) *
                                            std::max(1, job.model.heads / plan.tp) % fusedScores !=
                                        0) {
        factor *= software.unfusedFloor;
    }
    return factor;
}

PassSeconds layerPass(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer)
{
    const WorkSeconds attention = attentionSeconds(job, plan);
    WorkSeconds work = projectionSeconds(job, plan);
    work += attention;
    work += mlpSeconds(job, plan, expertLayer);
    work += elementwiseSeconds(job, plan, expertLayer);
    work.weight *= job.trainedShare; // frozen weights get no gradient
    const LayerExchanges exchanges = layerExchanges(job, plan, expertLayer, attention);

    const double factor = floorFactor(job, plan);
    PassSeconds pass;
    const double forward = work.forward + exchanges.forward;
    const double backward = work.input + exchanges.input + work.weight;
    const double routing = expertLayer ? job.software.expertFloor : 0;
    pass.forward = withFloor(forward, (job.software.layerFloor + routing) * factor);
    const double lengthened =
        withFloor(backward, (job.software.backwardFloor + 2 * routing) * factor);
    pass.input = lengthened * (work.input + exchanges.input) / backward;
    pass.weight = lengthened - pass.input;
    pass.exposed = exchanges.forward + exchanges.input;
    pass.dispatch = exchanges.experts;
    double recomputed = 0;
    switch (plan.recompute) {
    case Recompute::None:
        break;
    case Recompute::Selective:
        if (job.model.latent.keyValueRank > 0) {
            recomputed = upProjectionSeconds(job, plan).forward +
                         recomputedElementwise(job, plan, expertLayer);
            pass.recompute = recomputed;
            break;
        }
        recomputed = attention.forward + exchanges.attention;
        pass.recompute = recomputed;
        pass.exposed += exchanges.attention;
        break;
    case Recompute::Full:
        recomputed = forward;
        pass.recompute = pass.forward;
        pass.exposed += exchanges.forward;
        break;
    }
    pass.floor = std::max(0.0, pass.all() - forward - backward - recomputed);
    return pass;
}

PassSeconds headPass(const TrainingJob& job, const ParallelPlan& plan)
{
    const WorkSeconds work = headSeconds(job, plan);
    // Forward gathers the activations (or backward sums their gradient); the loss itself sums
    // scalars only.
    const double exchange =
        tensorSeconds(job, plan, layerSizes(job, plan).tokens) * (1 - job.software.tensorOverlap);
    PassSeconds pass;
    pass.forward = work.forward;
    pass.input = work.input + exchange;
    pass.weight = work.weight * job.trainedShare;
    pass.exposed = exchange;
    return pass;
}

PassSeconds embeddingPass(const TrainingJob& job, const ParallelPlan& plan)
{
    const WorkSeconds work = embeddingSeconds(job, plan);
    const double exchange = tensorSeconds(job, plan, layerSizes(job, plan).tokens);
    PassSeconds pass;
    pass.forward = work.forward + exchange;
    pass.input = work.input;
    pass.weight = work.weight;
    pass.exposed = exchange;
    return pass;
}

} // namespace

UnitCosts unitCosts(const TrainingJob& job, const ParallelPlan& plan)
{
    UnitCosts unit;
    const bool mixed = job.model.expert.experts > 0;
    if (!mixed || job.model.expert.denseLayers > 0) {
        unit.denseLayer = layerPass(job, plan, false);
    }
    if (mixed) {
        unit.expertLayer = layerPass(job, plan, true);
    }
    unit.embedding = embeddingPass(job, plan);
    unit.head = headPass(job, plan);
    const bool split = plan.sequenceParallel || job.software.scattersTransfers;
    unit.hopBytes = layerSizes(job, plan).tokens * job.model.hidden * activationBytes(job) /
                    (split ? plan.tp : 1);
    return unit;
}

} // namespace triaxis
