#pragma once

#include "engine/timeline/span.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace triaxis
{

/// Record file of one rank: append-only, versioned, checksummed frames (little-endian; magic, type, version, length,
/// CRC-32; see frame.h and payloads.h). A torn tail is skipped and counted. Types: Hello, Clock, Spans, Memory, Step, Log, Fault, End, Live, Slots;
/// unknown types are skipped.

struct HelloRecord
{
    std::int32_t version = 1;
    Rank rank;
    std::string host;
    std::int32_t pid = 0;
    std::string device;        ///< "CPU, 1 thread"
    std::string blas;          ///< library and core name in use
    std::string mpi;
};

/// The rank's clock against rank 0's: t0 = t + offset + drift·(t − at), good to ± error.
struct ClockRecord
{
    double at = 0;             ///< rank's own seconds since the run began
    double offset = 0;         ///< seconds
    double drift = 0;          ///< seconds per second
    double error = 0;          ///< half the shortest round trip, seconds
};

enum class LogLevel : std::uint8_t { Info, Warning, Error };

struct LogRecord
{
    double time = 0;
    Rank rank;
    LogLevel level = LogLevel::Info;
    std::string text;
};

/// Why a rank gave up; the last thing it writes before it ends.
struct FaultRecord
{
    double time = 0;
    Rank rank;
    std::int32_t step = 0;
    InstructionId id;
    std::string reason;
};

/// Writes one rank's file. Buffers a step, writes on endStep(). Throws Error when the disk is full (what was
/// written stays readable). The cost is under 1% of a step's CPU time.
class RecordWriter
{
public:
    explicit RecordWriter(const std::filesystem::path& file);
    ~RecordWriter();
    RecordWriter(RecordWriter&&) noexcept;
    RecordWriter& operator=(RecordWriter&&) noexcept;

    void hello(const HelloRecord& record);
    void clock(const ClockRecord& record);
    void span(const Span& span);              ///< times on this rank's own clock
    void memory(const MemorySample& sample);
    void live(const LiveSample& sample);
    void slot(const SlotSample& sample);      ///< dropped and kept with the spans of its step
    void step(const StepResult& result);
    void log(LogLevel level, double time, const std::string& text);
    void fault(const FaultRecord& record);
    void end(double time);                    ///< the rank ended well

    /// Writes what is buffered as frames; `keepSpans` false drops the spans of the step (thinning).
    void endStep(bool keepSpans = true);
    /// Seconds of CPU time spent in this writer so far.
    double cpuSeconds() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Everything new in a batch of frames, spans on rank 0's clock.
struct RecordBatch
{
    std::vector<HelloRecord> hellos;
    std::vector<ClockRecord> clocks;
    std::vector<Span> spans;
    std::vector<MemorySample> memory;
    std::vector<LiveSample> live;
    std::vector<SlotSample> paced;
    std::vector<StepResult> steps;
    std::vector<LogRecord> logs;
    std::vector<FaultRecord> faults;
    std::vector<Rank> ended;
    std::int64_t tornBytes = 0;
    std::int64_t droppedSpans = 0;   ///< thinned away by the span budget
    bool empty() const;
};

/// Follows one rank's file, also while it grows.
class RecordReader
{
public:
    /// `offset`: where to begin, the start of a frame. Clock records before it are not known then.
    explicit RecordReader(const std::filesystem::path& file, std::int64_t offset = 0);
    ~RecordReader();
    RecordReader(RecordReader&&) noexcept;
    RecordReader& operator=(RecordReader&&) noexcept;

    /// What has been completed since the last call. Never throws for a torn tail or a missing file. `final`: no
    /// more will come, so that a torn tail is counted.
    RecordBatch poll(bool final = false);
    /// Byte offset of the next frame, for the history's offsets.
    std::int64_t offset() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// A whole stored run, clocks aligned and spans paired (`begin` = latest ready of the partners).
struct RunRecords
{
    RecordBatch all;
    double clockError = 0;     ///< worst of all ranks, seconds
};

/// Whether an error of the clocks says that all ranks read one and the same clock, that of their host: what remains is its
/// resolution of 1 ns, which no measurement between two clocks reaches.
bool isOneClock(double clockError);

class RunDirectory;
/// `firstStep`, `lastStep` (inclusive) limit the spans; lastStep < 0: all.
RunRecords readRun(const RunDirectory& run, int firstStep = 0, int lastStep = -1);

/// Sets `begin` of transfers and collectives to the latest ready of all partners, not later than the span's end. Needs the program
/// and the layout for the pairing. Spans of any number of steps and ranks.
void pairSpans(std::vector<Span>& spans, const struct RunPlan& plan);

} // namespace triaxis
