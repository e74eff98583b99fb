#include "engine/cost/machine_spans.h"

#include "engine/record/span_pairing.h"

#include <algorithm>
#include <limits>

namespace triaxis
{
namespace
{

constexpr std::int32_t predictedStep = 1;

} // namespace

void MachineSpans::computed(int rank, const Instruction& instruction, double begin, double end,
                            double tensorWait, double tensorTransfer)
{
    Span span;
    span.step = predictedStep;
    span.rank = Rank(rank);
    span.id = instruction.id;
    span.lane = instruction.lane;
    span.ready = span.begin = begin;
    span.end = std::max(begin, end);
    span.flops = instruction.flops;
    span.tensorWait = tensorWait;
    span.tensorTransfer = tensorTransfer;
    m_spans.push_back(span);
}

void MachineSpans::ready(int rank, const Instruction& instruction, double time)
{
    Span span;
    span.step = predictedStep;
    span.rank = Rank(rank);
    span.id = instruction.id;
    span.lane = instruction.lane;
    span.ready = span.begin = span.end = time;
    span.bytes = instruction.bytes;
    m_open[{rank, instruction.id}] = m_spans.size();
    m_spans.push_back(span);
}

void MachineSpans::ended(int rank, const Instruction& instruction, double time)
{
    const auto found = m_open.find({rank, instruction.id});
    if (found == m_open.end())
        return;
    Span& span = m_spans[found->second];
    span.end = std::max(span.end, time);
    m_open.erase(found);
}

std::vector<Span> MachineSpans::take(const RunPlan& plan)
{
    m_open.clear();
    SpanPairing(plan).pair(m_spans);
    double begin = std::numeric_limits<double>::infinity();
    for (const Span& span : m_spans)
        begin = std::min(begin, span.begin);
    for (Span& span : m_spans) {
        span.ready -= begin;
        span.begin -= begin;
        span.end -= begin;
    }
    return std::move(m_spans);
}

} // namespace triaxis
