#pragma once

#include "kernels/cuda/emulation/machine.h"

#include <nccl.h>

#include <atomic>
#include <cstdint>
#include <string>

namespace triaxis::emulation
{

/// One rank's end of a communicator: processes of one host that share a piece of memory. Data
/// travel through it in pieces; no call blocks, and an operation that cannot go on stays in its
/// stream, as a kernel of NCCL would.
class Fabric
{
public:
    /// `name`: of the shared memory, made by whoever comes first.
    Fabric(const std::string& name, int ranks, int rank);
    ~Fabric();
    Fabric(const Fabric&) = delete;
    Fabric& operator=(const Fabric&) = delete;

    int rank() const { return m_rank; }
    int size() const { return m_size; }

    /// Success, InProgress while members have not come yet, or what went wrong.
    ncclResult_t state();
    const std::string& reason() const { return m_reason; }
    void fail(ncclResult_t error, const std::string& reason);
    /// Operations that are under way end, whatever they have done.
    void abort() { m_aborted = true; }
    bool aborted() const { return m_aborted; }

    /// What an operation says of itself with every piece, so that members that disagree are found.
    struct Label
    {
        std::int32_t kind = 0, type = 0, reduction = 0;
        std::int64_t bytes = 0;
        bool operator==(const Label&) const = default;
    };
    static constexpr std::size_t pieceBytes = std::size_t(64) << 10;

    /// The slot in which `from` puts pieces for `to`; collectives use from == to.
    struct Slot
    {
        std::atomic<std::uint64_t> posted;   ///< pieces so far
        std::atomic<std::uint64_t> consumed; ///< by how many readers, all pieces added up
        Label label;
        alignas(16) char data[pieceBytes];
    };
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

    Slot& slot(int from, int to);
    /// Fails the communicator when a member is gone; called while an operation waits.
    void lookForTheDead();
    /// As often as operations were begun by this process; where a test asks for it, one of them
    /// fails or ends the process.
    void countOperation();

private:
    struct Member
    {
        std::atomic<int> process; ///< 0: has not come yet
    };

    Member& member(int rank);

    std::string m_name;
    int m_size;
    int m_rank;
    char* m_memory = nullptr;
    std::size_t m_bytes = 0;
    bool m_complete = false; ///< all members have come
    bool m_aborted = false;
    ncclResult_t m_error = ncclSuccess;
    std::string m_reason;
};

} // namespace triaxis::emulation
