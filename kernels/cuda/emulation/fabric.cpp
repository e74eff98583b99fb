#include "kernels/cuda/emulation/fabric.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

namespace triaxis::emulation
{

namespace
{

struct Faults
{
    int error = faultSetting("TRIAXIS_EMULATED_NCCL_ERROR");
    int death = faultSetting("TRIAXIS_EMULATED_NCCL_DEATH");
    int operations = 0;
};

Faults& faults()
{
    static Faults settings;
    return settings;
}

} // namespace

Fabric::Fabric(const std::string& name, int ranks, int rank)
    : m_name(name), m_size(ranks), m_rank(rank)
{
    const std::size_t slots = std::size_t(ranks) * std::size_t(ranks);
    m_bytes = std::size_t(ranks) * sizeof(Member) + 64 + slots * sizeof(Slot);
    const int file = shm_open(name.c_str(), O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, off_t(m_bytes)) != 0)
        throw std::runtime_error(std::string("no shared memory: ") + std::strerror(errno));
    void* const memory = mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        throw std::runtime_error(std::string("no shared memory: ") + std::strerror(errno));
    m_memory = static_cast<char*>(memory);
    member(rank).process.store(getpid());
}

Fabric::~Fabric()
{
    munmap(m_memory, m_bytes);
    if (!m_complete)
        shm_unlink(m_name.c_str());
}

Fabric::Member& Fabric::member(int rank)
{
    return reinterpret_cast<Member*>(m_memory)[rank];
}

Fabric::Slot& Fabric::slot(int from, int to)
{
    const std::size_t members = (std::size_t(m_size) * sizeof(Member) + 63) / 64 * 64;
    auto* const slots = reinterpret_cast<Slot*>(m_memory + members);
    return slots[from * m_size + to];
}

ncclResult_t Fabric::state()
{
    if (m_error != ncclSuccess)
        return m_error;
    if (m_complete)
        return ncclSuccess;
    for (int rank = 0; rank < m_size; ++rank)
        if (member(rank).process.load() == 0)
            return ncclInProgress;
    m_complete = true;
    shm_unlink(m_name.c_str()); // all have it; the name is needed no more
    return ncclSuccess;
}

void Fabric::fail(ncclResult_t error, const std::string& reason)
{
    if (m_error != ncclSuccess)
        return;
    m_error = error;
    m_reason = reason;
}

void Fabric::lookForTheDead()
{
    for (int rank = 0; rank < m_size; ++rank) {
        const int process = member(rank).process.load();
        if (process > 0 && kill(process, 0) != 0 && errno == ESRCH)
            fail(ncclRemoteError, "rank " + std::to_string(rank) + " of the communicator is gone");
    }
}

void Fabric::countOperation()
{
    const int number = ++faults().operations;
    if (number == faults().death)
        std::raise(SIGKILL);
    if (number == faults().error)
        fail(ncclSystemError, "a network error, as a test asked for");
}

} // namespace triaxis::emulation
