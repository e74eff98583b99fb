#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace triaxis::kernels::cpu
{

/// Called by the owner of the pool between chunks, at most every 0.2 ms.
struct Progress
{
    void (*call)(void* context) = nullptr;
    void* context = nullptr;
};

/// A few persistent threads for loops. With one thread there is none but the caller. Which thread
/// takes a chunk is left to chance, so a chunk's result must not depend on it; then results are the
/// same from run to run and for any number of threads. Workers sleep when idle (after some 20 µs),
/// and one that wakes too late for a loop is not waited for.
class ThreadPool
{
public:
    ThreadPool(int threads, Progress progress);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool();

    int threads() const { return static_cast<int>(m_workers.size()) + 1; }

    /// body(chunk, thread) for every chunk in [0, chunks), thread in [0, threads()). The body must
    /// not throw.
    template <class Body>
    void run(std::int64_t chunks, Body&& body)
    {
        using Plain = std::remove_reference_t<Body>;
        const Job job{[](void* context, std::int64_t chunk, int thread) {
                          (*static_cast<Plain*>(context))(chunk, thread);
                      },
                      const_cast<void*>(static_cast<const void*>(&body)), chunks};
        runJob(job);
    }

    /// body(begin, end, thread) over [0, count) in ranges of `grain` (the last one shorter).
    template <class Body>
    void runRanges(std::int64_t count, std::int64_t grain, Body&& body)
    {
        run((count + grain - 1) / grain, [&](std::int64_t chunk, int thread) {
            const std::int64_t begin = chunk * grain;
            body(begin, begin + grain < count ? begin + grain : count, thread);
        });
    }

    /// For long bodies: as between chunks. Does nothing on other threads than the owner's (thread
    /// 0).
    void progress(int thread)
    {
        if (thread == 0)
            callProgress();
    }

private:
    struct Job
    {
        void (*body)(void* context, std::int64_t chunk, int thread) = nullptr;
        void* context = nullptr;
        std::int64_t chunks = 0;
    };

    void runJob(const Job& job);
    void work(int thread);
    void takeChunks(int thread);
    bool enter();
    void callProgress();

    Progress m_progress;
    std::chrono::steady_clock::time_point m_lastProgress{};
    std::vector<std::thread> m_workers;
    Job m_job;
    alignas(64) std::atomic<std::int64_t> m_next{0};
    alignas(64) std::atomic<std::uint64_t> m_gate{
        0}; ///< bit 0: the loop is open; the rest: twice the workers inside
    alignas(64) std::atomic<std::uint32_t> m_generation{0};
    std::atomic<bool> m_end{false};
};

} // namespace triaxis::kernels::cpu
