#include "kernels/cuda/emulation/fabric.h"
#include "kernels/cuda/emulation/violation.h"

#include <nccl.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <unistd.h>

namespace triaxis::emulation
{

namespace
{

enum Kind { allReduceKind = 1, messageKind = 2 };

std::size_t sizeOf(ncclDataType_t type)
{
    switch (type) {
    case ncclInt8:
        return 1;
    case ncclFloat32:
        return sizeof(float);
    case ncclFloat64:
        return sizeof(double);
    }
    return 0;
}

/// What all operations have in common: they begin when all members have come, move piece after
/// piece, and hang when the communicator has failed.
class Transfer : public Operation
{
public:
    Transfer(Fabric& fabric, const Fabric::Label& label, const void* memory, bool writes)
        : m_fabric(fabric), m_label(label),
          m_claim{reinterpret_cast<std::uintptr_t>(memory),
                  reinterpret_cast<std::uintptr_t>(memory) + std::uintptr_t(label.bytes),
                  ++machine().asked, writes}
    {
        machine().claims.push_back(&m_claim);
    }
    ~Transfer() override { std::erase(machine().claims, &m_claim); }
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    bool isMessage() const final { return true; }
    bool advance() final
    {
        if (m_fabric.aborted())
            return true;
        if (m_fabric.state() != ncclSuccess)
            return false;
        if (!m_begun)
            begin();
        while (m_fabric.state() == ncclSuccess && m_done < std::size_t(m_label.bytes))
            if (!movePiece()) {
                m_fabric.lookForTheDead();
                return false;
            }
        return m_fabric.state() == ncclSuccess && complete();
    }

protected:
    virtual void check() = 0;
    /// False while it waits for another member.
    virtual bool movePiece() = 0;
    virtual bool complete() { return true; }

    std::size_t pieceSize() const
    {
        return std::min(Fabric::pieceBytes, std::size_t(m_label.bytes) - m_done);
    }
    void advancePast(std::size_t bytes) { m_done += bytes; }
    bool sameLabel(const Fabric::Slot& slot)
    {
        if (slot.label == m_label)
            return true;
        m_fabric.fail(ncclInvalidUsage,
                      "members of a communicator called different operations, or with "
                      "different sizes");
        return false;
    }

    Fabric& m_fabric;
    Fabric::Label m_label;
    std::size_t m_done = 0;

private:
    void begin()
    {
        m_begun = true;
        check();
        m_fabric.countOperation();
    }

    const Claim m_claim;
    bool m_begun = false;
};

/// Every member puts its piece into a slot of its own; all add the slots up in the order of ranks.
class AllReduce final : public Transfer
{
public:
    AllReduce(Fabric& fabric, const Fabric::Label& label, const void* from, void* to)
        : Transfer(fabric, label, to, true), m_from(static_cast<const char*>(from)),
          m_to(static_cast<char*>(to))
    {
    }

private:
    void check() override
    {
        const DeviceMemory& memory = machine().memory();
        memory.readable(m_from, std::size_t(m_label.bytes), "ncclAllReduce reads");
        memory.reachable(m_to, std::size_t(m_label.bytes), "ncclAllReduce writes");
    }

    bool movePiece() override
    {
        const auto readers = std::uint64_t(m_fabric.size());
        Fabric::Slot& own = m_fabric.slot(m_fabric.rank(), m_fabric.rank());
        if (!m_posted) {
            const std::uint64_t before = own.posted.load();
            if (own.consumed.load() != before * readers)
                return false;
            own.label = m_label;
            std::memcpy(
                own.data,
                machine().memory().readable(m_from + m_done, pieceSize(), "ncclAllReduce reads"),
                pieceSize());
            own.posted.store(before + 1);
            m_posted = true;
        }
        const std::uint64_t number = own.posted.load();
        for (int rank = 0; rank < m_fabric.size(); ++rank) {
            if (m_fabric.slot(rank, rank).posted.load() < number)
                return false;
            if (!sameLabel(m_fabric.slot(rank, rank)))
                return false;
        }
        void* const to =
            machine().memory().writable(m_to + m_done, pieceSize(), "ncclAllReduce writes");
        if (m_label.type == ncclFloat64)
            reduce(static_cast<double*>(to));
        else
            reduce(static_cast<float*>(to));
        for (int rank = 0; rank < m_fabric.size(); ++rank)
            m_fabric.slot(rank, rank).consumed.fetch_add(1);
        m_posted = false;
        advancePast(pieceSize());
        return true;
    }

    template <class T>
    void reduce(T* to)
    {
        for (std::size_t i = 0; i < pieceSize() / sizeof(T); ++i) {
            T value = reinterpret_cast<const T*>(m_fabric.slot(0, 0).data)[i];
            for (int rank = 1; rank < m_fabric.size(); ++rank) {
                const T other = reinterpret_cast<const T*>(m_fabric.slot(rank, rank).data)[i];
                value = m_label.reduction == ncclMax ? std::max(value, other) : value + other;
            }
            to[i] = value;
        }
    }

