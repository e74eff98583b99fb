#include "kernels/cpu/mpi_shared_segment.h"

#include "kernels/cpu/mpi_check.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace triaxis::kernels::mpi
{

namespace
{

using Name = std::array<char, 512>;

class File
{
public:
    explicit File(int descriptor) : m_descriptor(descriptor) {}
    ~File()
    {
        if (m_descriptor >= 0)
            close(m_descriptor);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int get() const { return m_descriptor; }

private:
    int m_descriptor;
};

bool allAgree(MPI_Comm communicator, bool yes)
{
    int vote = yes ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, &vote, 1, MPI_INT, MPI_MIN, communicator),
          "setting up shared memory");
    return vote != 0;
}

bool allOnOneHost(MPI_Comm communicator)
{
    MPI_Comm host = MPI_COMM_NULL;
    check(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
          "finding the ranks of this host");
    int here = 0;
    int all = 0;
    check(MPI_Comm_size(host, &here), "counting the ranks of this host");
    check(MPI_Comm_size(communicator, &all), "counting the ranks of a group");
    check(MPI_Comm_free(&host), "releasing a communicator");
    return here == all;
}

Name agreeOnName(MPI_Comm communicator)
{
    std::random_device random;
    Name name{};
    const char* folder = std::getenv("TRIAXIS_SHARED_FOLDER");
    std::snprintf(name.data(), name.size(), "%s/triaxis-%ld-%08x%08x",
                  folder && *folder == '/' ? folder : "/dev/shm", static_cast<long>(getpid()),
                  random(), random());
    check(MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, communicator),
          "setting up shared memory");
    return name;
}

/// The memory of this member's part is claimed now: a full /dev/shm is an error here instead of a
/// signal later.
void* mapAndClaim(const File& file, std::size_t bytes, std::size_t ownOffset, std::size_t partBytes)
{
    if (file.get() < 0 || posix_fallocate(file.get(), static_cast<off_t>(ownOffset),
                                          static_cast<off_t>(partBytes)) != 0)
        return MAP_FAILED;
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
}

} // namespace

std::unique_ptr<SharedSegment> SharedSegment::make(MPI_Comm communicator, std::size_t partBytes,
                                                   bool want)
{
    if (!allOnOneHost(communicator) || !allAgree(communicator, want))
        return nullptr;
    int rank = 0;
    int size = 1;
    check(MPI_Comm_rank(communicator, &rank), "setting up shared memory");
    check(MPI_Comm_size(communicator, &size), "setting up shared memory");
    const std::size_t bytes = partBytes * static_cast<std::size_t>(size);
    const Name name = agreeOnName(communicator);
    const auto ownOffset = partBytes * static_cast<std::size_t>(rank);

    const File created(rank == 0 ? open(name.data(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600)
                                 : -1);
    const bool madeRoom = rank != 0 || (created.get() >= 0 &&
                                        ftruncate(created.get(), static_cast<off_t>(bytes)) == 0);
    const bool made = allAgree(communicator, madeRoom);
    const File opened(made ? open(name.data(), O_RDWR | O_CLOEXEC | O_NOFOLLOW) : -1);
    void* data = mapAndClaim(opened, bytes, ownOffset, partBytes);
    const bool usable = allAgree(communicator, data != MAP_FAILED);
    if (created.get() >= 0)
        unlink(name.data());
    if (usable)
        return std::unique_ptr<SharedSegment>(new SharedSegment(data, partBytes, bytes));
    if (data != MAP_FAILED)
        munmap(data, bytes);
    return nullptr;
}

SharedSegment::SharedSegment(void* data, std::size_t partBytes, std::size_t bytes)
    : m_data(static_cast<char*>(data)), m_partBytes(partBytes), m_bytes(bytes)
{
}

SharedSegment::~SharedSegment()
{
    munmap(m_data, m_bytes);
}

} // namespace triaxis::kernels::mpi
