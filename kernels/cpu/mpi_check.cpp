#include "kernels/cpu/mpi_check.h"

#include "kernels/error.h"

#include <algorithm>
#include <array>

namespace triaxis::kernels::mpi
{

namespace
{

/// MPI counts are ints: longer messages go as several, which arrive in order.
constexpr std::size_t largestMessage = std::size_t{1} << 30;

} // namespace

std::string errorText(int code)
{
    std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
    int length = 0;
    if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS)
        return "MPI error " + std::to_string(code);
    return {text.data(), static_cast<std::size_t>(length)};
}

void check(int code, const char* what)
{
    if (code != MPI_SUCCESS)
        throw DeviceError(std::string(what) + ": " + errorText(code));
}

Transfers::~Transfers()
{
    for (MPI_Request& request : m_requests)
        if (request != MPI_REQUEST_NULL) {
            MPI_Cancel(&request);
            MPI_Request_free(&request);
        }
}

void Transfers::send(const void* data, std::size_t bytes, int peer, int tag, MPI_Comm communicator)
{
    const auto* from = static_cast<const char*>(data);
    do {
        const std::size_t part = std::min(bytes, largestMessage);
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Isend(from, static_cast<int>(part), MPI_BYTE, peer, tag, communicator, &request),
              "sending a message");
        m_requests.push_back(request);
        ++m_open;
        m_expected.push_back({-1, peer});
        from += part;
        bytes -= part;
    } while (bytes > 0);
}

void Transfers::receive(void* data, std::size_t bytes, int peer, int tag, MPI_Comm communicator)
{
    auto* to = static_cast<char*>(data);
    do {
        const int part = static_cast<int>(std::min(bytes, largestMessage));
        post(to, part, part, peer, tag, communicator);
        to += part;
        bytes -= static_cast<std::size_t>(part);
    } while (bytes > 0);
}

void Transfers::receiveUpTo(void* data, std::size_t room, int peer, int tag, MPI_Comm communicator)
{
    post(data, static_cast<int>(std::min(room, largestMessage)), -1, peer, tag, communicator);
}

void Transfers::post(void* data, int bytes, int expected, int peer, int tag, MPI_Comm communicator)
{
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Irecv(data, bytes, MPI_BYTE, peer, tag, communicator, &request), "posting a receive");
    m_requests.push_back(request);
    m_expected.push_back({expected, peer});
    ++m_open;
}

bool Transfers::test()
{
    if (m_requests.empty())
        return true;
    const int count = static_cast<int>(m_requests.size());
    m_finished.resize(m_requests.size());
    m_statuses.resize(m_requests.size());
    int finished = 0;
    const int code =
        MPI_Testsome(count, m_requests.data(), &finished, m_finished.data(), m_statuses.data());
    if (code != MPI_ERR_IN_STATUS)
        check(code, "moving messages");
    for (int i = 0; i < finished; ++i)
        verify(m_expected[static_cast<std::size_t>(m_finished[static_cast<std::size_t>(i)])],
               m_statuses[static_cast<std::size_t>(i)], code == MPI_ERR_IN_STATUS);
    m_open -= finished;
    if (m_open > 0)
        return false;
    m_requests.clear();
    m_expected.clear();
    return true;
}

void Transfers::verify(const Expected& expected, const MPI_Status& status, bool mayHaveFailed) const
{
    if (mayHaveFailed && status.MPI_ERROR != MPI_SUCCESS)
        throw DeviceError("a message to or from rank " + std::to_string(expected.peer) +
                          " of its group failed: " + errorText(status.MPI_ERROR));
    if (expected.bytes < 0)
        return;
    int bytes = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &bytes), "reading the size of a message");
    if (bytes != expected.bytes)
        throw DeviceError("a message from rank " + std::to_string(expected.peer) +
                          " of its group has " + std::to_string(bytes) + " bytes where " +
                          std::to_string(expected.bytes) + " were expected");
}

} // namespace triaxis::kernels::mpi
