#include "engine/record/span_pairing.h"

#include "engine/record/records.h"
#include "engine/schedule/passes.h"

#include <algorithm>

namespace triaxis
{

std::size_t SpanPairing::MeetingHash::operator()(const Meeting& meeting) const noexcept
{
    std::uint64_t mixed = meeting.id.packed ^ (std::uint64_t(std::uint32_t(meeting.step)) << 32) ^
                          std::uint64_t(std::uint32_t(meeting.root));
    // Finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
    return std::size_t(mixed ^ (mixed >> 31));
}

namespace
{

/// Over before anybody waited for it: nobody was held up by this rank, and this rank by nobody.
bool cameEarly(const Span& span)
{
    return span.end < span.ready;
}

} // namespace

SpanPairing::SpanPairing(const RunPlan& plan) : m_layout(plan.layout)
{
    const Program program = programOf(plan);
    for (int rank = 0; rank < m_layout.ranks(); ++rank)
        m_coordinates.push_back(coordinatesOf(m_layout, Rank(rank)));
    findTwins(program);
    for (const StageProgram& stage : program.perStage) {
        auto& sources = m_source.emplace_back();
        for (const Instruction& instruction : stage.instructions) {
            if (isReceive(instruction.id.kind()))
                sources[instruction.id.packed] = {instruction.peer.value, instruction.counterpart};
            else if (instruction.id.kind() == Kind::TiedReduce)
                ++m_tiedStages[instruction.id.packed];
        }
    }
}

void SpanPairing::findTwins(const Program& program)
{
    // Twins hold the same virtual stage; the first of them stands for all.
    std::unordered_map<int, Twins> byPosition;
    for (const StageProgram& stage : program.perStage)
        for (int chunk = 0; chunk < int(stage.chunks.size()); ++chunk) {
            Twins& twins = byPosition[stage.chunks[std::size_t(chunk)].virtualStage];
            if (twins.count++ == 0) {
                twins.stage = stage.stage.value;
                twins.chunk = Chunk(chunk);
            }
        }
    for (const StageProgram& stage : program.perStage) {
        std::vector<Twins>& own = m_twins.emplace_back();
        for (const ChunkContent& content : stage.chunks)
            own.push_back(byPosition[content.virtualStage]);
    }
}

bool SpanPairing::gradientMeeting(const Coordinates& at, Meeting& meeting) const
{
    const std::vector<Twins>& own = m_twins[std::size_t(at.pipeline)];
    const auto chunk = std::size_t(meeting.id.chunk().value);
    if (chunk >= own.size())
        return false;
    const Twins& twins = own[chunk];
    meeting.root = rankOf(m_layout, {0, at.tensor, twins.stage}).value;
    meeting.id = InstructionId(meeting.id.kind(), twins.chunk, meeting.id.microbatch(),
                               meeting.id.part());
    meeting.members = m_layout.dp * twins.count;
    return meeting.members > 1;
}

bool SpanPairing::receiveMeeting(const Coordinates& at, Meeting& meeting) const
{
    const auto& sources = m_source[std::size_t(at.pipeline)];
    const auto source = sources.find(meeting.id.packed);
    if (source == sources.end())
        return false;
    meeting.root = rankOf(m_layout, {at.data, at.tensor, source->second.stage}).value;
    meeting.id = source->second.id;
    meeting.members = 2;
    return true;
}

bool SpanPairing::meetingOf(const Span& span, Meeting& meeting) const
{
    if (span.rank.value < 0 || span.rank.value >= m_layout.ranks())
        return false;
    const Coordinates at = m_coordinates[std::size_t(span.rank.value)];
    const auto meet = [&](const Coordinates& root, int members) {
        meeting.root = rankOf(m_layout, root).value;
        meeting.members = members;
        return members > 1;
    };
    meeting.step = span.step;
    meeting.id = span.id;
    switch (span.id.kind()) {
    case Kind::SendActivation:
    case Kind::SendGradient:
        meeting.root = span.rank.value;
        meeting.members = 2;
        return true;
    case Kind::ReceiveActivation:
    case Kind::ReceiveGradient:
        return receiveMeeting(at, meeting);
    case Kind::GradientReduce:
        return gradientMeeting(at, meeting);
    case Kind::TiedReduce: {
        const auto stages = m_tiedStages.find(span.id.packed);
        return stages != m_tiedStages.end() && meet({at.data, at.tensor, 0}, stages->second);
    }
    case Kind::ReplicaReduce:
    case Kind::TensorCollective:
        return meet({at.data, 0, at.pipeline}, m_layout.tp);
    case Kind::NormReduce:
        return meet({at.data, 0, 0}, m_layout.tp * m_layout.pp);
    case Kind::LossReduce:
        return meet({0, 0, 0}, m_layout.ranks());
    case Kind::Forward:
    case Kind::Backward:
    case Kind::BackwardInput:
    case Kind::BackwardWeight:
    case Kind::Wait:
    case Kind::OptimizerStep:
        break;
    }
    return false;
}

void SpanPairing::pair(std::vector<Span>& spans) const
{
    std::unordered_map<Meeting, Gathered, MeetingHash> meetings;
    meetings.reserve(spans.size() / 2);
    Meeting meeting;
    for (const Span& span : spans) {
        if (!meetingOf(span, meeting))
            continue;
        Gathered& gathered = meetings[meeting];
        if (!cameEarly(span))
            gathered.latestReady = std::max(gathered.latestReady.value_or(span.ready), span.ready);
        ++gathered.spans;
        if (isReceive(span.id.kind()))
            gathered.received = span.end;
    }
    for (Span& span : spans) {
        if (!meetingOf(span, meeting))
            continue;
        const Gathered& gathered = meetings[meeting];
        if (cameEarly(span))
            span.ready = span.begin = std::min(gathered.latestReady.value_or(span.end), span.end);
        double begin = gathered.latestReady.value_or(span.ready);
        if (gathered.spans < meeting.members)
            begin = std::max(begin, span.begin);
        // A clock's error may put a partner's ready after this rank's end.
        span.begin = std::clamp(begin, span.ready, span.end);
        // A sender looks at its finished sends only now and then; what has arrived has been sent.
        if (isSend(span.id.kind()) && gathered.received)
            span.end = std::max(span.begin, std::min(span.end, *gathered.received));
    }
}

void pairSpans(std::vector<Span>& spans, const RunPlan& plan)
{
    SpanPairing(plan).pair(spans);
}

} // namespace triaxis
