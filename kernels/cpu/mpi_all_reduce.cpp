#include "kernels/cpu/mpi_all_reduce.h"

#include "kernels/error.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace triaxis::kernels::mpi {

namespace {

constexpr int blocksUnderWay = 4;
constexpr std::size_t blockBytesPerMember = 256 * 1024;
constexpr std::size_t segmentGranule = 16; ///< elements: whole cache lines
constexpr int tagsPerBlock = 3;
constexpr int tagCycle =
    8192; ///< blocks; 3 · 8192 stays below the smallest upper bound of tags that MPI allows

} // namespace

class AllReduceRequest final : public Request
{
public:
    AllReduceRequest(std::shared_ptr<Session> session, AllReduceQueue& queue, void* data,
                     std::int64_t count, Element element, Reduction reduction, int members)
        : m_session(std::move(session)), m_queue(queue), m_data(static_cast<char*>(data)),
          m_count(static_cast<std::size_t>(count)), m_element(element), m_reduction(reduction)
    {
        m_timing.ready = m_timing.begin = m_session->clock().now();
        const std::size_t blockBytes = blockBytesPerMember * static_cast<std::size_t>(members);
        m_blockCount = blockBytes / elementBytes(element);
        m_blocks = members == 1
                       ? 0
                       : std::max<std::size_t>(1, (m_count + m_blockCount - 1) / m_blockCount);
        if (m_blocks == 0)
            complete();
    }

    ~AllReduceRequest() override
    {
        if (!m_complete)
            m_queue.forget(*this);
    }

    bool test() override
    {
        if (!m_complete)
            m_queue.advance();
        return m_complete;
    }

    void markReady(double) override {}
    Timing timing() const override { return m_timing; }

    bool allStarted() const { return m_started == m_blocks; }

    Block::Part next(int tag)
    {
        const std::size_t begin = m_started * m_blockCount;
        ++m_started;
        return {.data = m_data + begin * elementBytes(m_element),
                .count = std::min(m_blockCount, m_count - begin),
                .element = m_element,
                .reduction = m_reduction,
                .header = {.ready = m_timing.ready, .count = static_cast<std::int64_t>(m_count)},
                .first = begin == 0,
                .tag = tag};
    }

    void partners(const std::vector<MemberHeader>& headers, int rank)
    {
        for (std::size_t i = 0; i < headers.size(); ++i) {
            if (static_cast<int>(i) == rank)
                continue;
            if (headers[i].count != static_cast<std::int64_t>(m_count))
                throw DeviceError("an all-reduce of " + std::to_string(m_count) +
                                  " elements met one of " + std::to_string(headers[i].count) +
                                  " on rank " + std::to_string(i) + " of its group");
            m_timing.begin = std::max(m_timing.begin, headers[i].ready);
        }
    }

    void blockDone()
    {
        if (++m_done == m_blocks)
            complete();
    }

private:
    void complete()
    {
        m_complete = true;
        m_timing.end = m_session->clock().now();
        m_timing.begin = std::min(m_timing.begin, m_timing.end);
    }

    std::shared_ptr<Session> m_session;
    AllReduceQueue& m_queue;
    char* m_data;
    std::size_t m_count;
    Element m_element;
    Reduction m_reduction;
    std::size_t m_blockCount = 0;
    std::size_t m_blocks = 0;
    std::size_t m_started = 0;
    std::size_t m_done = 0;
    Timing m_timing;
    bool m_complete = false;
};

Block::Block(MPI_Comm communicator, int rank, int size)
    : m_communicator(communicator), m_rank(rank), m_size(size),
      m_headers(static_cast<std::size_t>(size)), m_sources(static_cast<std::size_t>(size))
{
}

void Block::start(const Part& part)
{
    m_part = part;
    m_busy = true;
    m_exchange = bytes(part.count) <= largestExchange;
    m_headers[static_cast<std::size_t>(m_rank)] = part.header;
    if (m_exchange)
        startExchange();
    else
        startSegments();
}

bool Block::advance()
{
    if (m_busy && (m_exchange ? advanceExchange() : advanceSegments()))
        m_busy = false;
    return !m_busy;
}

char* Block::staging(int member, std::size_t stride)
{
    const std::size_t place = static_cast<std::size_t>(member < m_rank ? member : member - 1);
    return m_staging.data() + place * stride;
}

void Block::startExchange()
{
    const std::size_t message = sizeof(MemberHeader) + bytes(m_part.count);
    m_outgoing.resize(std::max(m_outgoing.size(), message));
    m_staging.resize(std::max(m_staging.size(), message * static_cast<std::size_t>(m_size - 1)));
    for (int peer = 0; peer < m_size; ++peer)
        if (peer != m_rank)
            m_receives.receive(staging(peer, message), message, peer, m_part.tag, m_communicator);
    std::memcpy(m_outgoing.data(), &m_part.header, sizeof(MemberHeader));
    if (m_part.count > 0)
        std::memcpy(m_outgoing.data() + sizeof(MemberHeader), m_part.data, bytes(m_part.count));
    for (int i = 1; i < m_size; ++i)
        m_sends.send(m_outgoing.data(), message, (m_rank + i) % m_size, m_part.tag, m_communicator);
    m_reduced = false;
}

