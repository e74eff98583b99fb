#include "engine/schedule/verifier_rules.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// The rules of one stage by itself.
class StageTailCheck
{
public:
    StageTailCheck(const ProgramIndex& index, int stage)
        : m_index(index), m_stage(stage), m_lastGradient(index.program().chunks, -1),
          m_buckets(index.program().chunks), m_optimizer(find(Kind::OptimizerStep)),
          m_norm(find(Kind::NormReduce))
    {
        const std::vector<Instruction>& list = index.list(stage);
        for (int position = 0; position < int(list.size()); ++position) {
            const Kind kind = list[position].id.kind();
            if (kind == Kind::Backward || kind == Kind::BackwardWeight)
                m_lastGradient[list[position].id.chunk().value] = position;
            if (kind == Kind::Forward && content(list[position].id.chunk()).head)
                m_lastLoss = position;
            if (kind == Kind::GradientReduce)
                m_buckets[list[position].id.chunk().value].push_back(position);
            if (kind == Kind::ReplicaReduce || kind == Kind::TiedReduce)
                m_otherSums.push_back(position);
        }
    }

    std::optional<Refusal> run() const
    {
        for (const Kind kind : {Kind::NormReduce, Kind::OptimizerStep, Kind::LossReduce})
            if (find(kind) < 0)
                return refusal(m_stage, size(), InstructionId(kind, Chunk(0), Microbatch(0)),
                               "every stage needs it once in a step");
        for (int position = 0; position < size(); ++position)
            if (const std::string reason = check(position); !reason.empty())
                return refusal(m_index, m_stage, position, reason);
        return std::nullopt;
    }

private:
    int size() const { return int(m_index.list(m_stage).size()); }
    const ChunkContent& content(Chunk chunk) const { return m_index.content(m_stage, chunk); }
    int find(Kind kind) const
    {
        return m_index.find(m_stage, InstructionId(kind, Chunk(0), Microbatch(0)));
    }

    std::string check(int position) const
    {
        const InstructionId id = m_index.list(m_stage)[position].id;
        switch (id.kind()) {
        case Kind::GradientReduce:
            return checkBucket(position, id);
        case Kind::ReplicaReduce:
            return checkReplicas(position, id.chunk());
        case Kind::TiedReduce:
            return checkTied(position);
        case Kind::NormReduce:
            return checkNorm(position);
        case Kind::OptimizerStep:
            return waitedBefore(m_norm, position) ? std::string()
                                                  : "the gradient norm is not waited for before";
        case Kind::LossReduce:
            return position > m_lastLoss ? std::string()
                                         : "a forward that adds to the loss comes after it";
        case Kind::Wait:
            return {};
        case Kind::Forward:
        case Kind::Backward:
        case Kind::BackwardInput:
        case Kind::BackwardWeight:
        case Kind::SendActivation:
        case Kind::ReceiveActivation:
        case Kind::SendGradient:
        case Kind::ReceiveGradient:
        case Kind::TensorCollective:
            return position < m_optimizer
                       ? std::string()
                       : "it comes after the optimizer step, behind which only the loss may stand";
        }
        return {};
    }

    bool waitedBefore(int target, int position) const
    {
        const int wait = m_index.findWait(m_stage, m_index.list(m_stage)[target].id);
        return wait >= 0 && wait < position;
    }

    /// Last step that adds to the gradients of a chunk. A stage with embedding and head may share
    /// one token table between them.
    int lastGradient(Chunk chunk) const
    {
        int last = m_lastGradient[chunk.value];
        if (content(chunk).embedding)
            for (int other = 0; other < m_index.program().chunks; ++other)
                if (content(Chunk(other)).head)
                    last = std::max(last, m_lastGradient[other]);
        return last;
    }

    bool bucketsWaitedBefore(Chunk chunk, int position) const
    {
        const std::vector<int>& buckets = m_buckets[chunk.value];
        return std::all_of(buckets.begin(), buckets.end(),
                           [&](int bucket) { return waitedBefore(bucket, position); });
    }

    std::string checkBucket(int position, InstructionId id) const
    {
        if (position < lastGradient(id.chunk()))
            return "a backward that adds to the gradients comes after it";
        if (id.part() >= int(m_buckets[id.chunk().value].size()))
            return "buckets are numbered from 0 without a gap, and one before it is missing";
        return {};
    }

    std::string checkReplicas(int position, Chunk chunk) const
    {
        if (position < lastGradient(chunk))
            return "a backward that adds to the gradients comes after it";
        if (!bucketsWaitedBefore(chunk, position))
            return "the reduction of the same gradients over the data axis is not waited for "
                   "before";
        return {};
    }

