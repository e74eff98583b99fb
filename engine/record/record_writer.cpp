#include "engine/core/error.h"
#include "engine/record/payloads.h"
#include "engine/record/records.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace triaxis
{
namespace
{

constexpr std::size_t expectedSpans = 4096;

double threadSeconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Adds the processor time of its scope.
class CpuMeter
{
public:
    explicit CpuMeter(double& total) : m_total(total), m_start(threadSeconds()) {}
    ~CpuMeter() { m_total += threadSeconds() - m_start; }
    CpuMeter(const CpuMeter&) = delete;
    CpuMeter& operator=(const CpuMeter&) = delete;

private:
    double& m_total;
    double m_start;
};

} // namespace

struct RecordWriter::Impl
{
    std::filesystem::path file;
    int descriptor = -1;
    off_t goodSize = 0; ///< the file up to here is whole frames
    Rank rank;
    std::vector<Span> spans;
    std::vector<MemorySample> memory;
    std::vector<LiveSample> live;
    std::vector<SlotSample> slots;
    std::vector<StepResult> steps;
    std::vector<ClockRecord> clocks;
    Bytes out;
    double cpu = 0;
    double pushSeconds =
        0; ///< of one span(), measured once: a clock at every call would cost more than the call

    ~Impl()
    {
        if (descriptor < 0)
            return;
        try {
            flushStep(true);
        } catch (const std::exception&) {
            // The owner has already been told by the call that failed, or is unwinding for another
            // reason.
        }
        ::close(descriptor);
    }

    void measurePush();
    void encodeStep(bool keepSpans);
    void flushStep(bool keepSpans);
    void writeOut();
};

void RecordWriter::Impl::measurePush()
{
    // Also touches the memory once, so that the first step does not pay for it.
    const double start = threadSeconds();
    for (std::size_t i = 0; i < expectedSpans; ++i)
        spans.push_back(Span{});
    pushSeconds = (threadSeconds() - start) / double(expectedSpans);
    spans.clear();
}

void RecordWriter::Impl::encodeStep(bool keepSpans)
{
    for (const ClockRecord& record : clocks)
        payload::appendClock(out, rank, record);
    payload::appendMemory(out, memory);
    for (auto first = spans.begin(); first != spans.end();) {
        const auto last = std::find_if(first, spans.end(), [&](const Span& span) {
            return span.step != first->step || span.rank != first->rank;
        });
        if (keepSpans)
            payload::appendSpans(out, first->step, first->rank, std::span(first, last), 0);
        else
            payload::appendSpans(out, first->step, first->rank, {}, std::uint32_t(last - first));
        first = last;
    }
    if (keepSpans)
        payload::appendSlots(out, slots);
    payload::appendLive(out, live);
    for (const StepResult& result : steps)
        payload::appendStep(out, rank, result);
    cpu += pushSeconds * double(spans.size());
    clocks.clear();
    memory.clear();
    live.clear();
    slots.clear();
    spans.clear();
    steps.clear();
}

void RecordWriter::Impl::flushStep(bool keepSpans)
{
    encodeStep(keepSpans);
    writeOut();
}

void RecordWriter::Impl::writeOut()
{
    if (out.empty())
        return;
    std::size_t written = 0;
    int code = 0;
    // One call writes all; only a full disk makes it write less, and then the next call tells why.
    while (written < out.size() && code == 0) {
        const ssize_t got = ::write(descriptor, out.data() + written, out.size() - written);
        if (got >= 0)
            written += std::size_t(got);
        else if (errno != EINTR)
            code = errno;
    }
    out.clear();
    if (code == 0) {
        goodSize += off_t(written);
        return;
    }
    // Takes the torn frame away again, which also gives its blocks back for the words that explain
    // the end.
    if (written > 0 && ::ftruncate(descriptor, goodSize) != 0)
        goodSize += off_t(written);
    throw Error("cannot write the record of rank " + std::to_string(rank.value),
                file.string() + ": " + std::strerror(code),
                "make room on the disk, or set TRIAXIS_HOME to another place");
}

RecordWriter::RecordWriter(const std::filesystem::path& file) : m_impl(std::make_unique<Impl>())
{
    m_impl->file = file;
    m_impl->spans.reserve(expectedSpans);
    m_impl->measurePush();
    m_impl->descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    struct stat info
    {
    };
    if (m_impl->descriptor < 0 || ::fstat(m_impl->descriptor, &info) != 0)
        throw Error("cannot write the record of a rank",
                    file.string() + ": " + std::strerror(errno),
                    "check that the run directory can be written");
    m_impl->goodSize = info.st_size;
}

RecordWriter::~RecordWriter() = default;
RecordWriter::RecordWriter(RecordWriter&&) noexcept = default;
RecordWriter& RecordWriter::operator=(RecordWriter&&) noexcept = default;

void RecordWriter::hello(const HelloRecord& record)
{
    const CpuMeter meter(m_impl->cpu);
    m_impl->rank = record.rank;
    payload::appendHello(m_impl->out, record);
    m_impl->writeOut();
}

void RecordWriter::clock(const ClockRecord& record)
{
    m_impl->clocks.push_back(record);
}

void RecordWriter::span(const Span& span)
{
    m_impl->spans.push_back(span);
}

void RecordWriter::memory(const MemorySample& sample)
{
    m_impl->memory.push_back(sample);
}

void RecordWriter::live(const LiveSample& sample)
{
    m_impl->live.push_back(sample);
}

void RecordWriter::slot(const SlotSample& sample)
{
    m_impl->slots.push_back(sample);
}

void RecordWriter::step(const StepResult& result)
{
    m_impl->steps.push_back(result);
}

void RecordWriter::log(LogLevel level, double time, const std::string& text)
{
    const CpuMeter meter(m_impl->cpu);
    payload::appendLog(m_impl->out, {time, m_impl->rank, level, text});
    m_impl->writeOut();
}

void RecordWriter::fault(const FaultRecord& record)
{
    const CpuMeter meter(m_impl->cpu);
    try {
        m_impl->flushStep(true);
    } catch (const Error&) {
        // The reason is small and may still find room where the step did not.
    }
    payload::appendFault(m_impl->out, record);
    m_impl->writeOut();
}

void RecordWriter::end(double time)
{
    const CpuMeter meter(m_impl->cpu);
    m_impl->encodeStep(true);
    payload::appendEnd(m_impl->out, m_impl->rank, time);
    m_impl->writeOut();
}

void RecordWriter::endStep(bool keepSpans)
{
    const CpuMeter meter(m_impl->cpu);
    m_impl->flushStep(keepSpans);
}

double RecordWriter::cpuSeconds() const
{
    return m_impl->cpu;
}

} // namespace triaxis
