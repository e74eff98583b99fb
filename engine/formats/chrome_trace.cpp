#include "engine/formats/chrome_trace_lanes.h"
#include "engine/formats/chrome_trace_writer.h"
#include "engine/formats/exports.h"
#include "engine/timeline/lanes.h"
#include "engine/timeline/number_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <tuple>

namespace triaxis
{
namespace
{

constexpr int laneCount = int(Lane::Copy) + 1;
constexpr int rowsPerLane = 64; // of the sort order: a lane and its spill rows

int tidOf(Lane lane, int spill)
{
    return 1 + int(lane) + spill * laneCount;
}

std::string field(const char* name, std::int64_t value)
{
    return std::string(",\"") + name + "\":" + std::to_string(value);
}

std::string timesOf(std::int64_t begin, std::int64_t end)
{
    return ",\"ts\":" + traceTime(begin) + ",\"dur\":" + traceTime(end - begin);
}

bool hasMicrobatch(Kind kind)
{
    switch (kind) {
    case Kind::Forward:
    case Kind::Backward:
    case Kind::BackwardInput:
    case Kind::BackwardWeight:
    case Kind::SendActivation:
    case Kind::ReceiveActivation:
    case Kind::SendGradient:
    case Kind::ReceiveGradient:
    case Kind::Wait:
    case Kind::TensorCollective:
        return true;
    case Kind::GradientReduce:
    case Kind::TiedReduce:
    case Kind::ReplicaReduce:
    case Kind::NormReduce:
    case Kind::OptimizerStep:
    case Kind::LossReduce:
        return false;
    }
    return false;
}

std::string nameOf(const TraceSlice& slice)
{
    const InstructionId id = slice.span->id;
    if (slice.waiting)
        return std::string("wait for ") + toText(id.kind());
    std::string name = toText(id.kind());
    if (hasMicrobatch(id.kind()))
        name += " " + std::to_string(id.microbatch().value);
    return name;
}

std::string microseconds(double seconds)
{
    return traceTime(std::llround(seconds * 1e9));
}

std::string argumentsOf(const Span& span)
{
    std::string text = ",\"args\":{\"step\":" + std::to_string(span.step);
    if (hasMicrobatch(span.id.kind()))
        text += field("microbatch", span.id.microbatch().value);
    text += field("chunk", span.id.chunk().value) + field("part", span.id.part());
    if (span.bytes > 0)
        text += field("bytes", span.bytes);
    if (span.flops > 0)
        text += field("flops", span.flops);
    if (span.lane != Lane::Compute)
        text += ",\"wait_us\":" + microseconds(span.begin - span.ready);
    if (span.tensorWait > 0 || span.tensorTransfer > 0)
        text += ",\"tensor_wait_us\":" + microseconds(span.tensorWait) +
                ",\"tensor_transfer_us\":" + microseconds(span.tensorTransfer);
    return text + "}";
}

class TraceExport
{
public:
    TraceExport(std::ostream& out, const RunPlan& plan, const RunRecords& records)
        : m_writer(out), m_plan(plan), m_records(records)
    {
        m_ranks = std::max(0, plan.layout.ranks());
        sortSpans();
    }

    void write()
    {
        m_writer.begin(head());
        m_writer.nameProcess(m_ranks, "run: steps and loss", 0);
        m_writer.nameThread(m_ranks, 1, "steps", 0);
        writeSteps();
        int position = 1;
        for (const Rank rank : displayOrder())
            writeRank(rank, position++);
        writeMemory();
        writeFlows();
        m_writer.end();
    }

private:
    /// A rank's lane: spans that can be shown, in the order of the records.
    void sortSpans()
    {
        for (const Span& span : m_records.all.spans) {
            const bool finite = std::isfinite(span.ready) && std::isfinite(span.begin) &&
                                std::isfinite(span.end) && std::isfinite(span.tensorWait) &&
                                std::isfinite(span.tensorTransfer);
            if (span.rank.value < 0 || span.rank.value >= m_ranks || !finite) {
                ++m_skipped;
                continue;
            }
            m_lanes[{span.rank.value, span.lane}].push_back(&span);
            m_origin = std::min({m_origin, span.ready, span.begin});
        }
        for (const StepResult& step : m_records.all.steps)
            m_origin = std::isfinite(step.begin) ? std::min(m_origin, step.begin) : m_origin;
    }

    std::string head() const
    {
        return "\"schemaVersion\":1,\"displayTimeUnit\":\"ns\",\"distributedInfo\":{\"backend\":"
               "\"mpi\",\"rank\":0,\"world_size\":" +
               std::to_string(m_ranks) +
               "},\"metadata\":{\"program\":\"Triaxis\",\"label\":" + jsonText(m_plan.label) +
               ",\"layout\":" + jsonText(toText(m_plan.layout)) +
               ",\"schedule\":" + jsonText(m_plan.training.schedule) + ",\"clock_error_us\":" +
               (std::isfinite(m_records.clockError) ? microseconds(m_records.clockError) : "null") +
               field("thinned_spans", m_records.all.droppedSpans) +
               field("torn_bytes", m_records.all.tornBytes) + field("unusable_spans", m_skipped) +
               "}";
    }

    std::vector<Rank> displayOrder() const
    {
        std::vector<Rank> ranks;
        for (int r = 0; r < m_ranks; ++r)
            ranks.push_back(Rank(r));
        std::sort(ranks.begin(), ranks.end(), [this](Rank a, Rank b) {
            const Coordinates left = coordinatesOf(m_plan.layout, a);
            const Coordinates right = coordinatesOf(m_plan.layout, b);
            return std::tuple(left.data, left.pipeline, left.tensor) <
                   std::tuple(right.data, right.pipeline, right.tensor);
        });
        return ranks;
    }

