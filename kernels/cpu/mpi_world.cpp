#include "kernels/communicator.h"
#include "kernels/cpu/mpi_communicator.h"
#include "kernels/cpu/mpi_session.h"
#include "kernels/error.h"

#include <algorithm>
#include <cstdlib>

namespace triaxis::kernels
{

namespace
{

using mpi::check;

constexpr std::size_t largestBroadcast = std::size_t{1} << 30; ///< MPI counts are ints

class MpiWorld final : public World
{
public:
    MpiWorld(int* argc, char*** argv) : m_session(std::make_shared<mpi::Session>(argc, argv)) {}

    int rank() const override { return m_session->rank(); }
    int size() const override { return m_session->size(); }
    std::string library() const override;

    std::unique_ptr<Communicator> makeGroup(const std::vector<std::vector<int>>& groups) override
    {
        return mpi::makeGroup(m_session, groups);
    }

    double now() const override { return m_session->clock().now(); }
    double toWorldClock(double localSeconds) const override
    {
        return m_session->clock().fromLocal(localSeconds);
    }
    Clock synchronizeClocks() override { return m_session->clock().synchronize(); }

    void progress() override { m_session->progress(); }
    void wait(Request& request) override;
    void barrier() override;
    void broadcast(void* data, std::size_t bytes, int root) override;
    [[noreturn]] void abort(int code) override;

private:
    void wait(MPI_Request& request, const char* what);

    std::shared_ptr<mpi::Session> m_session;
};

std::string MpiWorld::library() const
{
    return mpiLibrary();
}

void MpiWorld::wait(Request& request)
{
    const auto* rung = dynamic_cast<const mpi::RungRequest*>(&request);
    mpi::Pause pause(m_session->waitPolicy());
    while (!request.test()) {
        const bool sleepy = rung != nullptr && pause.maySleep() && rung->willBeRung();
        if (!sleepy) {
            if (pause.isTimeForOthers())
                m_session->progress();
            pause();
            continue;
        }
        mpi::Bells::Nap nap(m_session->bells());
        if (request.test())
            return;
        if (m_session->progress() || nap.sleep(mpi::Pause::longestSleep))
            pause.startOver();
    }
}

void MpiWorld::wait(MPI_Request& request, const char* what)
{
    mpi::Pause pause(m_session->waitPolicy());
    for (;;) {
        int done = 0;
        check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what);
        if (done != 0)
            return;
        m_session->progress();
        pause();
    }
}

void MpiWorld::barrier()
{
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibarrier(MPI_COMM_WORLD, &request), "waiting for all ranks");
    wait(request, "waiting for all ranks");
}

void MpiWorld::broadcast(void* data, std::size_t bytes, int root)
{
    if (root < 0 || root >= size())
        throw DeviceError("a broadcast from rank " + std::to_string(root) + " of " +
                          std::to_string(size()) + " was asked for");
    auto* at = static_cast<char*>(data);
    while (bytes > 0) {
        const std::size_t part = std::min(bytes, largestBroadcast);
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Ibcast(at, static_cast<int>(part), MPI_BYTE, root, MPI_COMM_WORLD, &request),
              "broadcasting");
        wait(request, "broadcasting");
        at += part;
        bytes -= part;
    }
}

void MpiWorld::abort(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
}

} // namespace

std::unique_ptr<World> makeMpiWorld(int* argc, char*** argv)
{
    return std::make_unique<MpiWorld>(argc, argv);
}

} // namespace triaxis::kernels
