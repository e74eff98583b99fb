#include "engine/record/payloads.h"

#include <algorithm>
#include <cmath>

namespace triaxis::payload
{
namespace
{

constexpr std::uint64_t bytesMask = (std::uint64_t(1) << 56) - 1;
constexpr double latestSecond = 9.0e9; // in nanoseconds it still fits 64 bits

std::int64_t nanoseconds(double seconds)
{
    if (!(std::abs(seconds) < latestSecond))
        return 0;
    return std::int64_t(seconds * 1e9 + (seconds < 0 ? -0.5 : 0.5));
}

double seconds(std::int64_t nanoseconds)
{
    return double(nanoseconds) * 1e-9;
}

void putSpan(std::uint8_t* out, const Span& span)
{
    const std::uint64_t laneAndBytes =
        (std::uint64_t(span.lane) << 56) |
        (std::uint64_t(std::max<std::int64_t>(span.bytes, 0)) & bytesMask);
    const std::uint64_t words[packedSpanBytes / 8] = {
        span.id.packed,
        std::uint64_t(nanoseconds(span.ready)),
        std::uint64_t(nanoseconds(span.begin)),
        std::uint64_t(nanoseconds(span.end)),
        laneAndBytes,
        std::uint64_t(span.flops),
        std::uint64_t(nanoseconds(span.tensorWait)),
        std::uint64_t(nanoseconds(span.tensorTransfer)),
    };
    std::memcpy(out, words, sizeof words);
}

/// False if the lane or the kind is none that this version knows.
bool takeSpan(ByteReader& in, Span& span)
{
    span.id = InstructionId(in.take<std::uint64_t>());
    span.ready = seconds(in.take<std::int64_t>());
    span.begin = seconds(in.take<std::int64_t>());
    span.end = seconds(in.take<std::int64_t>());
    const auto laneAndBytes = in.take<std::uint64_t>();
    span.lane = Lane(laneAndBytes >> 56);
    span.bytes = std::int64_t(laneAndBytes & bytesMask);
    span.flops = in.take<std::int64_t>();
    span.tensorWait = seconds(in.take<std::int64_t>());
    span.tensorTransfer = seconds(in.take<std::int64_t>());
    return span.lane <= Lane::Copy && span.id.kind() <= Kind::TensorCollective;
}

bool decodeHello(ByteReader in, RecordBatch& batch)
{
    HelloRecord record;
    record.version = in.take<std::int32_t>();
    record.rank = Rank(in.take<std::int32_t>());
    record.pid = in.take<std::int32_t>();
    record.host = in.takeText();
    record.device = in.takeText();
    record.blas = in.takeText();
    record.mpi = in.takeText();
    if (in.ok())
        batch.hellos.push_back(std::move(record));
    return in.ok();
}

bool decodeClock(ByteReader in, RecordBatch& batch)
{
    in.take<std::int32_t>();
    ClockRecord record;
    record.at = in.take<double>();
    record.offset = in.take<double>();
    record.drift = in.take<double>();
    record.error = in.take<double>();
    const bool finite = std::isfinite(record.at) && std::isfinite(record.offset) &&
                        std::isfinite(record.drift) && std::isfinite(record.error);
    if (!in.ok() || !finite)
        return false;
    batch.clocks.push_back(record);
    return true;
}

bool decodeSpans(ByteReader in, RecordBatch& batch)
{
    Span span;
    span.step = in.take<std::int32_t>();
    span.rank = Rank(in.take<std::int32_t>());
    const auto dropped = in.take<std::uint32_t>();
    const auto count = in.take<std::uint32_t>();
    if (!in.ok() || in.left() != std::size_t(count) * packedSpanBytes)
        return false;
    batch.droppedSpans += dropped;
    for (std::uint32_t i = 0; i < count; ++i)
        if (takeSpan(in, span))
            batch.spans.push_back(span);
    return true;
}

bool decodeMemory(ByteReader in, RecordBatch& batch)
{
    const std::size_t before = batch.memory.size();
    while (in.ok() && in.left() > 0) {
        MemorySample sample;
        sample.step = in.take<std::int32_t>();
        sample.rank = Rank(in.take<std::int32_t>());
        sample.time = in.take<double>();
        for (std::int64_t& live : sample.live)
            live = in.take<std::int64_t>();
        for (std::int64_t& peak : sample.peak)
            peak = in.take<std::int64_t>();
        sample.peakTotal = in.take<std::int64_t>();
        batch.memory.push_back(sample);
    }
    if (!in.ok())
        batch.memory.resize(before);
    return in.ok();
}

bool decodeLive(ByteReader in, RecordBatch& batch)
{
    LiveSample sample;
    sample.step = in.take<std::int32_t>();
    sample.rank = Rank(in.take<std::int32_t>());
    sample.peak = in.take<std::int32_t>();
    if (in.ok())
        batch.live.push_back(sample);
    return in.ok();
}

bool decodeSlots(ByteReader in, RecordBatch& batch)
{
    const std::size_t before = batch.paced.size();
    while (in.ok() && in.left() > 0) {
        SlotSample sample;
        sample.step = in.take<std::int32_t>();
        sample.rank = Rank(in.take<std::int32_t>());
        sample.id = InstructionId(in.take<std::uint64_t>());
        for (double* value : {&sample.begin, &sample.end, &sample.work, &sample.late})
            *value = in.take<double>();
        if (std::isfinite(sample.begin) && std::isfinite(sample.end) &&
            std::isfinite(sample.work) && std::isfinite(sample.late) &&
            sample.id.kind() <= Kind::TensorCollective)
            batch.paced.push_back(sample);
    }
    if (!in.ok())
        batch.paced.resize(before);
    return in.ok();
}

bool decodeStep(ByteReader in, RecordBatch& batch)
{
    StepResult result;
    result.step = in.take<std::int32_t>();
    in.take<std::int32_t>();
    result.loss = in.take<double>();
    result.gradientNorm = in.take<double>();
    result.begin = in.take<double>();
    result.seconds = in.take<double>();
    result.tokens = in.take<std::int64_t>();
    if (in.ok())
        batch.steps.push_back(result);
    return in.ok();
}

LogLevel logLevel(std::int32_t value)
{
    if (value <= std::int32_t(LogLevel::Info))
        return LogLevel::Info;
    return value == std::int32_t(LogLevel::Warning) ? LogLevel::Warning : LogLevel::Error;
}

bool decodeLog(ByteReader in, RecordBatch& batch)
{
    LogRecord record;
    record.rank = Rank(in.take<std::int32_t>());
    record.level = logLevel(in.take<std::int32_t>());
    record.time = in.take<double>();
    record.text = in.takeText();
    if (in.ok())
        batch.logs.push_back(std::move(record));
    return in.ok();
}

bool decodeFault(ByteReader in, RecordBatch& batch)
{
    FaultRecord record;
    record.rank = Rank(in.take<std::int32_t>());
    record.step = in.take<std::int32_t>();
    record.id = InstructionId(in.take<std::uint64_t>());
    record.time = in.take<double>();
    record.reason = in.takeText();
    if (in.ok())
        batch.faults.push_back(std::move(record));
    return in.ok();
}

bool decodeEnd(ByteReader in, RecordBatch& batch)
{
    const Rank rank(in.take<std::int32_t>());
    in.take<std::int32_t>();
    in.take<double>();
    if (in.ok())
        batch.ended.push_back(rank);
    return in.ok();
}

} // namespace

void appendHello(Bytes& out, const HelloRecord& record)
{
    FrameBuilder frame(out, FrameType::Hello);
    ByteWriter to = frame.payload();
    to.put(record.version);
    to.put(std::int32_t(record.rank.value));
    to.put(record.pid);
    to.putText(record.host);
    to.putText(record.device);
    to.putText(record.blas);
    to.putText(record.mpi);
    frame.finish();
}

void appendClock(Bytes& out, Rank rank, const ClockRecord& record)
{
    FrameBuilder frame(out, FrameType::Clock);
    ByteWriter to = frame.payload();
    to.put(std::int32_t(rank.value));
    to.put(record.at);
    to.put(record.offset);
    to.put(record.drift);
    to.put(record.error);
    frame.finish();
}

void appendSpans(Bytes& out, std::int32_t step, Rank rank, std::span<const Span> spans,
                 std::uint32_t dropped)
{
    do {
        const std::span<const Span> part = spans.first(std::min(spans.size(), spansPerFrame));
        spans = spans.subspan(part.size());
        FrameBuilder frame(out, FrameType::Spans);
        ByteWriter to = frame.payload();
        to.put(step);
        to.put(std::int32_t(rank.value));
        to.put(dropped);
        to.put(std::uint32_t(part.size()));
        std::size_t at = out.size();
        out.resize(at + part.size() * packedSpanBytes);
        for (const Span& span : part) {
            putSpan(out.data() + at, span);
            at += packedSpanBytes;
        }
        frame.finish();
        dropped = 0;
    } while (!spans.empty());
}

void appendMemory(Bytes& out, std::span<const MemorySample> samples)
{
    constexpr std::size_t samplesPerFrame = 4096;
    while (!samples.empty()) {
        const auto part = samples.first(std::min(samples.size(), samplesPerFrame));
        samples = samples.subspan(part.size());
        FrameBuilder frame(out, FrameType::Memory);
        ByteWriter to = frame.payload();
        for (const MemorySample& sample : part) {
            to.put(sample.step);
            to.put(std::int32_t(sample.rank.value));
            to.put(sample.time);
            for (std::int64_t live : sample.live)
                to.put(live);
            for (std::int64_t peak : sample.peak)
                to.put(peak);
            to.put(sample.peakTotal);
        }
        frame.finish();
    }
}

void appendLive(Bytes& out, std::span<const LiveSample> samples)
{
    for (const LiveSample& sample : samples) {
        FrameBuilder frame(out, FrameType::Live);
        ByteWriter to = frame.payload();
        to.put(sample.step);
        to.put(std::int32_t(sample.rank.value));
        to.put(sample.peak);
        frame.finish();
    }
}

void appendSlots(Bytes& out, std::span<const SlotSample> samples)
{
    constexpr std::size_t samplesPerFrame = 4096;
    while (!samples.empty()) {
        const auto part = samples.first(std::min(samples.size(), samplesPerFrame));
        samples = samples.subspan(part.size());
        FrameBuilder frame(out, FrameType::Slots);
        ByteWriter to = frame.payload();
        for (const SlotSample& sample : part) {
            to.put(sample.step);
            to.put(std::int32_t(sample.rank.value));
            to.put(sample.id.packed);
            for (const double value : {sample.begin, sample.end, sample.work, sample.late})
                to.put(value);
        }
        frame.finish();
    }
}

void appendStep(Bytes& out, Rank rank, const StepResult& result)
{
    FrameBuilder frame(out, FrameType::Step);
    ByteWriter to = frame.payload();
    to.put(result.step);
    to.put(std::int32_t(rank.value));
    to.put(result.loss);
    to.put(result.gradientNorm);
    to.put(result.begin);
    to.put(result.seconds);
    to.put(result.tokens);
    frame.finish();
}

void appendLog(Bytes& out, const LogRecord& record)
{
    FrameBuilder frame(out, FrameType::Log);
    ByteWriter to = frame.payload();
    to.put(std::int32_t(record.rank.value));
    to.put(std::int32_t(record.level));
    to.put(record.time);
    to.putText(record.text);
    frame.finish();
}

void appendFault(Bytes& out, const FaultRecord& record)
{
    FrameBuilder frame(out, FrameType::Fault);
    ByteWriter to = frame.payload();
    to.put(std::int32_t(record.rank.value));
    to.put(record.step);
    to.put(record.id.packed);
    to.put(record.time);
    to.putText(record.reason);
    frame.finish();
}

void appendEnd(Bytes& out, Rank rank, double time)
{
    FrameBuilder frame(out, FrameType::End);
    ByteWriter to = frame.payload();
    to.put(std::int32_t(rank.value));
    to.put(std::int32_t(0));
    to.put(time);
    frame.finish();
}

bool decode(const FrameView& frame, RecordBatch& batch)
{
    if (frame.version != frameVersion)
        return false;
    const ByteReader in(frame.payload);
    switch (FrameType(frame.type)) {
    case FrameType::Hello:
        return decodeHello(in, batch);
    case FrameType::Clock:
        return decodeClock(in, batch);
    case FrameType::Spans:
        return decodeSpans(in, batch);
    case FrameType::Memory:
        return decodeMemory(in, batch);
    case FrameType::Step:
        return decodeStep(in, batch);
    case FrameType::Log:
        return decodeLog(in, batch);
    case FrameType::Fault:
        return decodeFault(in, batch);
    case FrameType::End:
        return decodeEnd(in, batch);
    case FrameType::Live:
        return decodeLive(in, batch);
    case FrameType::Slots:
        return decodeSlots(in, batch);
    }
    return false;
}

std::optional<std::int32_t> stepOf(const FrameView& frame)
{
    ByteReader in(frame.payload);
    switch (FrameType(frame.type)) {
    case FrameType::Spans:
    case FrameType::Memory:
    case FrameType::Live:
    case FrameType::Slots:
    case FrameType::Step: {
        const auto step = in.take<std::int32_t>();
        return in.ok() && frame.version == frameVersion ? std::optional(step) : std::nullopt;
    }
    case FrameType::Hello:
    case FrameType::Clock:
    case FrameType::Log:
    case FrameType::Fault:
    case FrameType::End:
        break;
    }
    return std::nullopt;
}

std::int64_t spanCount(const FrameView& frame)
{
    constexpr std::size_t headBytes = 16;
    if (FrameType(frame.type) != FrameType::Spans || frame.payload.size() < headBytes)
        return 0;
    return std::int64_t((frame.payload.size() - headBytes) / packedSpanBytes);
}

} // namespace triaxis::payload
