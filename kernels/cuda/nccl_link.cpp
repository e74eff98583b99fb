#include "kernels/cuda/nccl_link.h"

#if defined(TRIAXIS_HAS_NCCL)

#include "kernels/error.h"

#include <algorithm>
#include <cassert>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

constexpr int idTag = 900; ///< of the message that carries the name of a communicator

/// An operation under way: NCCL tells no more than that it has ended.
class NcclRequest final : public Request
{
public:
    NcclRequest(std::shared_ptr<NcclLink> link, const char* operation, StreamMoment asked,
                bool readyWhenWaitedFor)
        : m_link(std::move(link)), m_operation(operation), m_readyWhenWaitedFor(readyWhenWaitedFor),
          m_readyAt(std::move(asked)), m_ended(m_link->sent())
    {
    }
    ~NcclRequest() override { assert(m_complete || std::uncaught_exceptions() > 0); }

    bool test() override
    {
        if (m_complete)
            return true;
        if (!m_waitingSince)
            m_waitingSince = m_link->now();
        if (!m_ended.reached()) {
            m_link->requireHealthy(*m_waitingSince, m_operation);
            return false;
        }
        m_complete = m_readyAt.reached(); // what came early is waited for later
        return m_complete;
    }
    void markReady(double time) override { m_ready = time; }
    Timing timing() const override
    {
        const double ready = m_ready ? *m_ready : m_readyAt.time();
        return {.ready = ready, .begin = ready, .end = std::max(m_ended.time(), ready)};
    }
    bool holdBackDevice() override
    {
        if (m_readyWhenWaitedFor)
            m_readyAt = m_link->computed();
        m_ended.holdBack(m_link->computing());
        return true;
    }

private:
    std::shared_ptr<NcclLink> m_link;
    const char* m_operation;
    bool m_readyWhenWaitedFor;
    StreamMoment m_readyAt;
    StreamMoment m_ended;
    std::optional<double> m_ready; ///< as the host says
    std::optional<double> m_waitingSince;
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
    m_context.links->push_back(this);
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
    // While an exception unwinds, or after a failure, the other members may be anywhere. What is in
    // the stream of one link may be held back by another's: all of them end before any goes.
    if (m_failed || std::uncaught_exceptions() > m_exceptions)
        for (NcclLink* const link : *m_context.links)
            link->abort();
    else if (m_comm)
        ncclCommDestroy(m_comm);
    std::erase(*m_context.links, this);
}

void NcclLink::abort() noexcept
{
    if (m_comm)
        ncclCommAbort(std::exchange(m_comm, nullptr));
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
    // The member that would end this wait may itself wait for one whose link has failed.
    for (NcclLink* const link : *m_context.links) {
        ncclResult_t state = ncclSuccess;
        const char* const what = link == this ? operation : "others waited";
        link->check(ncclCommGetAsyncError(link->m_comm, &state), what);
        link->check(state, what);
    }
    if (now() - since <= m_context.deadlineSeconds)
        return;
    m_failed = true;
    throw DeviceError("NCCL did not end in " + m_what + " while " + operation +
                      ": nothing came in " +
                      std::to_string(std::int64_t(m_context.deadlineSeconds)) + " seconds");
}

template <class Call>
std::unique_ptr<Request> NcclLink::start(const char* operation, Ready ready, Call call)
{
    StreamMoment asked = computed();
    asked.holdBack(m_stream.get()); // its data may still be in use, or not yet computed
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
    return std::make_unique<NcclRequest>(shared_from_this(), operation, std::move(asked),
                                         ready == Ready::WhenWaitedFor);
}

std::unique_ptr<Request> NcclLink::send(const void* data, std::size_t bytes, int peer)
{
    return start("sending", Ready::WhenAsked,
                 [&] { return ncclSend(data, bytes, ncclInt8, peer, m_comm, m_stream.get()); });
}

std::unique_ptr<Request> NcclLink::receive(void* data, std::size_t bytes, int peer)
{
    return start("receiving", Ready::WhenWaitedFor,
                 [&] { return ncclRecv(data, bytes, ncclInt8, peer, m_comm, m_stream.get()); });
}

std::unique_ptr<Request> NcclLink::allReduce(void* data, std::int64_t count, ncclDataType_t type,
                                             Reduction reduction)
{
    return start("reducing", Ready::WhenAsked, [&] {
        return ncclAllReduce(data, data, static_cast<std::size_t>(count), type,
                             reduction == Reduction::Sum ? ncclSum : ncclMax, m_comm,
                             m_stream.get());
    });
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE

#endif
