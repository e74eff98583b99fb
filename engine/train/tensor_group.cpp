#include "engine/train/tensor_group.h"

#include <algorithm>
#include <utility>

namespace triaxis::train
{
namespace
{

double overlap(double begin, double end, double from, double to)
{
    return std::max(0.0, std::min(end, to) - std::max(begin, from));
}

} // namespace

TensorGroup::TensorGroup(kernels::World& world, kernels::Communicator* group)
    : m_world(world), m_group(group)
{
}

int TensorGroup::rank() const
{
    return m_group ? m_group->rank() : 0;
}
int TensorGroup::size() const
{
    return m_group ? m_group->size() : 1;
}

PendingCollective TensorGroup::start(float* data, std::int64_t count, kernels::Reduction reduction,
                                     int part)
{
    PendingCollective pending;
    if (size() == 1)
        return pending;
    pending.part = part;
    pending.bytes = count * std::int64_t(sizeof(float));
    pending.request = m_group->allReduce(data, count, reduction);
    return pending;
}

void TensorGroup::finish(PendingCollective& pending)
{
    if (!pending.request)
        return;
    const double from = m_world.now();
    m_world.wait(*pending.request);
    const double to = m_world.now();
    const kernels::Timing timing = pending.request->timing();
    m_times.wait += overlap(timing.ready, timing.begin, from, to);
    m_times.transfer += overlap(timing.begin, timing.end, from, to);
    m_times.collectives.push_back({pending.part, timing, pending.bytes});
    pending.request.reset();
}

void TensorGroup::allReduce(float* data, std::int64_t count, kernels::Reduction reduction, int part)
{
    PendingCollective pending = start(data, count, reduction, part);
    finish(pending);
}

TensorTimes TensorGroup::take()
{
    return std::exchange(m_times, {});
}

} // namespace triaxis::train
