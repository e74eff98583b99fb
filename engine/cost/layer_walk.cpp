#include "engine/cost/layer_walk.h"

#include "engine/model/parameters.h"

#include <algorithm>
#include <utility>

namespace triaxis
{
namespace
{

using Op = MachineOperation;

/// Vocabulary entries of a tensor rank.
std::int64_t entriesOf(const ModelSpec& model, int tensorRank, int tensorSize)
{
    for (const ParameterSpec& parameter : parametersOf(model))
        if (parameter.owner == ParameterOwner::Embedding &&
            parameter.split == TensorSplit::Vocabulary)
            return shardOf(model, parameter, tensorRank, tensorSize).shape.at(0);
    return model.vocabulary;
}

std::int64_t roundUp(std::int64_t count)
{
    return (count + 15) / 16 * 16;
}

/// Floats that a thread's attention over `time` tokens works in: blocks of 64 tokens, and the keys,
/// values and their gradients of a head packed beside them.
std::int64_t attentionScratch(std::int64_t time, std::int64_t headSize)
{
    constexpr std::int64_t block = 64;
    const std::int64_t blocks = (time + block - 1) / block;
    return 2 * roundUp(block * block) + 3 * roundUp(block * headSize) +
           2 * roundUp(blocks * block * headSize) + 4 * roundUp(time * headSize);
}

} // namespace

LayerWalk::LayerWalk(const RunPlan& plan, int tensorRank, const MachineRates& rates)
    : m_plan(plan), m_rates(rates), m_gpt2(plan.model.architecture == Architecture::Gpt2),
      m_batch(plan.training.batch.microbatch), m_time(plan.training.batch.sequence),
      m_rows(m_batch * m_time), m_width(plan.model.hidden),
      m_feedForward(plan.model.feedForward / plan.layout.tp),
      m_entries(entriesOf(plan.model, tensorRank, plan.layout.tp)),
      m_heads(plan.model.heads / plan.layout.tp),
      m_kvHeads(std::max(1, plan.model.kvHeads / plan.layout.tp)), m_headSize(plan.model.headSize),
      m_queryWidth(m_heads * m_headSize), m_keyWidth(m_kvHeads * m_headSize),
      m_projected(m_queryWidth + 2 * m_keyWidth),
      m_logitStride(std::max<std::int64_t>(16, roundUp(m_entries))),
      m_company(rates.company(workOf(m_rows, m_width)))
{
}

Held LayerWalk::hold(MemoryCategory category, std::int64_t floats)
{
    const Held held{category, floats * std::int64_t(sizeof(float))};
    const auto index = std::size_t(category);
    m_live[index] += held.bytes;
    m_liveTotal += held.bytes;
    m_memory.peak[index] = std::max(m_memory.peak[index], m_live[index]);
    m_memory.peakTotal = std::max(m_memory.peakTotal, m_liveTotal);
    return held;
}

void LayerWalk::drop(Held& held)
{
    m_live[std::size_t(held.category)] -= held.bytes;
    m_liveTotal -= held.bytes;
    held = {};
}

std::vector<WorkPart> LayerWalk::takeParts()
{
    return std::exchange(m_parts, {});
}

void LayerWalk::compute(const MachineSeconds& seconds, const MachineSeconds& factor)
{
    if (m_parts.empty() || m_parts.back().what != WorkPart::What::Compute)
        m_parts.emplace_back();
    m_parts.back().seconds += {seconds.alone * factor.alone, seconds.crowded * factor.crowded};
}

void LayerWalk::operation(MachineOperation operation, std::int64_t elements)
{
    if (operation == Op::AdamW) {
        compute(m_rates.operation(operation, elements), m_company.update);
        compute(beyondCaches(StreamUse::Optimizer, 4 * elements), m_company.update);
        return;
    }
    if (operation != Op::Instruction && operation != Op::SyntheticTokens &&
        operation != Op::TextTokens) {
        compute(m_rates.operation(operation, elements));
        return;
    }
    // Measured many at a time; each costs the same.
    constexpr std::int64_t many = 256;
    const MachineSeconds all = m_rates.operation(operation, many);
    const double share = double(elements) / many;
    compute({all.alone * share, all.crowded * share}, {1, 1});
}

MachineSeconds LayerWalk::beyondCaches(StreamUse use, std::int64_t floats) const
{
    return m_rates.beyondCaches(use, shared(m_workingSet), floats * std::int64_t(sizeof(float)));
}

std::int64_t LayerWalk::shared(std::int64_t bytes) const
{
    const std::int64_t threads = std::int64_t(m_plan.layout.ranks()) * m_rates.threads();
    return bytes * std::max<std::int64_t>(threads, m_rates.cores()) / m_rates.cores();
}

void LayerWalk::passThrough(std::int64_t bytes)
{
    compute(m_rates.beyondCaches(StreamUse::Activations, shared(m_keptSet), bytes));
}

Held LayerWalk::save(std::int64_t floats)
{
    const Held held = keep(floats);
    passThrough(held.bytes);
    return held;
}

void LayerWalk::restore(Held& held)
{
    passThrough(held.bytes);
    drop(held);
}

void LayerWalk::startReduce()
{
    if (m_plan.layout.tp > 1)
        m_parts.push_back({WorkPart::What::StartTensorReduce, {}, 0});
}

void LayerWalk::endReduce(std::int64_t floats)
{
    if (m_plan.layout.tp > 1)
        m_parts.push_back(
            {WorkPart::What::EndTensorReduce, {}, floats * std::int64_t(sizeof(float))});
}

void LayerWalk::reduce(std::int64_t floats)
{
    startReduce();
    endReduce(floats);
}

void LayerWalk::forwardProduct(std::int64_t inputs, std::int64_t outputs, bool outputMajor)
{
    compute(m_rates.product(outputMajor ? ProductForm::RightTransposed : ProductForm::Plain, m_rows,
                            outputs, inputs));
    compute(beyondCaches(StreamUse::Weights, inputs * outputs));
}

void LayerWalk::inputProduct(std::int64_t inputs, std::int64_t outputs, bool outputMajor)
{
    compute(m_rates.product(outputMajor ? ProductForm::Plain : ProductForm::RightTransposed, m_rows,
                            inputs, outputs));
    compute(beyondCaches(StreamUse::Weights, inputs * outputs));
}

void LayerWalk::weightProduct(std::int64_t inputs, std::int64_t outputs, bool outputMajor)
{
    compute(m_rates.product(ProductForm::LeftTransposed, outputMajor ? outputs : inputs,
                            outputMajor ? inputs : outputs, m_rows));
    compute(beyondCaches(StreamUse::Gradients, inputs * outputs));
}

void LayerWalk::biasGradient(std::int64_t outputs, bool has)
{
    if (has)
        operation(Op::BiasGradient, m_rows * outputs);
}

void LayerWalk::attentionKernel(bool backward)
{
    Held work = scratch(m_rates.threads() * attentionScratch(m_time, m_headSize));
    compute(m_rates.attention(backward, m_batch, m_heads, m_kvHeads, m_time, m_headSize));
    drop(work);
}

void LayerWalk::rotate()
{
    if (m_gpt2)
        return;
    operation(Op::Rope, m_rows * m_queryWidth);
    operation(Op::Rope, m_rows * m_keyWidth);
}

void LayerWalk::normForward(BlockHeld& saved)
{
    saved.statistics = keep((m_gpt2 ? 2 : 1) * m_rows);
    operation(m_gpt2 ? Op::LayerNormForward : Op::RmsNormForward, m_rows * m_width);
}

void LayerWalk::normBackward(BlockHeld& saved)
{
    operation(m_gpt2 ? Op::LayerNormBackward : Op::RmsNormBackward, m_rows * m_width);
    restore(saved.x);
    drop(saved.statistics);
}

Held LayerWalk::attentionForward(Held x, BlockHeld& saved)
{
    saved.normed = save(m_rows * m_width);
    normForward(saved);
    saved.projected = save(m_rows * m_projected);
    const bool biased = m_gpt2 || m_plan.model.attentionBias;
    if (m_gpt2) {
        forwardProduct(m_width, m_projected, false);
    } else {
        for (const std::int64_t outputs : {m_queryWidth, m_keyWidth, m_keyWidth})
            forwardProduct(m_width, outputs, true);
    }
    if (biased)
        operation(Op::AddBias, m_rows * m_projected);
    rotate();
    saved.attended = save(m_rows * m_queryWidth);
    saved.logSumExp = keep(m_rows * m_heads);
    attentionKernel(false);
    const Held y = save(m_rows * m_width);
    forwardProduct(m_queryWidth, m_width, !m_gpt2);
    reduce(m_rows * m_width);
    operation(Op::AddResidual, m_rows * m_width);
    saved.x = x;
    return y;
}

void LayerWalk::attentionWeights()
{
    const bool biased = m_gpt2 || m_plan.model.attentionBias;
    weightProduct(m_queryWidth, m_width, !m_gpt2);
    biasGradient(m_width, biased);
    if (m_gpt2) {
        weightProduct(m_width, m_projected, false);
    } else {
        for (const std::int64_t outputs : {m_queryWidth, m_keyWidth, m_keyWidth})
            weightProduct(m_width, outputs, true);
    }
    biasGradient(m_projected, biased);
}

void LayerWalk::attentionBackward(BlockHeld& saved, bool weights)
{
    Held attendedGradient = scratch(m_rows * m_queryWidth);
    inputProduct(m_queryWidth, m_width, !m_gpt2);
    Held projectedGradient = keep(m_rows * m_projected);
    attentionKernel(true);
    rotate();
    drop(attendedGradient);
    restore(saved.projected);
    drop(saved.logSumExp);

    Held normedGradient = scratch(m_rows * m_width);
    if (m_gpt2) {
        inputProduct(m_width, m_projected, false);
    } else {
        for (const std::int64_t outputs : {m_queryWidth, m_keyWidth, m_keyWidth})
            inputProduct(m_width, outputs, true);
    }
    startReduce();
    if (weights) {
        attentionWeights();
        restore(saved.normed);
        restore(saved.attended);
    } else {
        saved.outputGradient = save(m_rows * m_width);
        operation(Op::Copy, m_rows * m_width);
        saved.branchGradient = std::exchange(projectedGradient, {});
        passThrough(saved.branchGradient.bytes);
    }
    endReduce(m_rows * m_width);
    normBackward(saved);
    drop(normedGradient);
    drop(projectedGradient);
}

Held LayerWalk::mlpForward(Held x, BlockHeld& saved)
{
    const int branches = m_gpt2 ? 1 : 2;
    const std::int64_t count = m_rows * m_feedForward;
    saved.normed = save(m_rows * m_width);
    normForward(saved);
    saved.inner = save(count * branches);
    for (int i = 0; i < branches; ++i)
        forwardProduct(m_width, m_feedForward, !m_gpt2);
    saved.activated = save(count);
    if (!m_gpt2 && m_plan.model.mlpBias)
        operation(Op::AddBias, branches * count);
    operation(m_gpt2 ? Op::GeluForward : Op::SwigluForward, count);
    const Held y = save(m_rows * m_width);
    forwardProduct(m_feedForward, m_width, !m_gpt2);
    reduce(m_rows * m_width);
    operation(Op::AddResidual, m_rows * m_width);
    saved.x = x;
    return y;
}

void LayerWalk::mlpWeights()
{
    const bool biased = m_gpt2 || m_plan.model.mlpBias;
    weightProduct(m_feedForward, m_width, !m_gpt2);
    biasGradient(m_width, biased);
    for (int i = 0; i < (m_gpt2 ? 1 : 2); ++i) {
        weightProduct(m_width, m_feedForward, !m_gpt2);
        biasGradient(m_feedForward, biased);
    }
}

void LayerWalk::mlpBackward(BlockHeld& saved, bool weights)
{
    const std::int64_t count = m_rows * m_feedForward;
    Held innerGradient = keep(count);
    inputProduct(m_feedForward, m_width, !m_gpt2);
    if (m_gpt2) {
        operation(Op::GeluBackward, count);
    } else {
        Held both = keep(2 * count);
        operation(Op::SwigluBackward, count);
        drop(innerGradient);
        innerGradient = both;
    }
    restore(saved.inner);

    Held normedGradient = scratch(m_rows * m_width);
    for (int i = 0; i < (m_gpt2 ? 1 : 2); ++i)
        inputProduct(m_width, m_feedForward, !m_gpt2);
    startReduce();
    if (weights) {
        mlpWeights();
        restore(saved.normed);
        restore(saved.activated);
    } else {
        saved.outputGradient = save(m_rows * m_width);
        operation(Op::Copy, m_rows * m_width);
        saved.branchGradient = std::exchange(innerGradient, {});
        passThrough(saved.branchGradient.bytes);
    }
    endReduce(m_rows * m_width);
    normBackward(saved);
    drop(normedGradient);
    drop(innerGradient);
}

} // namespace triaxis
