#pragma once

#include "engine/record/frame.h"
#include "engine/record/records.h"

#include <optional>

namespace triaxis
{

/// What the payload of each frame type holds. Texts are a u32 length and bytes; times are f64
/// seconds except in spans.
///
/// - Hello: version i32, rank i32, pid i32, host, device, blas, mpi
/// - Clock: rank i32, at, offset, drift, error
/// - Spans: step i32, rank i32, dropped u32, count u32, then `count` packed spans
/// - Memory: one or more samples of step i32, rank i32, time, live[6] i64, peak[6] i64, peak of the sum i64
/// - Step: step i32, rank i32, loss, gradient norm, begin, seconds, tokens i64
/// - Log: rank i32, level i32, time, text
/// - Fault: rank i32, step i32, instruction u64, time, reason
/// - End: rank i32, reserved i32, time
/// - Live: step i32, rank i32, peak i32
/// - Slots: one or more samples of step i32, rank i32, instruction u64, begin, end, work, late
///
/// A packed span is 64 bytes: id u64, ready, begin, end i64 ns, lane (bits 63–56) and bytes (55–0)
/// u64, flops i64, tensorWait, tensorTransfer i64 ns.
namespace payload
{

inline constexpr std::size_t packedSpanBytes = 64;
inline constexpr std::size_t spansPerFrame = 4096;

void appendHello(Bytes& out, const HelloRecord& record);
void appendClock(Bytes& out, Rank rank, const ClockRecord& record);
/// Frames for `spans`, all of one step and rank; the first one carries `dropped`.
void appendSpans(Bytes& out, std::int32_t step, Rank rank, std::span<const Span> spans,
                 std::uint32_t dropped);
void appendMemory(Bytes& out, std::span<const MemorySample> samples);
void appendLive(Bytes& out, std::span<const LiveSample> samples);
void appendSlots(Bytes& out, std::span<const SlotSample> samples);
void appendStep(Bytes& out, Rank rank, const StepResult& result);
void appendLog(Bytes& out, const LogRecord& record);
void appendFault(Bytes& out, const FaultRecord& record);
void appendEnd(Bytes& out, Rank rank, double time);

/// Adds what a frame says to `batch`, times as the rank wrote them; false if its type is unknown or
/// its payload is malformed (then nothing is added).
bool decode(const FrameView& frame, RecordBatch& batch);

/// The step that a Spans, Memory, Live, Slots or Step frame belongs to.
std::optional<std::int32_t> stepOf(const FrameView& frame);

/// Spans in a Spans frame.
std::int64_t spanCount(const FrameView& frame);

} // namespace payload
} // namespace triaxis
