#include "kernels/cuda/staging.h"

#include "kernels/cuda/language.h"

#include <algorithm>
#include <cassert>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

constexpr std::size_t pinnedUnit = 4096;

} // namespace

/// One message or collective. Data that lie on the host already are not copied.
class StagedRequest final : public Request
{
public:
    /// Starts it on `host`, where the data lie then.
    using Start = std::function<std::unique_ptr<Request>(void* host)>;
    struct Copies
    {
        bool toHost = false;   ///< before it starts
        bool toDevice = false; ///< when it has ended
    };

    StagedRequest(Staging& staging, void* data, std::size_t bytes, Copies copies, Start start)
        : m_staging(staging), m_data(data), m_bytes(bytes), m_copies(copies),
          m_start(std::move(start))
    {
        if (!m_staging.m_device.owns(data))
            m_copies = {};
        else
            m_pinned = m_staging.take(bytes);
        // The memory may still be in use, or not yet written.
        if (m_copies.toHost)
            copy(m_staging.m_toHost.get(), m_pinned.data(), m_data, cudaMemcpyDeviceToHost, true);
        else if (m_copies.toDevice)
            m_staging.m_device.holdBackForCompute(m_staging.m_toDevice.get());
        if (!m_copies.toHost && m_copies.toDevice)
            begin();
    }
    ~StagedRequest() override
    {
        assert(m_ended || std::uncaught_exceptions() > 0);
        m_staging.m_underWay.remove(this);
        m_staging.giveBack(std::move(m_pinned));
    }

    bool test() override
    {
        m_staging.advance();
        return m_ended;
    }
    void markReady(double time) override
    {
        if (m_inner)
            m_inner->markReady(time);
        m_ready = time;
    }
    Timing timing() const override
    {
        Timing timing = m_inner->timing();
        timing.end = std::max(timing.end, m_end);
        return timing;
    }

    bool started() const { return m_inner != nullptr; }
    /// False while its data are on their way to the host.
    bool tryStart()
    {
        if (m_copies.toHost && !m_copied.reached())
            return false;
        begin();
        return true;
    }
    void advance()
    {
        if (m_ended || !m_inner || (!m_moved && !m_inner->test()))
            return;
        if (!m_moved && m_copies.toDevice)
            copy(m_staging.m_toDevice.get(), m_data, m_pinned.data(), cudaMemcpyHostToDevice,
                 false);
        m_moved = true;
        if (m_copies.toDevice && !m_copied.reached())
            return;
        m_ended = true;
        m_end = m_staging.m_hosts.now();
    }

private:
    void begin()
    {
        m_inner = m_start(m_pinned.data() ? m_pinned.data() : m_data);
        if (m_ready)
            m_inner->markReady(*m_ready);
    }
    void copy(cudaStream_t stream, void* to, const void* from, cudaMemcpyKind kind,
              bool afterCompute)
    {
        if (afterCompute)
            m_staging.m_device.holdBackForCompute(stream);
        check(cudaMemcpyAsync(to, from, m_bytes, kind, stream), "copying a message");
        m_copied.record(stream);
    }

    Staging& m_staging;
    void* m_data;
    std::size_t m_bytes;
    Copies m_copies;
    Start m_start;
    PinnedBuffer m_pinned;
    CudaEvent m_copied;
    std::unique_ptr<Request> m_inner;
    std::optional<double> m_ready;
    bool m_moved = false;
    bool m_ended = false;
    double m_end = 0;
};

std::unique_ptr<Request> Staging::add(std::unique_ptr<StagedRequest> request)
{
    m_underWay.push_back(request.get());
    advance();
    return request;
}

std::unique_ptr<Request> Staging::send(Communicator& group, const void* data, std::size_t bytes,
                                       int peer, int tag)
{
    return add(std::make_unique<StagedRequest>(
        *this, const_cast<void*>(data), bytes, StagedRequest::Copies{true, false},
        [&group, bytes, peer, tag](void* host) { return group.send(host, bytes, peer, tag); }));
}

std::unique_ptr<Request> Staging::receive(Communicator& group, void* data, std::size_t bytes,
                                          int peer, int tag)
{
    return add(std::make_unique<StagedRequest>(
        *this, data, bytes, StagedRequest::Copies{false, true},
        [&group, bytes, peer, tag](void* host) { return group.receive(host, bytes, peer, tag); }));
}

template <class T>
std::unique_ptr<Request> Staging::allReduce(Communicator& group, T* data, std::int64_t count,
                                            Reduction reduction)
{
    return add(std::make_unique<StagedRequest>(
        *this, data, static_cast<std::size_t>(count) * sizeof(T), StagedRequest::Copies{true, true},
        [&group, count, reduction](void* host) {
            return group.allReduce(static_cast<T*>(host), count, reduction);
        }));
}

template std::unique_ptr<Request> Staging::allReduce(Communicator&, float*, std::int64_t,
                                                     Reduction);
template std::unique_ptr<Request> Staging::allReduce(Communicator&, double*, std::int64_t,
                                                     Reduction);

void Staging::advance()
{
    bool allStarted = true;
    for (StagedRequest* request : m_underWay) {
        if (!request->started())
            allStarted = allStarted && request->tryStart();
        request->advance();
    }
}

PinnedBuffer Staging::take(std::size_t bytes)
{
    const std::size_t size = (bytes + pinnedUnit - 1) / pinnedUnit * pinnedUnit;
    std::vector<PinnedBuffer>& free = m_free[size];
    if (free.empty())
        return PinnedBuffer(size);
    PinnedBuffer buffer = std::move(free.back());
    free.pop_back();
    return buffer;
}

void Staging::giveBack(PinnedBuffer buffer)
{
    if (buffer.data())
        m_free[buffer.bytes()].push_back(std::move(buffer));
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
