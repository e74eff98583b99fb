#include "engine/train/span_queue.h"

#include <utility>

namespace triaxis::train
{

void SpanQueue::computed(const Instruction& instruction, std::unique_ptr<kernels::Request> begin,
                         std::unique_ptr<kernels::Request> end,
                         std::vector<TensorCollective> tensor)
{
    m_entries.push_back({instruction, std::move(begin), std::move(end), std::move(tensor), 0});
}

void SpanQueue::communicated(const Instruction& instruction,
                             std::unique_ptr<kernels::Request> request, std::int64_t bytes)
{
    m_entries.push_back({instruction, nullptr, std::move(request), {}, bytes});
}

bool SpanQueue::hasEnded(Entry& entry)
{
    try {
        // What is waited for last has ended last, but for a collective that the layer went on
        // beside.
        return haveEnded(entry.tensor) && (!entry.begin || entry.begin->test()) &&
               entry.end->test();
    } catch (...) {
        m_recorder.enter(entry.instruction.id);
        throw;
    }
}

void SpanQueue::record(const Entry& entry)
{
    if (entry.begin)
        m_recorder.computed(entry.instruction, entry.begin->timing().end, entry.end->timing().end,
                            timesOf(entry.tensor));
    else
        m_recorder.communicated(entry.instruction, entry.end->timing(), entry.bytes);
}

void SpanQueue::recordEnded()
{
    while (!m_entries.empty()) {
        Entry& first = m_entries.front();
        if (!hasEnded(first)) {
            m_recorder.enter(first.instruction.id);
            return;
        }
        record(first);
        m_entries.pop_front();
    }
}

void SpanQueue::recordAll()
{
    for (recordEnded(); !m_entries.empty(); recordEnded()) {
        Entry& first = m_entries.front();
        try {
            for (TensorCollective& each : first.tensor)
                if (each.request)
                    m_world.wait(*each.request);
            m_world.wait(*first.end);
        } catch (...) {
            m_recorder.enter(first.instruction.id);
            throw;
        }
    }
}

} // namespace triaxis::train
