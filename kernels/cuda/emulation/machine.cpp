#include "kernels/cuda/emulation/machine.h"

#include "kernels/cuda/emulation/violation.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

namespace triaxis::emulation
{

namespace
{

std::size_t setting(const char* name, std::size_t otherwise)
{
    const char* const text = std::getenv(name);
    std::size_t value = 0;
    if (!text || std::from_chars(text, text + std::strlen(text), value).ec != std::errc())
        return otherwise;
    return value;
}

class FunctionOperation final : public Operation
{
public:
    explicit FunctionOperation(std::function<bool()> advance) : m_advance(std::move(advance)) {}
    bool advance() override { return m_advance(); }

private:
    std::function<bool()> m_advance;
};

} // namespace

std::unique_ptr<Operation> operation(std::function<bool()> advance)
{
    return std::make_unique<FunctionOperation>(std::move(advance));
}

int faultSetting(const char* name)
{
    const char* const setting = std::getenv(name);
    const char* const own = std::getenv("OMPI_COMM_WORLD_RANK");
    const std::string_view text = setting ? setting : "";
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || text.substr(0, colon) != (own ? own : "0"))
        return 0;
    int number = 0;
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), number);
    return number;
}

double steadySeconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void Queue::add(std::unique_ptr<Operation> operation)
{
    ++machine().counts.operations;
    m_operations.push_back(std::move(operation));
}

bool Queue::advance()
{
    if (m_operations.empty() || !m_operations.front()->advance())
        return false;
    m_operations.pop_front();
    return true;
}

Machine::Machine()
    : m_memory(setting("TRIAXIS_EMULATED_MEMORY", std::size_t(1) << 30)),
      m_devices(static_cast<int>(setting("TRIAXIS_EMULATED_DEVICES", 8))),
      m_quick(setting("TRIAXIS_EMULATED_QUICK", 0) != 0),
      m_lateMessages(setting("TRIAXIS_EMULATED_LATE_MESSAGES", 0) != 0),
      m_allocationsUntilFailure(faultSetting("TRIAXIS_EMULATED_MEMORY_END"))
{
}

Queue* Machine::makeQueue()
{
    ++counts.allocations;
    return m_queues.emplace_back(std::make_unique<Queue>()).get();
}

void Machine::removeQueue(Queue* queue)
{
    finish(*queue);
    std::erase_if(m_queues, [&](const std::unique_ptr<Queue>& q) { return q.get() == queue; });
}

bool Machine::advance(Queue& queue)
{
    if (lost())
        return false;
    try {
        return queue.advance();
    } catch (const Violation& violation) {
        lose(violation.what());
        return false;
    }
}

bool Machine::advance()
{
    bool moved = advance(m_default);
    for (std::size_t i = 0; i < m_queues.size(); ++i)
        if (!m_lateMessages || !m_queues[i]->isAtMessage())
            moved = advance(*m_queues[i]) || moved;
    for (std::size_t i = 0; m_lateMessages && !moved && i < m_queues.size(); ++i)
        moved = advance(*m_queues[i]);
    return moved;
}

void Machine::advanceUntil(Queue& queue, const std::function<bool()>& isDone)
{
    while (!lost() && !isDone())
        if (!advance(queue) && !advance())
            std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void Machine::finish(Queue& queue)
{
    advanceUntil(queue, [&] { return queue.empty(); });
}

void Machine::finishAll()
{
    finish(m_default);
    for (std::size_t i = 0; i < m_queues.size(); ++i)
        finish(*m_queues[i]);
}

void Machine::lose(const std::string& reason)
{
    if (m_reason.empty())
        m_reason = reason;
}

void Machine::recover()
{
    m_reason.clear();
    m_default = {};
    for (const auto& queue : m_queues)
        *queue = {};
    m_allocationsUntilFailure = 0;
}

bool Machine::allocationFails()
{
    if (m_allocationsUntilFailure == 0)
        return false;
    if (m_allocationsUntilFailure == 1)
        return true;
    --m_allocationsUntilFailure;
    return false;
}

void Machine::pin(void* host, std::size_t bytes)
{
    m_pinned[reinterpret_cast<std::uintptr_t>(host)] = bytes;
}

void Machine::unpin(void* host)
{
    m_pinned.erase(reinterpret_cast<std::uintptr_t>(host));
}

bool Machine::isPinned(const void* host) const
{
    const auto at = reinterpret_cast<std::uintptr_t>(host);
    auto next = m_pinned.upper_bound(at);
    if (next == m_pinned.begin())
        return false;
    --next;
    return at < next->first + next->second;
}

} // namespace triaxis::emulation
