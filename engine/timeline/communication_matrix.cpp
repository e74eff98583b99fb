#include "engine/timeline/communication_matrix.h"

#include "engine/schedule/step_tail.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace triaxis
{
namespace
{

/// Bytes that tensor collectives of a compute instruction sum up, all together (Megatron's two for
/// each layer and pass, those of a split embedding and head).
double tensorPayload(Kind kind, const ChunkContent& content, const ProgramInputs& inputs)
{
    if (kind == Kind::BackwardWeight || kind == Kind::OptimizerStep)
        return 0;
    const double rows = double(inputs.batch.microbatch) * inputs.batch.sequence;
    const double whole = rows * inputs.model.hidden;
    const bool forward = kind == Kind::Forward;
    double elements = 2.0 * content.layerCount * whole;
    if (forward && content.embedding)
        elements += whole;
    if (content.head)
        elements += forward ? 3 * rows : whole;
    return elements * double(inputs.bytesPerElement);
}

/// Gathers what ranks send, by pair and axis.
class Links
{
public:
    Links(const Program& program, const ProgramInputs& inputs,
          const std::vector<StepTraffic>& steps)
        : m_program(program), m_inputs(inputs), m_layout(inputs.layout)
    {
        m_seconds.resize(std::size_t(m_layout.ranks()));
        for (const StepTraffic& step : steps)
            for (std::size_t rank = 0; rank < std::min(m_seconds.size(), step.perRank.size()); ++rank)
                add(m_seconds[rank], step.perRank[rank], double(steps.size()));
        std::vector<std::vector<ChunkContent>> contents;
        for (const StageProgram& stage : program.perStage)
            contents.push_back(stage.chunks);
        m_tied = tiedStages(inputs.model, contents);
    }

    std::vector<TrafficLink> all()
    {
        for (int rank = 0; rank < m_layout.ranks(); ++rank)
            addRank(Rank(rank));
        for (int rank = 0; rank < m_layout.ranks(); ++rank)
            addSeconds(Rank(rank));
        std::vector<TrafficLink> links;
        for (const auto& [key, link] : m_links)
            links.push_back(link);
        return links;
    }

private:
    static void add(RankTraffic& sum, const RankTraffic& step, double steps)
    {
        sum.tensor += step.tensor / steps;
        sum.sendNext += step.sendNext / steps;
        sum.sendPrevious += step.sendPrevious / steps;
        sum.tied += step.tied / steps;
        sum.data += step.data / steps;
        sum.step += step.step / steps;
    }

    TrafficLink& link(Rank from, Rank to, TrafficAxis axis)
    {
        TrafficLink& found = m_links[{from, to, axis}];
        found.from = from;
        found.to = to;
        found.axis = axis;
        return found;
    }

    void addRank(Rank rank)
    {
        const Coordinates at = coordinatesOf(m_layout, rank);
        const StageProgram& stage = m_program.perStage[std::size_t(at.pipeline)];
        for (const Instruction& instruction : stage.instructions) {
            const Kind kind = instruction.id.kind();
            if (isCompute(kind))
                addRing(rank, Kind::TensorCollective,
                        m_layout.tp > 1 && kind != Kind::OptimizerStep
                            ? tensorPayload(kind,
                                            stage.chunks[std::size_t(instruction.id.chunk().value)],
                                            m_inputs)
                            : 0);
            else if (isSend(kind))
                addSend(rank, at, instruction);
            else if (isCollective(kind))
                addRing(rank, kind, double(instruction.bytes));
        }
    }

    void addSend(Rank rank, Coordinates at, const Instruction& send)
    {
        at.pipeline = send.peer.value;
        const Rank to = rankOf(m_layout, at);
        link(rank, to, TrafficAxis::Pipeline).bytes += double(send.bytes);
        m_sent[{rank, send.lane}][to] += double(send.bytes);
    }

    void addRing(Rank rank, Kind kind, double payload)
    {
        const std::vector<Rank> group = groupOfKind(rank, kind);
        const auto here = std::find(group.begin(), group.end(), rank);
        if (group.size() < 2 || here == group.end() || payload <= 0)
            return;
        const auto next = std::next(here) == group.end() ? group.begin() : std::next(here);
        const double members = double(group.size());
        const double bytes = 2 * (members - 1) / members * payload;
        link(rank, *next, axisOf(kind)).bytes += bytes;
        m_rings[{rank, secondsOf(kind)}][{*next, axisOf(kind)}] += bytes;
    }

    static TrafficAxis axisOf(Kind kind)
    {
        switch (kind) {
        case Kind::GradientReduce:
            return TrafficAxis::Data;
        case Kind::TiedReduce:
            return TrafficAxis::Pipeline;
        case Kind::NormReduce:
        case Kind::LossReduce:
            return TrafficAxis::Step;
        default:
            return TrafficAxis::Tensor;
        }
    }
    static double RankTraffic::*secondsOf(Kind kind)
    {
        switch (kind) {
        case Kind::GradientReduce:
            return &RankTraffic::data;
        case Kind::TiedReduce:
            return &RankTraffic::tied;
        case Kind::NormReduce:
        case Kind::LossReduce:
            return &RankTraffic::step;
        default:
            return &RankTraffic::tensor;
        }
    }

    std::vector<Rank> groupOfKind(Rank rank, Kind kind) const
    {
        const Coordinates at = coordinatesOf(m_layout, rank);
        if (kind == Kind::GradientReduce)
            return gradientGroup(at);
        if (kind == Kind::TiedReduce) {
            std::vector<Rank> group;
            for (const int stage : m_tied)
                group.push_back(rankOf(m_layout, {at.data, at.tensor, stage}));
            return group;
        }
        if (kind == Kind::NormReduce)
            return modelGroupOf(m_layout, rank);
        std::vector<Rank> group;
        if (kind == Kind::LossReduce) {
            for (int r = 0; r < m_layout.ranks(); ++r)
                group.push_back(Rank(r));
            return group;
        }
        if (kind == Kind::ReplicaReduce) {
            const int holders = std::max(1, m_layout.tp / std::max(1, m_inputs.model.kvHeads));
            const int first = at.tensor / holders * holders;
            for (int t = first; t < std::min(first + holders, m_layout.tp); ++t)
                group.push_back(rankOf(m_layout, {at.data, t, at.pipeline}));
            return group;
        }
        return groupOf(m_layout, rank, Axis::Tensor);
    }

    /// With two copies of the weights in a pipeline those of the mirrored stage take part.
    std::vector<Rank> gradientGroup(const Coordinates& at) const
    {
        std::vector<Rank> group;
        const int mirrored = m_layout.pp - 1 - at.pipeline;
        for (int data = 0; data < m_layout.dp; ++data) {
            group.push_back(rankOf(m_layout, {data, at.tensor, std::min(at.pipeline, mirrored)}));
            if (m_program.replicas > 1 && mirrored != at.pipeline)
                group.push_back(
                    rankOf(m_layout, {data, at.tensor, std::max(at.pipeline, mirrored)}));
        }
        if (m_program.replicas < 2) {
            group.clear();
            for (int data = 0; data < m_layout.dp; ++data)
                group.push_back(rankOf(m_layout, {data, at.tensor, at.pipeline}));
        }
        return group;
    }

    /// What a lane took is shared among those it sent to, by bytes.
    void addSeconds(Rank rank)
    {
        const RankTraffic& seconds = m_seconds[std::size_t(rank.value)];
        for (const Lane lane : {Lane::SendNext, Lane::SendPrevious}) {
            const auto& sent = m_sent[{rank, lane}];
            double all = 0;
            for (const auto& [to, bytes] : sent)
                all += bytes;
            for (const auto& [to, bytes] : sent)
                link(rank, to, TrafficAxis::Pipeline).seconds +=
                    (lane == Lane::SendNext ? seconds.sendNext : seconds.sendPrevious) *
                    (all > 0 ? bytes / all : 0);
        }
        for (const auto part : {&RankTraffic::tensor, &RankTraffic::tied, &RankTraffic::data,
                                &RankTraffic::step}) {
            const auto found = std::find_if(m_rings.begin(), m_rings.end(), [&](const auto& entry) {
                return entry.first.first == rank && entry.first.second == part;
            });
            if (found == m_rings.end())
                continue;
            double all = 0;
            for (const auto& [to, bytes] : found->second)
                all += bytes;
            for (const auto& [to, bytes] : found->second)
                link(rank, to.first, to.second).seconds += seconds.*part * bytes / all;
        }
    }

    struct RingOrder
    {
        using Key = std::pair<Rank, double RankTraffic::*>;
        static int number(double RankTraffic::*part)
        {
            return part == &RankTraffic::tensor ? 0
                   : part == &RankTraffic::tied ? 1
                   : part == &RankTraffic::data ? 2
                                                : 3;
        }
        bool operator()(const Key& a, const Key& b) const
        {
            return std::pair(a.first, number(a.second)) < std::pair(b.first, number(b.second));
        }
    };

    const Program& m_program;
    const ProgramInputs& m_inputs;
    const Layout& m_layout;
    std::vector<RankTraffic> m_seconds; ///< means over the steps
    std::vector<int> m_tied;
    std::map<std::tuple<Rank, Rank, TrafficAxis>, TrafficLink> m_links;
    std::map<std::pair<Rank, Lane>, std::map<Rank, double>> m_sent;
    std::map<RingOrder::Key, std::map<std::pair<Rank, TrafficAxis>, double>, RingOrder> m_rings;
};

struct FoldedRank
{
    std::size_t row = 0;
    std::string name;
    std::string place;
};

FoldedRank foldedRank(const Layout& layout, Rank rank, TrafficFold fold)
{
    const Coordinates at = coordinatesOf(layout, rank);
    const std::string stage = "stage " + std::to_string(at.pipeline);
    const std::string replica = "data " + std::to_string(at.data);
    switch (fold) {
    case TrafficFold::Rank:
        return {std::size_t(rank.value), "rank " + std::to_string(rank.value), toText(at)};
    case TrafficFold::StageOfReplica:
        return {std::size_t(at.data * layout.pp + at.pipeline), replica + " · " + stage,
                std::to_string(layout.tp) + " tensor ranks"};
    case TrafficFold::Stage:
        return {std::size_t(at.pipeline), stage, std::to_string(layout.dp * layout.tp) + " ranks"};
    case TrafficFold::Replica:
        return {std::size_t(at.data), replica, std::to_string(layout.pp * layout.tp) + " ranks"};
    }
    return {};
}

int rowsOf(const Layout& layout, TrafficFold fold)
{
    switch (fold) {
    case TrafficFold::Rank:
        return layout.ranks();
    case TrafficFold::StageOfReplica:
        return layout.dp * layout.pp;
    case TrafficFold::Stage:
        return layout.pp;
    case TrafficFold::Replica:
        return layout.dp;
    }
    return 0;
}

} // namespace

const char* toText(TrafficAxis axis)
{
    switch (axis) {
    case TrafficAxis::Tensor:
        return "tensor";
    case TrafficAxis::Pipeline:
        return "pipeline";
    case TrafficAxis::Data:
        return "data";
    case TrafficAxis::Step:
        return "norm and loss";
    }
    return "";
}

StepTraffic stepTraffic(const std::vector<Span>& spansOfStep, const Layout& layout)
{
    StepTraffic traffic;
    traffic.perRank.resize(std::size_t(std::max(0, layout.ranks())));
    for (const Span& span : spansOfStep) {
        const double seconds = span.end - span.begin;
        if (span.rank.value < 0 || span.rank.value >= layout.ranks() || !std::isfinite(seconds))
            continue;
        traffic.step = span.step;
        RankTraffic& rank = traffic.perRank[std::size_t(span.rank.value)];
        const Kind kind = span.id.kind();
        if (isCompute(kind))
            rank.tensor += span.tensorTransfer;
        else if (isSend(kind))
            (span.lane == Lane::SendNext ? rank.sendNext : rank.sendPrevious) += seconds;
        else if (kind == Kind::GradientReduce)
            rank.data += seconds;
        else if (kind == Kind::TiedReduce)
            rank.tied += seconds;
        else if (kind == Kind::ReplicaReduce)
            rank.tensor += seconds;
        else if (kind == Kind::NormReduce || kind == Kind::LossReduce)
            rank.step += seconds;
    }
    return traffic;
}

std::vector<TrafficLink> trafficLinks(const Program& program, const ProgramInputs& inputs,
                                      const std::vector<StepTraffic>& steps)
{
    return Links(program, inputs, steps).all();
}

TrafficMatrix trafficMatrix(const std::vector<TrafficLink>& links, const Layout& layout,
                            TrafficFold fold, std::optional<TrafficAxis> axis)
{
    TrafficMatrix matrix;
    const auto rows = std::size_t(std::max(0, rowsOf(layout, fold)));
    matrix.names.resize(rows);
    matrix.places.resize(rows);
    matrix.cells.resize(rows * rows);
    std::vector<std::size_t> rowOf;
    for (int rank = 0; rank < layout.ranks(); ++rank) {
        const FoldedRank folded = foldedRank(layout, Rank(rank), fold);
        rowOf.push_back(folded.row);
        matrix.names[folded.row] = folded.name;
        matrix.places[folded.row] = folded.place;
    }
    for (const TrafficLink& link : links) {
        if (axis && link.axis != *axis)
            continue;
        TrafficMatrix::Cell& cell = matrix.cells[rowOf.at(std::size_t(link.from.value)) * rows +
                                                 rowOf.at(std::size_t(link.to.value))];
        cell.bytes += link.bytes;
        cell.seconds += link.seconds;
        cell.byAxis[std::size_t(link.axis)] += link.bytes;
        ++cell.pairs;
    }
    return matrix;
}

TrafficFold foldThatFits(const Layout& layout, int most)
{
    TrafficFold best = TrafficFold::Stage;
    for (const TrafficFold fold :
         {TrafficFold::Rank, TrafficFold::StageOfReplica, TrafficFold::Stage, TrafficFold::Replica}) {
        if (rowsOf(layout, fold) <= most)
            return fold;
        if (rowsOf(layout, fold) < rowsOf(layout, best))
            best = fold;
    }
    return best;
}

} // namespace triaxis
