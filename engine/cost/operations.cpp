#include "engine/cost/operations.h"

#include "engine/cost/gemm.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double elementBytes = 2; ///< of activations in all mixed-precision formats

double bytesPerElement(const TrainingJob& job)
{
    return job.precision == NumberFormat::Fp32 || job.precision == NumberFormat::Tf32
               ? 4
               : elementBytes;
}

double productRate(const TrainingJob& job)
{
    const double narrow = job.precision == NumberFormat::Fp8   ? job.software.fp8Efficiency
                          : job.precision == NumberFormat::Fp4 ? job.software.fp4Efficiency
                                                               : 1;
    return job.software.gemmEfficiency * narrow;
}

/// Format of attention and of all that the FP8 recipes leave in 16 bits.
NumberFormat wideFormat(const TrainingJob& job)
{
    return job.precision == NumberFormat::Fp8 || job.precision == NumberFormat::Fp4
               ? NumberFormat::Bf16
               : job.precision;
}

double moved(const TrainingJob& job, double bytes)
{
    return bytes / job.cluster.device.memoryBandwidth;
}

WorkSeconds scaled(WorkSeconds work, double factor)
{
    return {work.forward * factor, work.input * factor, work.weight * factor};
}

/// A linear layer in 16 bits whatever the job's precision (router, head).
WorkSeconds wideLinear(const TrainingJob& job, double m, double n, double k)
{
    const DeviceSpec& device = job.cluster.device;
    const NumberFormat format = wideFormat(job);
    const double rate = job.software.gemmEfficiency;
    return {gemmSeconds(device, m, n, k, format) / rate,
            gemmSeconds(device, m, k, n, format) / rate,
            gemmSeconds(device, k, n, m, format) / rate};
}

/// Scores in memory: two batched products, and the passes over the [s, s] matrices.
WorkSeconds unfusedAttention(const TrainingJob& job, const LayerSizes& sizes)
{
    const DeviceSpec& device = job.cluster.device;
    const double head = job.model.headSize;
    const double rows = sizes.tokens * sizes.heads;
    const double flops = 4 * rows * sizes.sequence * head;
    double products = 0;
    if (job.model.headSize % 8 == 0) {
        products = (gemmSeconds(device, rows, sizes.sequence, head, wideFormat(job)) +
                    gemmSeconds(device, rows, head, sizes.sequence, wideFormat(job))) /
                   job.software.gemmEfficiency;
    } else {
        // Tensor units take rows of 16 bytes only; the kernels behind them reach about half of the
        // plain float32 rate.
        constexpr double plainShare = 0.5;
        products = flops / (device.peakOf(NumberFormat::Fp32) * plainShare);
    }
    const double passes = moved(job, rows * sizes.sequence * job.software.scoreBytes);
    return {products + passes, 2 * products + passes, 0};
}

} // namespace

WorkSeconds& WorkSeconds::operator+=(const WorkSeconds& other)
{
    forward += other.forward;
    input += other.input;
    weight += other.weight;
    return *this;
}

LayerSizes layerSizes(const TrainingJob& job, const ParallelPlan& plan)
{
    LayerSizes sizes;
    sizes.tokens = static_cast<double>(plan.microbatch) * job.sequence / plan.cp;
    sizes.splitTokens = plan.sequenceParallel ? sizes.tokens / plan.tp : sizes.tokens;
    sizes.sequence = job.sequence;
    sizes.heads = std::max(1.0, static_cast<double>(job.model.heads) / plan.tp);
    sizes.queryColumns = sizes.heads * (job.model.headSize + job.model.latent.ropeHead);
    sizes.keyValueColumns =
        2.0 * job.model.headSize * std::max(1.0, static_cast<double>(job.model.kvHeads) / plan.tp);
    return sizes;
}

WorkSeconds linearSeconds(const TrainingJob& job, double m, double n, double k)
{
    const DeviceSpec& device = job.cluster.device;
    const double rate = productRate(job);
    return {gemmSeconds(device, m, n, k, job.precision) / rate,
            gemmSeconds(device, m, k, n, job.precision) / rate,
            gemmSeconds(device, k, n, m, job.precision) / rate};
}

