#include "engine/schedule/stage_order.h"

#include <algorithm>

namespace triaxis
{

StageOrder::StageOrder(ComputeProgram& program, int stage)
    : m_steps(program.order[stage]), m_chunks(program.chunks, Counts{0, program.microbatches, 0, 0})
{
}

void StageOrder::take(int chunk, int first, int count)
{
    m_chunks[chunk].first = first;
    m_chunks[chunk].count = count;
}

void StageOrder::add(Kind kind, int chunk, int number, bool withNext)
{
    if (takes(chunk, number))
        m_steps.push_back(
            {kind, Chunk(chunk), Microbatch(m_chunks[chunk].first + number), withNext});
}

void StageOrder::forward(int chunk)
{
    add(Kind::Forward, chunk, m_chunks[chunk].forwards++);
}

void StageOrder::backward(int chunk)
{
    add(Kind::Backward, chunk, m_chunks[chunk].backwards++);
}

void StageOrder::backwardInput(int chunk)
{
    m_pending.push_back({chunk, m_chunks[chunk].backwards});
    add(Kind::BackwardInput, chunk, m_chunks[chunk].backwards++);
}

void StageOrder::backwardWeight()
{
    add(Kind::BackwardWeight, m_pending.front().chunk, m_pending.front().number);
    m_pending.pop_front();
}

void StageOrder::backwardWeight(int chunk)
{
    const auto oldest =
        std::find_if(m_pending.begin(), m_pending.end(),
                     [chunk](const Pending& pending) { return pending.chunk == chunk; });
    add(Kind::BackwardWeight, chunk, oldest->number);
    m_pending.erase(oldest);
}

int StageOrder::pendingWeights(int chunk) const
{
    return int(std::count_if(m_pending.begin(), m_pending.end(),
                             [chunk](const Pending& pending) { return pending.chunk == chunk; }));
}

void StageOrder::overlapped(int forwardChunk, int backwardChunk)
{
    const int number = m_chunks[forwardChunk].forwards++;
    const bool both =
        takes(forwardChunk, number) && takes(backwardChunk, m_chunks[backwardChunk].backwards);
    add(Kind::Forward, forwardChunk, number, both);
    backward(backwardChunk);
}

} // namespace triaxis