    std::int64_t at(double time) const { return std::llround((time - m_origin) * 1e9); }

    void writeSteps()
    {
        const std::string where = ",\"pid\":" + std::to_string(m_ranks) + ",\"tid\":1";
        std::int64_t busyUntil = 0;
        for (const StepResult& step : m_records.all.steps) {
            if (!std::isfinite(step.begin) || !std::isfinite(step.seconds) || step.seconds < 0)
                continue;
            const std::int64_t begin = std::max(busyUntil, at(step.begin));
            const std::int64_t end = std::max(begin, at(step.begin + step.seconds));
            busyUntil = end;
            m_writer.event("\"ph\":\"X\",\"name\":\"step " + std::to_string(step.step) +
                           "\",\"cat\":\"step\"" + where + timesOf(begin, end) +
                           ",\"args\":{\"step\":" + std::to_string(step.step) +
                           field("tokens", step.tokens) + "}");
            if (std::isfinite(step.loss))
                m_writer.event("\"ph\":\"C\",\"name\":\"loss\"" + where +
                               ",\"ts\":" + traceTime(end) +
                               ",\"args\":{\"nats per token\":" + exactText(step.loss) + "}");
        }
    }

    void writeRank(Rank rank, int position)
    {
        const Coordinates where = coordinatesOf(m_plan.layout, rank);
        m_writer.nameProcess(rank.value, toText(where) + " — rank " + std::to_string(rank.value),
                             position);
        for (int l = 0; l < laneCount; ++l) {
            const auto found = m_lanes.find({rank.value, Lane(l)});
            if (found != m_lanes.end())
                writeLane(rank, Lane(l), found->second);
        }
    }

    void writeLane(Rank rank, Lane lane, const std::vector<const Span*>& spans)
    {
        const std::vector<TraceSlice> slices = traceSlices(spans, m_origin);
        int rows = 0;
        for (const TraceSlice& slice : slices)
            rows = std::max(rows, slice.spill + 1);
        for (int row = 0; row < rows; ++row) {
            const std::string name =
                row == 0 ? toText(lane) : toText(lane) + (" (" + std::to_string(row + 1) + ")");
            m_writer.nameThread(rank.value, tidOf(lane, row), name,
                                int(lane) * rowsPerLane + std::min(row, rowsPerLane - 1));
        }
        for (const TraceSlice& slice : slices) {
            writeSlice(slice);
            const Kind kind = slice.span->id.kind();
            if (isSend(kind) || isReceive(kind))
                m_transfers.push_back(slice);
        }
    }

    void writeSlice(const TraceSlice& slice)
    {
        const Span& span = *slice.span;
        m_writer.event("\"ph\":\"X\",\"name\":" + jsonText(nameOf(slice)) + ",\"cat\":\"" +
                       toText(slice.waiting ? Category::Wait : categoryOf(span.id.kind())) + "\"" +
                       field("pid", span.rank.value) + field("tid", tidOf(span.lane, slice.spill)) +
                       timesOf(slice.begin, slice.end) + argumentsOf(span));
    }

    void writeFlows()
    {
        std::int64_t id = 0;
        for (const TraceFlow& flow : traceFlows(m_transfers, m_plan.layout)) {
            const bool gradient = flow.send->id.kind() == Kind::SendGradient;
            const std::string head = std::string("\"name\":\"") +
                                     (gradient ? "gradient" : "activation") +
                                     "\",\"cat\":\"pipeline\"" + field("id", ++id);
            m_writer.event("\"ph\":\"s\"," + head + field("pid", flow.send->rank.value) +
                           field("tid", tidOf(flow.send->lane, flow.sendSpill)) +
                           ",\"ts\":" + traceTime(flow.sent));
            m_writer.event("\"ph\":\"f\",\"bp\":\"e\"," + head +
                           field("pid", flow.receive->rank.value) +
                           field("tid", tidOf(flow.receive->lane, flow.receiveSpill)) +
                           ",\"ts\":" + traceTime(flow.received));
        }
    }

    void writeMemory()
    {
        for (const MemorySample& sample : m_records.all.memory) {
            if (sample.rank.value < 0 || sample.rank.value >= m_ranks ||
                !std::isfinite(sample.time) || sample.time < m_origin)
                continue;
            std::string values;
            for (int c = 0; c < memoryCategoryCount; ++c)
                values += (c == 0 ? "\"" : ",\"") + std::string(toText(MemoryCategory(c))) +
                          "\":" + std::to_string(sample.live[std::size_t(c)]);
            m_writer.event(
                "\"ph\":\"C\",\"name\":\"memory, bytes\"" + field("pid", sample.rank.value) +
                ",\"tid\":0,\"ts\":" + traceTime(at(sample.time)) + ",\"args\":{" + values + "}");
        }
    }

    TraceWriter m_writer;
    const RunPlan& m_plan;
    const RunRecords& m_records;
    int m_ranks = 0;
    double m_origin = 0; // earliest time; the run's start unless clock alignment went below it
    std::int64_t m_skipped = 0;
    std::map<std::pair<int, Lane>, std::vector<const Span*>> m_lanes;
    std::vector<TraceSlice> m_transfers;
};

} // namespace

void writeChromeTrace(std::ostream& out, const RunPlan& plan, const RunRecords& records)
{
    TraceExport(out, plan, records).write();
}

} // namespace triaxis