WorkSeconds attentionSeconds(const TrainingJob& job, const ParallelPlan& plan)
{
    const LayerSizes sizes = layerSizes(job, plan);
    if (!job.software.fusedAttention) {
        return unfusedAttention(job, sizes);
    }
    // Context parallelism gives each rank s/cp queries against all s keys, balanced so that
    // causality halves the work on every rank.
    const double head = job.model.headSize + job.model.latent.ropeHead / 2.0;
    const double batchHeads = plan.microbatch * sizes.heads / plan.cp;
    const NumberFormat format = wideFormat(job);
    const double rate = job.software.attentionEfficiency;
    return {
        attentionSeconds(job.cluster.device, batchHeads, sizes.sequence, head, true, false,
                         format) /
            rate,
        attentionSeconds(job.cluster.device, batchHeads, sizes.sequence, head, true, true, format) /
            rate,
        0};
}

WorkSeconds upProjectionSeconds(const TrainingJob& job, const ParallelPlan& plan)
{
    const LatentAttention& latent = job.model.latent;
    if (latent.keyValueRank == 0) {
        return {};
    }
    const LayerSizes sizes = layerSizes(job, plan);
    WorkSeconds work =
        linearSeconds(job, sizes.tokens, sizes.heads * (job.model.headSize + latent.valueHead),
                      latent.keyValueRank);
    if (latent.queryRank > 0) {
        work +=
            linearSeconds(job, sizes.tokens, sizes.heads * (job.model.headSize + latent.ropeHead),
                          latent.queryRank);
    }
    return work;
}

WorkSeconds projectionSeconds(const TrainingJob& job, const ParallelPlan& plan)
{
    const LayerSizes sizes = layerSizes(job, plan);
    const ModelShape& model = job.model;
    const double hidden = model.hidden;
    WorkSeconds work;
    if (model.latent.keyValueRank > 0) {
        const LatentAttention& latent = model.latent;
        work = upProjectionSeconds(job, plan);
        const double queries = latent.queryRank > 0
                                   ? latent.queryRank
                                   : sizes.heads * (model.headSize + latent.ropeHead);
        work += linearSeconds(job, sizes.tokens, queries, hidden);
        work += linearSeconds(job, sizes.tokens, latent.keyValueRank + latent.ropeHead, hidden);
        work += linearSeconds(job, sizes.tokens, hidden, sizes.heads * latent.valueHead);
        return work;
    }
    work += linearSeconds(job, sizes.tokens, sizes.queryColumns + sizes.keyValueColumns, hidden);
    work += linearSeconds(job, sizes.tokens, hidden, sizes.queryColumns);
    return work;
}

WorkSeconds mlpSeconds(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer)
{
    const LayerSizes sizes = layerSizes(job, plan);
    const ModelShape& model = job.model;
    const double hidden = model.hidden;
    const double up = model.gatedMlp ? 2 : 1;
    const auto mlp = [&](double tokens, double width) {
        WorkSeconds work = linearSeconds(job, tokens, up * width, hidden);
        work += linearSeconds(job, tokens, hidden, width);
        return work;
    };
    if (!expertLayer) {
        return mlp(sizes.tokens, static_cast<double>(model.feedForward) / plan.tp);
    }
    const ExpertShape& expert = model.expert;
    WorkSeconds work = wideLinear(job, sizes.splitTokens, expert.experts, hidden);
    if (expert.sharedExperts > 0) {
        work += mlp(sizes.tokens,
                    static_cast<double>(expert.sharedExperts) * expert.expertFeedForward / plan.tp);
    }
    // Tokens are balanced over the experts; those of one rank's experts run one after the other.
    const double local = std::max(1.0, static_cast<double>(expert.experts) / plan.ep);
    const double routed = sizes.tokens / plan.tp * plan.expertTp * expert.activeExperts;
    work +=
        scaled(mlp(routed / local, static_cast<double>(expert.expertFeedForward) / plan.expertTp),
               local / job.software.expertEfficiency);
    return work;
}