    const char* m_from;
    char* m_to;
    bool m_posted = false;
};

class Send final : public Transfer
{
public:
    Send(Fabric& fabric, const Fabric::Label& label, const void* data, int peer)
        : Transfer(fabric, label, data, false), m_data(static_cast<const char*>(data)), m_peer(peer)
    {
    }

private:
    void check() override
    {
        machine().memory().readable(m_data, std::size_t(m_label.bytes), "ncclSend reads");
    }
    Fabric::Slot& slot() { return m_fabric.slot(m_fabric.rank(), m_peer); }

    bool movePiece() override
    {
        const std::uint64_t before = slot().posted.load();
        if (slot().consumed.load() != before)
            return false;
        slot().label = m_label;
        std::memcpy(slot().data,
                    machine().memory().readable(m_data + m_done, pieceSize(), "ncclSend reads"),
                    pieceSize());
        slot().posted.store(before + 1);
        advancePast(pieceSize());
        return true;
    }
    /// The receiver has all of it.
    bool complete() override
    {
        if (slot().consumed.load() == slot().posted.load())
            return true;
        m_fabric.lookForTheDead();
        return false;
    }

    const char* m_data;
    int m_peer;
};

class Receive final : public Transfer
{
public:
    Receive(Fabric& fabric, const Fabric::Label& label, void* data, int peer)
        : Transfer(fabric, label, data, true), m_data(static_cast<char*>(data)), m_peer(peer)
    {
    }

private:
    void check() override
    {
        machine().memory().reachable(m_data, std::size_t(m_label.bytes), "ncclRecv writes");
    }

    bool movePiece() override
    {
        Fabric::Slot& slot = m_fabric.slot(m_peer, m_fabric.rank());
        if (slot.posted.load() == slot.consumed.load() || !sameLabel(slot))
            return false;
        std::memcpy(machine().memory().writable(m_data + m_done, pieceSize(), "ncclRecv writes"),
                    slot.data, pieceSize());
        slot.consumed.fetch_add(1);
        advancePast(pieceSize());
        return true;
    }

    char* m_data;
    int m_peer;
};

template <class T, class... Arguments>
ncclResult_t enqueue(Fabric& fabric, cudaStream_t stream, Arguments... arguments)
{
    if (machine().lost())
        return ncclUnhandledCudaError;
    machine().queueOf(stream).add(std::make_unique<T>(fabric, arguments...));
    return ncclSuccess;
}

} // namespace

} // namespace triaxis::emulation

using namespace triaxis::emulation;

ncclResult_t ncclGetVersion(int* version)
{
    *version = 22800;
    return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id)
{
    *id = {};
    std::random_device random;
    std::snprintf(id->internal, sizeof id->internal, "/triaxis-emulated-%d-%08x%08x", int(getpid()),
                  unsigned(random()), unsigned(random()));
    return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t*)
{
    if (ranks < 1 || rank < 0 || rank >= ranks)
        return ncclInvalidArgument;
    try {
        *comm = new Fabric(id.internal, ranks, rank);
    } catch (const std::exception&) {
        return ncclSystemError;
    }
    return (*comm)->state();
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    return ncclCommAbort(comm);
}

/// Operations of it may still lie in a stream behind others: it stays until they have had their
/// turn.
ncclResult_t ncclCommAbort(ncclComm_t comm)
{
    static std::vector<std::unique_ptr<Fabric>> gone;
    comm->abort();
    gone.emplace_back(comm);
    return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error)
{
    *error = comm->state();
    return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result)
{
    switch (result) {
    case ncclSuccess:
        return "no error";
    case ncclUnhandledCudaError:
        return "unhandled cuda error";
    case ncclSystemError:
        return "unhandled system error";
    case ncclInternalError:
        return "internal error";
    case ncclInvalidArgument:
        return "invalid argument";
    case ncclInvalidUsage:
        return "invalid usage";
    case ncclRemoteError:
        return "remote process exited or there was a network error";
    case ncclInProgress:
        return "NCCL operation in progress";
    }
    return "unknown result code";
}

const char* ncclGetLastError(ncclComm_t comm)
{
    return comm ? comm->reason().c_str() : "";
}

ncclResult_t ncclGroupStart()
{
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd()
{
    return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t reduction, ncclComm_t comm, cudaStream_t stream)
{
    const Fabric::Label label{allReduceKind, type, reduction, std::int64_t(count * sizeOf(type))};
    return enqueue<AllReduce>(*comm, stream, label, from, to);
}

ncclResult_t ncclSend(const void* data, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream)
{
    if (peer < 0 || peer >= comm->size() || peer == comm->rank())
        return ncclInvalidArgument;
    const Fabric::Label label{messageKind, type, 0, std::int64_t(count * sizeOf(type))};
    return enqueue<Send>(*comm, stream, label, data, peer);
}

ncclResult_t ncclRecv(void* data, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream)
{
    if (peer < 0 || peer >= comm->size() || peer == comm->rank())
        return ncclInvalidArgument;
    const Fabric::Label label{messageKind, type, 0, std::int64_t(count * sizeOf(type))};
    return enqueue<Receive>(*comm, stream, label, data, peer);
}