bool Block::advanceExchange()
{
    if (!m_reduced) {
        if (!m_receives.test())
            return false;
        const std::size_t message = sizeof(MemberHeader) + bytes(m_part.count);
        for (int member = 0; member < m_size; ++member) {
            const auto i = static_cast<std::size_t>(member);
            if (member == m_rank) {
                m_sources[i] = m_part.data;
                continue;
            }
            std::memcpy(&m_headers[i], staging(member, message), sizeof(MemberHeader));
            m_sources[i] = staging(member, message) + sizeof(MemberHeader);
        }
        reduceInOrder(m_part.data, m_sources, m_part.count, m_part.element, m_part.reduction);
        m_reduced = true;
    }
    return m_sends.test();
}

Block::Segment Block::segment(int member) const
{
    const std::size_t members = static_cast<std::size_t>(m_size);
    const std::size_t even = (m_part.count + members - 1) / members;
    const std::size_t stride = (even + segmentGranule - 1) / segmentGranule * segmentGranule;
    const std::size_t begin = std::min(m_part.count, stride * static_cast<std::size_t>(member));
    return {m_part.data + bytes(begin), std::min(stride, m_part.count - begin)};
}

void Block::startSegments()
{
    const Segment own = segment(m_rank);
    m_staging.resize(
        std::max(m_staging.size(), bytes(own.count) * static_cast<std::size_t>(m_size - 1)));
    for (int peer = 0; peer < m_size; ++peer) {
        if (peer == m_rank)
            continue;
        if (m_part.first)
            m_receives.receive(&m_headers[static_cast<std::size_t>(peer)], sizeof(MemberHeader),
                               peer, m_part.tag + 2, m_communicator);
        if (own.count > 0)
            m_receives.receive(staging(peer, bytes(own.count)), bytes(own.count), peer, m_part.tag,
                               m_communicator);
    }
    for (int i = 1; i < m_size; ++i) {
        const int peer = (m_rank + i) % m_size;
        if (m_part.first)
            m_sends.send(&m_headers[static_cast<std::size_t>(m_rank)], sizeof(MemberHeader), peer,
                         m_part.tag + 2, m_communicator);
        const Segment theirs = segment(peer);
        if (theirs.count > 0)
            m_sends.send(theirs.data, bytes(theirs.count), peer, m_part.tag, m_communicator);
    }
    m_reduced = false;
    m_gathering = false;
}

bool Block::advanceSegments()
{
    const Segment own = segment(m_rank);
    if (!m_reduced && m_receives.test()) {
        for (int member = 0; member < m_size; ++member)
            m_sources[static_cast<std::size_t>(member)] =
                member == m_rank ? own.data : staging(member, bytes(own.count));
        reduceInOrder(own.data, m_sources, own.count, m_part.element, m_part.reduction);
        for (int i = 1; i < m_size && own.count > 0; ++i)
            m_results.send(own.data, bytes(own.count), (m_rank + i) % m_size, m_part.tag + 1,
                           m_communicator);
        m_reduced = true;
    }
    if (!m_gathering && m_sends.test()) {
        for (int peer = 0; peer < m_size; ++peer) {
            const Segment theirs = segment(peer);
            if (peer != m_rank && theirs.count > 0)
                m_gathered.receive(theirs.data, bytes(theirs.count), peer, m_part.tag + 1,
                                   m_communicator);
        }
        m_gathering = true;
    }
    return m_reduced && m_gathering && m_gathered.test() && m_results.test();
}

AllReduceQueue::AllReduceQueue(std::shared_ptr<Session> session, MPI_Comm communicator)
    : m_session(std::move(session)), m_communicator(communicator)
{
    check(MPI_Comm_rank(communicator, &m_rank), "asking for the rank in a group");
    check(MPI_Comm_size(communicator, &m_size), "asking for the size of a group");
    for (int i = 0; i < blocksUnderWay; ++i)
        m_slots.push_back({std::make_unique<Block>(communicator, m_rank, m_size), nullptr});
    m_session->add(*this);
}

AllReduceQueue::~AllReduceQueue()
{
    m_session->remove(*this);
}

std::unique_ptr<Request> AllReduceQueue::issue(void* data, std::int64_t count, Element element,
                                               Reduction reduction)
{
    if (count < 0)
        throw DeviceError("an all-reduce of " + std::to_string(count) + " elements was asked for");
    auto request = std::make_unique<AllReduceRequest>(m_session, *this, data, count, element,
                                                      reduction, m_size);
    if (m_size > 1) {
        m_waiting.push_back(request.get());
        startBlocks();
    }
    return request;
}

void AllReduceQueue::startBlocks()
{
    for (Slot& slot : m_slots) {
        if (m_waiting.empty())
            return;
        if (slot.owner != nullptr)
            continue;
        AllReduceRequest& request = *m_waiting.front();
        const auto tag = static_cast<int>(m_blocksStarted++ % tagCycle) * tagsPerBlock;
        slot.owner = &request;
        slot.block->start(request.next(tag));
        if (request.allStarted())
            m_waiting.pop_front();
    }
}

void AllReduceQueue::advance()
{
    bool moved = false;
    for (Slot& slot : m_slots)
        if (slot.owner != nullptr && slot.block->advance()) {
            finish(slot);
            moved = true;
        }
    if (moved)
        startBlocks();
}

void AllReduceQueue::finish(Slot& slot)
{
    AllReduceRequest& request = *slot.owner;
    slot.owner = nullptr;
    if (slot.block->carriedHeaders())
        request.partners(slot.block->headers(), m_rank);
    request.blockDone();
}

void AllReduceQueue::forget(AllReduceRequest& request)
{
    m_waiting.erase(std::remove(m_waiting.begin(), m_waiting.end(), &request), m_waiting.end());
    for (Slot& slot : m_slots)
        if (slot.owner == &request)
            slot.owner = nullptr;
}

} // namespace triaxis::kernels::mpi