namespace
{

/// Inner columns of a token on this rank, over all of its experts.
double innerColumns(const ModelShape& model, const ParallelPlan& plan, bool expertLayer)
{
    const double columns = expertLayer
                               ? static_cast<double>(model.expert.expertFeedForward) *
                                     (model.expert.activeExperts + model.expert.sharedExperts)
                               : static_cast<double>(model.feedForward);
    return columns / plan.tp;
}

/// Bytes that the activation function reads and writes in a layer.
double activationTraffic(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer)
{
    return (job.model.gatedMlp ? 3 : 2) * bytesPerElement(job) * layerSizes(job, plan).tokens *
           innerColumns(job.model, plan, expertLayer);
}

} // namespace

double recomputedElementwise(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer)
{
    const double norms =
        4 * bytesPerElement(job) * layerSizes(job, plan).splitTokens * job.model.hidden;
    return moved(job, (norms + activationTraffic(job, plan, expertLayer)) *
                          job.software.elementwiseFactor);
}

WorkSeconds elementwiseSeconds(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer)
{
    const LayerSizes sizes = layerSizes(job, plan);
    const ModelShape& model = job.model;
    const double bytes = bytesPerElement(job);
    // Two norms read and write, two residual sums read twice and write; the activation reads its
    // input and writes.
    const double residual = 10 * bytes * sizes.splitTokens * model.hidden;
    double permuted = 0;
    if (expertLayer) {
        permuted = 4 * bytes * sizes.tokens / plan.tp * model.expert.activeExperts * model.hidden *
                   job.software.permuteFactor;
    }
    const double activation = activationTraffic(job, plan, expertLayer);
    const double forward =
        moved(job, (residual + activation + permuted) * job.software.elementwiseFactor);
    const double accumulated = moved(job, rankLayerParameters(model, plan, expertLayer) *
                                              job.trainedShare * job.software.accumulationBytes);
    return {forward, 1.5 * forward, accumulated};
}

WorkSeconds headSeconds(const TrainingJob& job, const ParallelPlan& plan)
{
    const LayerSizes sizes = layerSizes(job, plan);
    const double columns = static_cast<double>(job.model.vocabulary) / plan.tp;
    WorkSeconds work = wideLinear(job, sizes.tokens, columns, job.model.hidden);
    const double loss = moved(job, sizes.tokens * columns * job.software.lossBytes);
    work.forward += loss / 2;
    work.input += loss / 2;
    work.weight += moved(job, headParameters(job.model) / plan.tp * job.trainedShare *
                                  job.software.accumulationBytes);
    return scaled(work, job.model.predictedTokens);
}

WorkSeconds embeddingSeconds(const TrainingJob& job, const ParallelPlan& plan)
{
    const LayerSizes sizes = layerSizes(job, plan);
    const double bytes = bytesPerElement(job) * sizes.tokens * job.model.hidden;
    const double forward = moved(job, 4 * bytes * job.software.elementwiseFactor);
    const double accumulated = moved(job, embeddingParameters(job.model) / plan.tp *
                                              job.trainedShare * job.software.accumulationBytes);
    return {forward, 0, forward + accumulated};
}

double rankExpertParameters(const ModelShape& model, const ParallelPlan& plan)
{
    const double matrices = model.gatedMlp ? 3 : 2;
    const double local = static_cast<double>(model.expert.experts) / plan.ep;
    return local * matrices * model.hidden * model.expert.expertFeedForward / plan.expertTp;
}

double rankLayerParameters(const ModelShape& model, const ParallelPlan& plan, bool expertLayer)
{
    if (!expertLayer) {
        return layerParameters(model, false) / plan.tp;
    }
    ModelShape shared = model;
    shared.expert.experts = 0;
    const double router = static_cast<double>(model.hidden) * model.expert.experts;
    return layerParameters(shared, true) / plan.tp + router + rankExpertParameters(model, plan);
}

} // namespace triaxis
