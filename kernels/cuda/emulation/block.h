#pragma once

#include "kernels/cuda/emulation/fiber.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

namespace triaxis::emulation
{

struct Index3
{
    unsigned x = 0, y = 0, z = 0;
};

struct Size3
{
    Size3(unsigned sizeX = 1, unsigned sizeY = 1, unsigned sizeZ = 1) : x(sizeX), y(sizeY), z(sizeZ)
    {
    }
    unsigned x, y, z;
    unsigned count() const { return x * y * z; }
};

inline constexpr unsigned lanesOfWarp = 32;

/// What was done to a word of shared memory, and when. A moment is the time between two barriers of
/// a block; moments of different blocks are different.
struct SharedWord
{
    static constexpr int nobody = -1;
    static constexpr int several = -2;

    std::uint64_t written = 0;
    std::uint64_t read = 0;
    int writer = nobody;
    int reader = nobody;
};

/// The thread block that runs: its threads are fibers that switch where they must wait for each
/// other. Blocks of a grid run one after the other.
class Block
{
public:
    explicit Block(std::size_t sharedBytes);

    /// Throws Violation. `kernel` names it in messages; `body` runs once for each thread.
    void run(const char* kernel, const Size3& grid, const Size3& size, const Index3& index,
             std::size_t dynamicBytes, const std::function<void()>& body);

    // What a thread calls.
    void barrier(const std::source_location& where);
    /// Puts `bits` where the other lanes of `mask` can see them, waits for these, and gives all
    /// lanes'.
    const std::array<std::uint64_t, lanesOfWarp>& exchange(unsigned mask, std::uint64_t bits,
                                                           const std::source_location& where);
    unsigned lane() const { return unsigned(m_running) % lanesOfWarp; }
    /// What the first lane after an exchange makes of it, for the others to take: empty until then.
    std::optional<std::uint64_t>& combined()
    {
        return m_warps[std::size_t(m_running) / lanesOfWarp].combined;
    }
    void sharedRead(SharedWord& word) const
    {
        if (word.written < m_firstMoment || (word.written == m_moment && word.writer != m_running))
            refuseRead(word);
        const bool alone = word.read != m_moment || word.reader == m_running;
        word.reader = alone ? m_running : SharedWord::several;
        word.read = m_moment;
    }
    void sharedWrite(SharedWord& word) const
    {
        if ((word.written == m_moment && word.writer != m_running) ||
            (word.read == m_moment && word.reader != m_running))
            refuseWrite(word);
        word.written = m_moment;
        word.writer = m_running;
    }
    void* dynamicShared() { return m_dynamic.data(); }
    std::size_t dynamicBytes() const { return m_dynamicBytes; }
    SharedWord* dynamicWords() { return m_dynamicWords.data(); }
    [[noreturn]] void fail(const std::string& what) const;
    bool runsNothing() const { return m_running < 0; }

private:
    enum class State { Ready, AtBarrier, AtExchange, Ended };

    struct Thread
    {
        Fiber* fiber = nullptr; ///< null before it runs
        State state = State::Ended;
        Index3 index;
        std::source_location where;
        unsigned mask = 0;
    };

    struct Warp
    {
        std::array<std::uint64_t, lanesOfWarp> given{};
        std::array<std::uint64_t, lanesOfWarp> shown{};
        std::optional<std::uint64_t> combined;
        unsigned arrived = 0;
        unsigned ended = 0; ///< lanes, those that do not exist among them
    };

    void prepare(const Size3& size);
    void runThread(std::size_t thread);
    Fiber* startFiber();
    void enter(std::size_t thread, Fiber* fiber);
    bool endThread();
    void runReady();
    void releaseBarrier();
    void completeExchange(std::size_t warp, unsigned mask);
    void requireExchangePossible(std::size_t thread) const;
    /// Two lanes that exchange call the same function, for the same lanes.
    void requireMeeting(const Thread& own, std::size_t warp, unsigned lane) const;
    void yield(State state, const std::source_location& where);
    [[noreturn]] void refuseRead(const SharedWord& word) const;
    [[noreturn]] void refuseWrite(const SharedWord& word) const;
    [[noreturn]] void failTogether(const std::string& what) const;
    std::string place(std::size_t thread) const;

    const char* m_kernel = "";
    Index3 m_index;
    std::size_t m_count = 0;
    std::vector<Thread> m_threads;
    std::vector<std::unique_ptr<Fiber>> m_fibers;
    std::vector<Fiber*> m_idle;
    std::vector<Warp> m_warps;
    std::function<void()> m_guarded;
    std::string m_failure; ///< of a thread
    int m_running = -1;
    std::uint64_t m_moment = 0;
    std::uint64_t m_firstMoment = 0; ///< of the block that runs
    alignas(128) std::vector<double> m_dynamic;
    std::vector<SharedWord> m_dynamicWords;
    std::size_t m_dynamicBytes = 0;
};

/// The block that runs on this process's device, or ran last.
inline Block& currentBlock()
{
    static Block block(std::size_t(256) << 10);
    return block;
}

} // namespace triaxis::emulation

// CUDA's own names for where a thread is.
inline triaxis::emulation::Index3 threadIdx, blockIdx;
inline triaxis::emulation::Size3 blockDim, gridDim;
