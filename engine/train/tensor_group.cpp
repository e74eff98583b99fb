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

bool haveEnded(std::vector<TensorCollective>& collectives)
{
    return std::all_of(collectives.begin(), collectives.end(), [](TensorCollective& each) {
        return (!each.request || each.request->test()) && each.from->test() && each.to->test();
    });
}

TensorTimes timesOf(const std::vector<TensorCollective>& collectives)
{
    TensorTimes times;
    for (const TensorCollective& each : collectives) {
        const kernels::Timing timing = each.request ? each.request->timing() : each.timing;
        const double from = each.from->timing().end;
        const double to = each.to->timing().end;
        times.wait += overlap(timing.ready, timing.begin, from, to);
        times.transfer += overlap(timing.begin, timing.end, from, to);
        times.collectives.push_back({each.part, timing, each.bytes});
    }
    return times;
}

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
    TensorCollective& done = m_finished.emplace_back();
    done.part = pending.part;
    done.bytes = pending.bytes;
    done.from = m_world.moment();
    if (pending.request->holdBackDevice()) {
        done.request = std::move(pending.request);
    } else {
        m_world.wait(*pending.request);
        done.timing = pending.request->timing();
        pending.request.reset();
    }
    done.to = m_world.moment();
}

void TensorGroup::allReduce(float* data, std::int64_t count, kernels::Reduction reduction, int part)
{
    PendingCollective pending = start(data, count, reduction, part);
    finish(pending);
}

std::vector<TensorCollective> TensorGroup::take()
{
    return std::exchange(m_finished, {});
}

} // namespace triaxis::train
