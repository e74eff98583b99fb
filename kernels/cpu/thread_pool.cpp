#include "kernels/cpu/thread_pool.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace triaxis::kernels::cpu
{

namespace
{

constexpr std::uint64_t openBit = 1;
constexpr std::uint64_t oneInside = 2;
constexpr auto progressInterval = std::chrono::microseconds(200);

/// Numbers below the smallest normal one count as 0 on this thread as long as this lives: they mean
/// nothing here, and each costs the processor a hundred times an ordinary one.
class FlushDenormals
{
public:
#if defined(__SSE2__)
    FlushDenormals() : m_before(_mm_getcsr())
    {
        _mm_setcsr(m_before | flushResults | takeAsZero);
    }
    ~FlushDenormals()
    {
        _mm_setcsr(m_before);
    }
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    static constexpr unsigned flushResults = 0x8000;
    static constexpr unsigned takeAsZero = 0x0040;
    unsigned m_before;
#endif
};

void relax()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

} // namespace

ThreadPool::ThreadPool(int threads, Progress progress) : m_progress(progress)
{
    for (int thread = 1; thread < threads; ++thread)
        m_workers.emplace_back([this, thread] { work(thread); });
}

ThreadPool::~ThreadPool()
{
    m_end = true;
    m_generation.fetch_add(1);
    m_generation.notify_all();
    for (std::thread& worker : m_workers)
        worker.join();
}

void ThreadPool::runJob(const Job& job)
{
    if (m_workers.empty() || job.chunks <= 1) {
        [[maybe_unused]] const FlushDenormals flushing;
        for (std::int64_t chunk = 0; chunk < job.chunks; ++chunk) {
            job.body(job.context, chunk, 0);
            callProgress();
        }
        return;
    }
    m_job = job;
    m_next.store(0, std::memory_order_relaxed);
    m_gate.store(openBit, std::memory_order_release);
    m_generation.fetch_add(1, std::memory_order_release);
    m_generation.notify_all();

    takeChunks(0);
    m_gate.fetch_and(~openBit, std::memory_order_acq_rel);
    for (int spins = 0; m_gate.load(std::memory_order_acquire) != 0; ++spins) {
        callProgress();
        if (spins < 10000)
            relax();
        else
            std::this_thread::yield();
    }
}

void ThreadPool::work(int thread)
{
    std::uint32_t seen = 0;
    for (;;) {
        for (int spins = 0; spins < 400 && m_generation.load(std::memory_order_acquire) == seen;
             ++spins)
            relax();
        m_generation.wait(seen, std::memory_order_acquire);
        seen = m_generation.load(std::memory_order_acquire);
        if (m_end)
            return;
        if (enter()) {
            takeChunks(thread);
            m_gate.fetch_sub(oneInside, std::memory_order_acq_rel);
        }
    }
}

bool ThreadPool::enter()
{
    std::uint64_t gate = m_gate.load(std::memory_order_acquire);
    while (gate & openBit)
        if (m_gate.compare_exchange_weak(gate, gate + oneInside, std::memory_order_acq_rel))
            return true;
    return false;
}

void ThreadPool::takeChunks(int thread)
{
    const Job job = m_job;
    [[maybe_unused]] const FlushDenormals flushing;
    for (;;) {
        const std::int64_t chunk = m_next.fetch_add(1, std::memory_order_relaxed);
        if (chunk >= job.chunks)
            return;
        job.body(job.context, chunk, thread);
        progress(thread);
    }
}

void ThreadPool::callProgress()
{
    if (!m_progress.call)
        return;
    const auto now = std::chrono::steady_clock::now();
    if (now - m_lastProgress < progressInterval)
        return;
    m_lastProgress = now;
    m_progress.call(m_progress.context);
}

} // namespace triaxis::kernels::cpu
