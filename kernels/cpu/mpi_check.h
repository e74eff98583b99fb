#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace triaxis::kernels::mpi
{

/// "MPI_ERR_TRUNCATE: message truncated" and the like.
std::string errorText(int code);

/// Throws DeviceError "<what>: <text of MPI_Error_string>" unless `code` is MPI_SUCCESS.
void check(int code, const char* what);

/// Transfers under way that are completed together. MPI reads and writes the buffers until test()
/// has returned true.
class Transfers
{
public:
    Transfers() = default;
    ~Transfers();
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;

    void send(const void* data, std::size_t bytes, int peer, int tag, MPI_Comm communicator);
    void receive(void* data, std::size_t bytes, int peer, int tag, MPI_Comm communicator);
    /// A message of at most `room` bytes, room at most 1 GiB.
    void receiveUpTo(void* data, std::size_t room, int peer, int tag, MPI_Comm communicator);
    /// Never blocks. Throws DeviceError when a transfer failed or a message was shorter or longer
    /// than expected.
    bool test();

private:
    struct Expected
    {
        int bytes = -1; ///< of a receive; −1 where any number will do
        int peer = 0;
    };

    void post(void* data, int bytes, int expected, int peer, int tag, MPI_Comm communicator);
    void verify(const Expected& expected, const MPI_Status& status, bool mayHaveFailed) const;

    std::vector<MPI_Request> m_requests;
    std::vector<MPI_Status> m_statuses;
    std::vector<int> m_finished;
    std::vector<Expected> m_expected;
    int m_open = 0;
};

} // namespace triaxis::kernels::mpi
