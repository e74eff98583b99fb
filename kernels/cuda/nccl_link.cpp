#include "kernels/cuda/nccl_link.h"

#if defined(TRIAXIS_HAS_NCCL)

#include "kernels/error.h"

#include <algorithm>
#include <cassert>
#include <exception>
#include <optional>
#include <utility>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

constexpr int idTag = 900; ///< of the message that carries the name of a communicator

/// An operation under way: NCCL tells no more than that it has ended.
class NcclRequest final : public Request
{
public:
    NcclRequest(std::shared_ptr<NcclLink> link, const char* operation, CudaEvent ended)
        : m_link(std::move(link)), m_operation(operation), m_event(std::move(ended)),
          m_ready(m_link->now())
    {
    }
    ~NcclRequest() override { assert(m_complete || std::uncaught_exceptions() > 0); }

    bool test() override
    {
        if (m_complete)
            return true;
        if (!m_waitingSince)
            m_waitingSince = m_link->now();
        m_complete = m_event.reached();
        if (m_complete)
            m_end = m_link->now();
        else
            m_link->requireHealthy(*m_waitingSince, m_operation);
        return m_complete;
    }
    void markReady(double time) override { m_ready = time; }
    Timing timing() const override
    {
        const double end = std::max(m_end, m_ready);
        return {.ready = m_ready, .begin = m_ready, .end = end};
    }

private:
    std::shared_ptr<NcclLink> m_link;
    const char* m_operation;
    CudaEvent m_event;
    double m_ready;
    std::optional<double> m_waitingSince;
    double m_end = 0;
    bool m_complete = false;
};

} // namespace

std::string ncclName()
{
    int version = 0;
    if (ncclGetVersion(&version) != ncclSuccess)
        return "NCCL";
    return "NCCL " + std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) +
           '.' + std::to_string(version % 100);
}

NcclLink::NcclLink(const NcclContext& context, Communicator& hosts, const std::vector<int>& members,
                   std::string what)
    : m_context(context), m_what(std::move(what)), m_exceptions(std::uncaught_exceptions())
{
    const ncclUniqueId id = shareId(hosts, members);
    const auto own = std::find(members.begin(), members.end(), hosts.rank()) - members.begin();
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0; // else a member that does not come holds this rank for ever
    check(ncclCommInitRankConfig(&m_comm, int(members.size()), id, int(own), &config),
          "connecting the members");
    const double since = now();
    ncclResult_t state = ncclInProgress;
    while (state == ncclInProgress) {
        requireHealthy(since, "connecting the members");
        m_context.hosts.progress();
        check(ncclCommGetAsyncError(m_comm, &state), "connecting the members");
    }
}

/// The first member names the communicator, the others are told over the host.
ncclUniqueId NcclLink::shareId(Communicator& hosts, const std::vector<int>& members)
{
    ncclUniqueId id{};
    if (hosts.rank() != members.front()) {
        const auto request = hosts.receive(&id, sizeof id, members.front(), idTag);
        m_context.hosts.wait(*request);
        return id;
    }
    check(ncclGetUniqueId(&id), "naming a communicator");
    for (const int member : members) {
        if (member == hosts.rank())
            continue;
        const auto request = hosts.send(&id, sizeof id, member, idTag);
        m_context.hosts.wait(*request);
    }
    return id;
}

NcclLink::~NcclLink()
{
    if (!m_comm)
        return;
    // While an exception unwinds, or after a failure, the other members may be anywhere.
    if (m_failed || std::uncaught_exceptions() > m_exceptions)
        ncclCommAbort(m_comm);
    else
        ncclCommDestroy(m_comm);
}

void NcclLink::check(ncclResult_t result, const char* operation)
{
    if (result == ncclSuccess || result == ncclInProgress)
        return;
    m_failed = true;
    std::string reason = ncclGetErrorString(result);
    if (m_comm)
        if (const std::string detail = ncclGetLastError(m_comm); !detail.empty())
            reason += " (" + detail + ")";
    throw DeviceError("NCCL failed in " + m_what + " while " + operation + ": " + reason);
}

void NcclLink::requireHealthy(double since, const char* operation)
{
    ncclResult_t state = ncclSuccess;
    check(ncclCommGetAsyncError(m_comm, &state), operation);
    check(state, operation);
    if (now() - since <= m_context.deadlineSeconds)
        return;
    m_failed = true;
    throw DeviceError("NCCL did not end in " + m_what + " while " + operation +
                      ": nothing came in " +
                      std::to_string(std::int64_t(m_context.deadlineSeconds)) + " seconds");
}

template <class Call>
std::unique_ptr<Request> NcclLink::start(const char* operation, Call call)
{
    m_context.device.holdBackForCompute(m_stream.get());
    check(call(), operation);
    ncclResult_t state =
        ncclInProgress; // a call of such a communicator may return before it is done
    const double since = now();
    for (;;) {
        check(ncclCommGetAsyncError(m_comm, &state), operation);
        check(state, operation);
        if (state == ncclSuccess)
            break;
        requireHealthy(since, operation);
    }
    CudaEvent ended;
    ended.record(m_stream.get());
    return std::make_unique<NcclRequest>(shared_from_this(), operation, std::move(ended));
}

std::unique_ptr<Request> NcclLink::send(const void* data, std::size_t bytes, int peer)
{
    return start("sending",
                 [&] { return ncclSend(data, bytes, ncclInt8, peer, m_comm, m_stream.get()); });
}

std::unique_ptr<Request> NcclLink::receive(void* data, std::size_t bytes, int peer)
{
    return start("receiving",
                 [&] { return ncclRecv(data, bytes, ncclInt8, peer, m_comm, m_stream.get()); });
}

std::unique_ptr<Request> NcclLink::allReduce(void* data, std::int64_t count, ncclDataType_t type,
                                             Reduction reduction)
{
    return start("reducing", [&] {
        return ncclAllReduce(data, data, static_cast<std::size_t>(count), type,
                             reduction == Reduction::Sum ? ncclSum : ncclMax, m_comm,
                             m_stream.get());
    });
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE

#endif
