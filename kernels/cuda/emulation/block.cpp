#include "kernels/cuda/emulation/block.h"

#include "kernels/cuda/emulation/violation.h"

#include <algorithm>
#include <bit>
#include <exception>

namespace triaxis::emulation
{

namespace
{

constexpr std::size_t mostThreads = 1024;

std::string text(const Index3& index)
{
    return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
           std::to_string(index.z) + ")";
}

std::string text(const std::source_location& where)
{
    const std::string file = where.file_name();
    return file.substr(file.rfind('/') + 1) + ":" + std::to_string(where.line());
}

bool samePlace(const std::source_location& a, const std::source_location& b)
{
    return a.line() == b.line() && a.column() == b.column() &&
           (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
}

} // namespace

Block::Block(std::size_t sharedBytes)
    : m_dynamic(sharedBytes / sizeof(double)), m_dynamicWords(sharedBytes / 4)
{
}

void Block::run(const char* kernel, const Size3& grid, const Size3& size, const Index3& index,
                std::size_t dynamicBytes, const std::function<void()>& body)
{
    m_kernel = kernel;
    m_index = index;
    m_dynamicBytes = dynamicBytes;
    m_failure.clear();
    m_firstMoment = ++m_moment;
    m_guarded = [&] {
        do {
            try {
                body();
            } catch (const std::exception& error) {
                m_failure = error.what();
            }
        } while (endThread());
    };
    gridDim = grid;
    blockDim = size;
    blockIdx = index;
    prepare(size);
    for (;;) {
        runReady();
        bool anyAtBarrier = false;
        for (std::size_t i = 0; i < m_count; ++i) {
            if (m_threads[i].state == State::AtExchange)
                failTogether("lanes wait for others of their warp that never come");
            anyAtBarrier = anyAtBarrier || m_threads[i].state == State::AtBarrier;
        }
        if (!anyAtBarrier)
            break;
        releaseBarrier();
    }
    m_running = -1;
}

void Block::prepare(const Size3& size)
{
    m_count = size.count();
    if (m_count == 0 || m_count > mostThreads)
        throw Violation(std::string(m_kernel) + " was launched with blocks of " +
                        std::to_string(m_count) + " threads");
    m_threads.resize(std::max(m_threads.size(), m_count));
    m_idle.clear();
    for (const auto& fiber : m_fibers) // also those that a failure left
        m_idle.push_back(fiber.get());
    m_warps.assign((m_count + lanesOfWarp - 1) / lanesOfWarp, {});
    if (m_count % lanesOfWarp != 0)
        m_warps.back().ended = ~0u << m_count % lanesOfWarp;
    for (std::size_t i = 0; i < m_count; ++i) {
        Thread& thread = m_threads[i];
        const auto number = unsigned(i);
        thread.index = {number % size.x, number / size.x % size.y, number / size.x / size.y};
        thread.state = State::Ready;
        thread.fiber = nullptr;
    }
}

void Block::runThread(std::size_t thread)
{
    Fiber* const fiber = m_threads[thread].fiber ? m_threads[thread].fiber : startFiber();
    enter(thread, fiber);
    fiber->resume();
    if (fiber->ended())
        m_idle.push_back(fiber);
    if (!m_failure.empty()) {
        m_running = -1;
        throw Violation(m_failure);
    }
}

void Block::enter(std::size_t thread, Fiber* fiber)
{
    m_running = int(thread);
    m_threads[thread].fiber = fiber;
    threadIdx = m_threads[thread].index;
}

/// The thread that runs has ended. True where its fiber goes on with the next of the warp, which
/// has not begun: most kernels' threads never wait, and need no fiber of their own.
bool Block::endThread()
{
    const auto thread = std::size_t(m_running);
    m_threads[thread].state = State::Ended;
    m_warps[thread / lanesOfWarp].ended |= 1u << thread % lanesOfWarp;
    const std::size_t next = thread + 1;
    if (!m_failure.empty() || next == m_count || next % lanesOfWarp == 0 ||
        m_threads[next].state != State::Ready || m_threads[next].fiber)
        return false;
    enter(next, m_threads[thread].fiber);
    return true;
}

Fiber* Block::startFiber()
{
    if (m_idle.empty())
        m_idle.push_back(m_fibers.emplace_back(std::make_unique<Fiber>()).get());
    Fiber* const fiber = m_idle.back();
    m_idle.pop_back();
    fiber->start(m_guarded);
    return fiber;
}

/// Warp by warp, until all threads wait or have ended.
void Block::runReady()
{
    for (std::size_t first = 0; first < m_count; first += lanesOfWarp) {
        const std::size_t end = std::min(first + lanesOfWarp, m_count);
        bool moved = true;
        while (moved) {
            moved = false;
            for (std::size_t i = first; i < end; ++i)
                while (m_threads[i].state == State::Ready) {
                    moved = true;
                    runThread(i);
                }
        }
    }
}

void Block::yield(State state, const std::source_location& where)
{
    Thread& thread = m_threads[std::size_t(m_running)];
    thread.state = state;
    thread.where = where;
    thread.fiber->yield();
}

void Block::barrier(const std::source_location& where)
{
    yield(State::AtBarrier, where);
}

void Block::releaseBarrier()
{
    const Thread* first = nullptr;
    for (std::size_t i = 0; i < m_count; ++i) {
        Thread& thread = m_threads[i];
        if (thread.state == State::Ended)
            failTogether("divergent barrier: thread " + text(thread.index) +
                         " has ended while others wait");
        if (first && !samePlace(first->where, thread.where))
            failTogether("divergent barrier: thread " + text(first->index) + " waits at " +
                         text(first->where) + " and thread " + text(thread.index) + " at " +
                         text(thread.where));
        if (!first)
            first = &thread;
    }
    ++m_moment;
    for (std::size_t i = 0; i < m_count; ++i)
        m_threads[i].state = State::Ready;
}

const std::array<std::uint64_t, lanesOfWarp>& Block::exchange(unsigned mask, std::uint64_t bits,
                                                              const std::source_location& where)
{
    const auto thread = std::size_t(m_running);
    const std::size_t number = thread / lanesOfWarp;
    const unsigned own = 1u << lane();
    Warp& warp = m_warps[number];
    if ((mask & own) == 0)
        fail("calls a function of its warp with a mask that leaves itself out");
    warp.given[lane()] = bits;
    warp.arrived |= own;
    m_threads[thread].mask = mask;
    m_threads[thread].where = where;
    requireExchangePossible(thread);
    if ((warp.arrived & mask) == mask)
        completeExchange(number, mask);
    else
        yield(State::AtExchange, where);
    return warp.shown;
}

/// All lanes of the mask exist, none has ended, and the first that waits does so in the same place.
void Block::requireExchangePossible(std::size_t thread) const
{
    const Thread& own = m_threads[thread];
    const Warp& warp = m_warps[thread / lanesOfWarp];
    if (const unsigned missing = own.mask & warp.ended)
        fail("waits for lane " + std::to_string(std::countr_zero(missing)) +
             " of its warp, which has ended");
    if (const unsigned others = warp.arrived & own.mask & ~(1u << lane()))
        requireMeeting(own, thread / lanesOfWarp, unsigned(std::countr_zero(others)));
}

void Block::requireMeeting(const Thread& own, std::size_t warp, unsigned lane) const
{
    const Thread& other = m_threads[warp * lanesOfWarp + lane];
    if (other.mask != own.mask || !samePlace(other.where, own.where))
        fail("meets lane " + std::to_string(lane) + " of its warp, which waits elsewhere (" +
             text(other.where) + ")");
}

void Block::completeExchange(std::size_t number, unsigned mask)
{
    Warp& warp = m_warps[number];
    const Thread& own = m_threads[std::size_t(m_running)];
    for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
        if ((mask >> lane & 1u) != 0) {
            requireMeeting(own, number, lane);
            warp.shown[lane] = warp.given[lane];
            Thread& thread = m_threads[number * lanesOfWarp + lane];
            if (thread.state == State::AtExchange)
                thread.state = State::Ready;
        }
    warp.arrived &= ~mask;
    warp.combined.reset();
}

void Block::refuseRead(const SharedWord& word) const
{
    if (word.written < m_firstMoment)
        fail("reads shared memory that nothing was written to");
    fail("reads shared memory that thread " + std::to_string(word.writer) +
         " of its block wrote without a barrier between");
}

void Block::refuseWrite(const SharedWord& word) const
{
    if (word.written == m_moment && word.writer != m_running)
        fail("writes shared memory that thread " + std::to_string(word.writer) +
             " of its block wrote without a barrier between");
    fail("writes shared memory that another thread of its block read without a barrier between");
}

std::string Block::place(std::size_t thread) const
{
    return std::string(m_kernel) + ", block " + text(m_index) + ", thread " +
           text(m_threads[thread].index);
}

void Block::fail(const std::string& what) const
{
    throw Violation(m_running < 0 ? what : place(std::size_t(m_running)) + ": " + what);
}

void Block::failTogether(const std::string& what) const
{
    throw Violation(std::string(m_kernel) + ", block " + text(m_index) + ": " + what);
}

} // namespace triaxis::emulation
