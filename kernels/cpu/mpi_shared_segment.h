#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

namespace triaxis::kernels::mpi
{

/// Memory that the members of a group on one host share: one part for each, filled with zeros. It
/// has no name once it is made and is gone with the last member, whatever way that ends. Until then
/// it is a file of rank 0's TRIAXIS_SHARED_FOLDER, which a launcher removes with all that a kill
/// left in it, or of /dev/shm.
class SharedSegment
{
public:
    /// Collective. Null on all members if not all of them are on one host, if one of them does not
    /// `want` it, or if there is not enough shared memory.
    static std::unique_ptr<SharedSegment> make(MPI_Comm communicator, std::size_t partBytes,
                                               bool want);
    ~SharedSegment();
    SharedSegment(const SharedSegment&) = delete;
    SharedSegment& operator=(const SharedSegment&) = delete;

    char* part(int member) const { return m_data + m_partBytes * static_cast<std::size_t>(member); }

private:
    SharedSegment(void* data, std::size_t partBytes, std::size_t bytes);

    char* m_data;
    std::size_t m_partBytes;
    std::size_t m_bytes;
};

} // namespace triaxis::kernels::mpi