    std::string checkTied(int position) const
    {
        const auto& chunks = m_index.program().perStage[m_stage].chunks;
        bool embedding = false;
        bool head = false;
        for (int chunk = 0; chunk < int(chunks.size()); ++chunk) {
            embedding = embedding || chunks[chunk].embedding;
            head = head || chunks[chunk].head;
            if (!chunks[chunk].embedding && !chunks[chunk].head)
                continue;
            if (position < lastGradient(Chunk(chunk)))
                return "a backward that adds to the tied gradient comes after it";
            if (!bucketsWaitedBefore(Chunk(chunk), position))
                return "the reduction of the tied gradient over the data axis is not waited for "
                       "before";
        }
        if (!embedding && !head)
            return "the stage holds neither the embedding nor the head";
        if (embedding && head)
            return "the stage holds embedding and head, and with them one table: nothing is to be "
                   "summed";
        return {};
    }

    std::string checkNorm(int position) const
    {
        for (int chunk = 0; chunk < int(m_buckets.size()); ++chunk) {
            if (position < m_lastGradient[chunk])
                return "a backward that adds to the gradients comes after it";
            if (!bucketsWaitedBefore(Chunk(chunk), position))
                return "the reduction of the gradients over the data axis is not waited for before";
        }
        for (const int sum : m_otherSums)
            if (!waitedBefore(sum, position))
                return "the " + std::string(toText(m_index.list(m_stage)[sum].id.kind())) +
                       " is not waited for before";
        return {};
    }

    const ProgramIndex& m_index;
    int m_stage = 0;
    std::vector<int> m_lastGradient;         ///< [chunk]
    int m_lastLoss = -1;                     ///< last forward through the head
    std::vector<std::vector<int>> m_buckets; ///< [chunk]
    std::vector<int> m_otherSums;
    int m_optimizer = -1;
    int m_norm = -1;
};

/// All members have the collective, with the same bytes.
std::optional<Refusal> checkMembers(const ProgramIndex& index, int stage, int position)
{
    const Instruction& collective = index.list(stage)[position];
    for (const int member : index.members(stage, collective)) {
        const int there = index.findOn(member, stage, collective);
        const std::string other = "stage " + std::to_string(member);
        if (there < 0)
            return refusal(index, stage, position,
                           "it joins " + other + ", which never takes part");
        if (index.list(member)[there].bytes != collective.bytes)
            return refusal(index, stage, position, "its size is not that of " + other);
    }
    return std::nullopt;
}

/// Twins of the weights sum their gradients. That both sides of a sum are there has been checked.
std::optional<Refusal> checkTwins(const ProgramIndex& index)
{
    if (index.program().replicas == 1)
        return std::nullopt;
    for (int stage = 0; stage < index.stages(); ++stage) {
        for (int chunk = 0; chunk < index.program().chunks; ++chunk) {
            const InstructionId sum(Kind::GradientReduce, Chunk(chunk), Microbatch(0));
            if (index.find(stage, sum) < 0)
                return refusal(stage, int(index.list(stage).size()), sum,
                               "the gradients of the chunk are never summed with its twin's");
        }
    }
    return std::nullopt;
}

/// Collectives that two stages both join come in the same order on both. Refused at the higher
/// stage.
std::optional<Refusal> checkCommonOrder(const ProgramIndex& index, int stage,
                                        const std::vector<int>& joint)
{
    std::vector<int> last(index.stages(), -1);
    std::vector<const Instruction*> lastHere(index.stages(), nullptr);
    for (const int position : joint) {
        const Instruction& collective = index.list(stage)[position];
        for (const int member : index.members(stage, collective)) {
            if (member >= stage)
                continue;
            const int there = index.findOn(member, stage, collective);
            if (there < last[member])
                return refusal(index, stage, position,
                               "it comes after the " + toText(lastHere[member]->id) +
                                   " here, but before it on stage " + std::to_string(member));
            last[member] = there;
            lastHere[member] = &collective;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Refusal> checkTail(const ProgramIndex& index)
{
    for (int stage = 0; stage < index.stages(); ++stage)
        if (auto found = StageTailCheck(index, stage).run())
            return found;
    std::vector<std::vector<int>> joint(index.stages());
    for (int stage = 0; stage < index.stages(); ++stage) {
        const std::vector<Instruction>& list = index.list(stage);
        for (int position = 0; position < int(list.size()); ++position) {
            if (!isCollective(list[position].id.kind()))
                continue;
            if (auto found = checkMembers(index, stage, position))
                return found;
            joint[stage].push_back(position);
        }
    }
    if (auto found = checkTwins(index))
        return found;
    for (int stage = 0; stage < index.stages(); ++stage)
        if (auto found = checkCommonOrder(index, stage, joint[stage]))
            return found;
    return std::nullopt;
}

} // namespace triaxis
