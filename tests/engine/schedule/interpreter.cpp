#include "interpreter.h"

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

namespace triaxis::tests
{
namespace
{

struct Fault : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

void demand(bool holds, const char* what)
{
    if (!holds)
        throw Fault(what);
}

/// A tensor by name: what it is, of which virtual stage, replica and microbatch.
using Tensor = std::tuple<char, int, int, int>;

/// What stands in a lane.
struct Operation
{
    std::uint64_t id = 0;
    enum class Type { Put, Take, Join } type = Type::Join;
    Tensor tensor{};         ///< Put, Take
    int peer = -1;           ///< Put, Take
    std::uint64_t other = 0; ///< Put, Take: id at the peer
    std::string meeting;     ///< Join: all who join name it alike
    std::set<int> members;   ///< Join
    std::int64_t bytes = 0;
    bool finished = false;
    bool waited = false;
};

struct Worker
{
    std::size_t next = 0;
    std::set<std::uint64_t> seen;
    std::set<Tensor> tensors; ///< computed here or received and waited for
    std::map<int, std::deque<Operation*>> lanes;
    std::map<std::uint64_t, Operation> operations;
    std::set<int> frozenChunks; ///< their gradients have been given to a sum
    bool lossGiven = false;
    bool normGiven = false;
    bool normKnown = false;
    bool updated = false;
    std::map<int, std::set<int>> buckets; ///< chunk → parts
    int lastFuse = 0;
    int fuseLength = 0;
    int fusePeer = -1;
    std::set<int> fusesSeen;
};

class Execution
{
public:
    Execution(const Program& program, std::uint64_t seed)
        : m_program(program), m_workers(program.stages), m_random(seed)
    {
        for (int stage = 0; stage < program.stages; ++stage)
            for (int chunk = 0; chunk < program.chunks; ++chunk) {
                const ChunkContent& held = program.perStage[stage].chunks[chunk];
                m_home[{held.virtualStage, held.replica}] = {stage, chunk};
                m_last = std::max(m_last, held.virtualStage);
            }
    }

    void run()
    {
        for (;;) {
            std::vector<std::pair<int, int>> events; // (stage, lane), lane −1: the stage issues
            for (int stage = 0; stage < m_program.stages; ++stage) {
                if (canIssue(stage))
                    events.emplace_back(stage, -1);
                for (const auto& [lane, queue] : m_workers[stage].lanes)
                    if (!queue.empty() && canMeet(stage, *queue.front()))
                        events.emplace_back(stage, lane);
            }
            if (events.empty())
                break;
            const auto [stage, lane] = events[m_random() % events.size()];
            if (lane < 0)
                issue(stage, m_program.perStage[stage].instructions[m_workers[stage].next++]);
            else
                meet(stage, *m_workers[stage].lanes[lane].front());
        }
        for (int stage = 0; stage < m_program.stages; ++stage)
            finish(stage);
        demandCoverage();
    }

private:
    const ChunkContent& held(int stage, int chunk) const
    {
        return m_program.perStage[stage].chunks[chunk];
    }

    bool canIssue(int stage)
    {
        Worker& worker = m_workers[stage];
        const auto& list = m_program.perStage[stage].instructions;
        if (worker.next >= list.size())
            return false;
        const Instruction& instruction = list[worker.next];
        if (instruction.id.kind() != Kind::Wait)
            return true;
        const auto target = worker.operations.find(instruction.target.packed);
        return target == worker.operations.end() || target->second.finished;
    }

    // ---- meetings ----

    Operation* frontTowards(int stage, int peer, Operation::Type type)
    {
        for (auto& [lane, queue] : m_workers[stage].lanes)
            if (!queue.empty() && queue.front()->type == type && queue.front()->peer == peer)
                return queue.front();
        return nullptr;
    }

    Operation* frontOf(int stage, const std::string& meeting)
    {
        for (auto& [lane, queue] : m_workers[stage].lanes)
            if (!queue.empty() && queue.front()->meeting == meeting)
                return queue.front();
        return nullptr;
    }

    bool canMeet(int stage, const Operation& operation)
    {
        if (operation.type == Operation::Type::Put)
            return frontTowards(operation.peer, stage, Operation::Type::Take) != nullptr;
        if (operation.type == Operation::Type::Take)
            return frontTowards(operation.peer, stage, Operation::Type::Put) != nullptr;
        return std::all_of(operation.members.begin(), operation.members.end(), [&](int member) {
            return frontOf(member, operation.meeting) != nullptr;
        });
    }

    void meet(int stage, Operation& operation)
    {
        if (operation.type == Operation::Type::Join) {
            for (const int member : operation.members) {
                Operation* there = frontOf(member, operation.meeting);
                demand(there->bytes == operation.bytes, "a sum over different sizes");
                release(member, *there);
            }
            return;
        }
        const auto opposite =
            operation.type == Operation::Type::Put ? Operation::Type::Take : Operation::Type::Put;
        Operation* there = frontTowards(operation.peer, stage, opposite);
        demand(there->tensor == operation.tensor, "a receive got another tensor");
        demand(there->bytes == operation.bytes, "a receive got another size");
        demand(there->other == operation.id && operation.other == there->id,
               "two ends that do not name each other");
        const int peer = operation.peer;
        release(stage, operation);
        release(peer, *there);
    }

    void release(int stage, Operation& operation)
    {
        operation.finished = true;
        for (auto& [lane, queue] : m_workers[stage].lanes)
            if (!queue.empty() && queue.front() == &operation)
                queue.pop_front();
    }

    // ---- issuing ----

    void issue(int stage, const Instruction& instruction)
    {
        Worker& worker = m_workers[stage];
        demand(worker.seen.insert(instruction.id.packed).second, "an id for two instructions");
        demand(instruction.bytes >= 0 && instruction.flops >= 0, "negative work");
        followFuse(worker, instruction);
        switch (instruction.id.kind()) {
        case Kind::Forward:
        case Kind::Backward:
        case Kind::BackwardInput:
        case Kind::BackwardWeight:
            return compute(stage, instruction);
        case Kind::SendActivation:
        case Kind::SendGradient:
        case Kind::ReceiveActivation:
        case Kind::ReceiveGradient:
            return transfer(stage, instruction);
        case Kind::Wait:
            return wait(stage, instruction);
        case Kind::GradientReduce:
        case Kind::TiedReduce:
        case Kind::ReplicaReduce:
        case Kind::NormReduce:
        case Kind::LossReduce:
            return join(stage, instruction);
        case Kind::OptimizerStep:
            demand(plain(instruction) && instruction.lane == Lane::Compute, "an odd update");
            demand(worker.normKnown, "an update before the norm is known");
            worker.updated = true;
            return;
        case Kind::TensorCollective:
            break;
        }
        throw Fault("nothing that a stage can do");
    }

    /// Transfers with one number are handed over in one go.
    void followFuse(Worker& worker, const Instruction& instruction)
    {
        if (instruction.fuse != worker.lastFuse) {
            demand(worker.lastFuse == 0 || worker.fuseLength > 1, "a group of one");
            worker.fuseLength = 0;
            worker.lastFuse = instruction.fuse;
            demand(instruction.fuse == 0 || worker.fusesSeen.insert(instruction.fuse).second,
                   "a group in two places");
        }
        if (instruction.fuse == 0)
            return;
        const Kind kind = instruction.id.kind();
        const bool moves = kind == Kind::SendActivation || kind == Kind::SendGradient ||
                           kind == Kind::ReceiveActivation || kind == Kind::ReceiveGradient;
        demand(moves && instruction.fuse > 0, "only transfers go in groups");
        demand(worker.fuseLength == 0 || worker.fusePeer == instruction.peer.value,
               "a group with several peers");
        worker.fusePeer = instruction.peer.value;
        ++worker.fuseLength;
    }

    static bool plain(const Instruction& instruction)
    {
        return instruction.id.chunk().value == 0 && instruction.id.microbatch().value == 0 &&
               instruction.id.part() == 0;
    }

    bool inRange(const Instruction& instruction) const
    {
        return instruction.id.chunk().value < m_program.chunks &&
               instruction.id.microbatch().value < m_program.microbatches &&
               instruction.id.part() == 0;
    }

    void compute(int stage, const Instruction& instruction)
    {
        demand(inRange(instruction), "no such chunk or microbatch");
        demand(instruction.lane == Lane::Compute, "computing on another lane");
        Worker& worker = m_workers[stage];
        demand(!worker.updated, "computing after the update");
        const int chunk = instruction.id.chunk().value;
        const int m = instruction.id.microbatch().value;
        const ChunkContent& own = held(stage, chunk);
        const int v = own.virtualStage;
        const int r = own.replica;
        const Tensor stash{'S', v, r, m};
        const Tensor half{'H', v, r, m}; // the input's gradient is done, the weights' is not
        const auto has = [&](const Tensor& tensor) { return worker.tensors.count(tensor) > 0; };
        const Kind kind = instruction.id.kind();
        if (kind == Kind::Forward) {
            demand(v == 0 || has({'A', v - 1, r, m}), "a forward without its input");
            demand(!(own.head && worker.lossGiven), "a forward after the loss was given away");
            worker.tensors.insert({'A', v, r, m});
            worker.tensors.insert(stash);
            m_ran[m].insert(r);
            return;
        }
        if (kind == Kind::BackwardWeight) {
            demand(has(half), "weight gradients without the gradient of the output");
            worker.tensors.erase(half);
        } else {
            demand(has(stash), "a backward without its activations");
            demand(v == m_last || has({'G', v + 1, r, m}), "a backward without its gradient");
            worker.tensors.erase(stash);
            worker.tensors.insert({'G', v, r, m});
            if (kind == Kind::BackwardInput) {
                worker.tensors.insert(half);
                return;
            }
        }
        demand(worker.frozenChunks.count(chunk) == 0, "a gradient changes after it was summed");
        m_trained.insert({v, r, m});
    }

    void enqueue(int stage, const Instruction& instruction, Operation operation)
    {
        Worker& worker = m_workers[stage];
        operation.id = instruction.id.packed;
        operation.bytes = instruction.bytes;
        Operation& stored = worker.operations[operation.id] = operation;
        worker.lanes[int(instruction.lane)].push_back(&stored);
    }

    /// Lane of a neighbour on the ring; the nearer one in the line where both ways lead there.
    static Lane laneTowards(int stage, int peer, int stages, bool sending)
    {
        bool next = peer == stage + 1;
        if (peer != stage + 1 && peer != stage - 1)
            next = ((peer - stage + stages) % stages) * 2 <= stages;
        if (sending)
            return next ? Lane::SendNext : Lane::SendPrevious;
        return next ? Lane::ReceiveNext : Lane::ReceivePrevious;
    }

    void transfer(int stage, const Instruction& instruction)
    {
        demand(inRange(instruction), "no such chunk or microbatch");
        Worker& worker = m_workers[stage];
        demand(!worker.updated, "a transfer after the update");
        const ChunkContent& own = held(stage, instruction.id.chunk().value);
        const int m = instruction.id.microbatch().value;
        const Kind kind = instruction.id.kind();
        const bool activation = kind == Kind::SendActivation || kind == Kind::ReceiveActivation;
        const bool sending = kind == Kind::SendActivation || kind == Kind::SendGradient;
        const int v = own.virtualStage + (activation == sending ? 1 : -1); // of the other end
        demand(v >= 0 && v <= m_last, "a transfer beyond the model");
        const auto [home, homeChunk] = m_home.at({v, own.replica});
        demand(home != stage, "a transfer to itself");
        demand(instruction.peer.value == home, "a transfer with the wrong stage");
        demand(instruction.bytes > 0, "an empty transfer");
        demand(instruction.lane == laneTowards(stage, home, m_program.stages, sending),
               "a transfer on the wrong lane");
        Operation operation;
        operation.type = sending ? Operation::Type::Put : Operation::Type::Take;
        operation.tensor = {activation ? 'A' : 'G', sending ? own.virtualStage : v, own.replica, m};
        operation.peer = home;
        operation.other = instruction.counterpart.packed;
        demand(instruction.counterpart.chunk().value == homeChunk,
               "a counterpart of another chunk");
        demand(!sending || worker.tensors.count(operation.tensor) > 0, "sending what is not there");
        enqueue(stage, instruction, operation);
    }

    void wait(int stage, const Instruction& instruction)
    {
        Worker& worker = m_workers[stage];
        demand(instruction.lane == Lane::Compute, "waiting on a lane");
        demand(instruction.id == waitFor(instruction.target), "a wait with another's id");
        const auto target = worker.operations.find(instruction.target.packed);
        demand(target != worker.operations.end(), "waiting for what was not enqueued");
        target->second.waited = true;
        if (target->second.type == Operation::Type::Take)
            worker.tensors.insert(target->second.tensor);
        if (instruction.target.kind() == Kind::NormReduce)
            worker.normKnown = true;
    }

    void freeze(int stage, int chunk)
    {
        Worker& worker = m_workers[stage];
        worker.frozenChunks.insert(chunk);
        // One table may serve embedding and head of a stage.
        if (held(stage, chunk).embedding)
            for (int other = 0; other < m_program.chunks; ++other)
                if (held(stage, other).head)
                    worker.frozenChunks.insert(other);
    }

    void demandSummed(int stage, Kind kind, int chunk)
    {
        for (const auto& [id, operation] : m_workers[stage].operations)
            if (InstructionId(id).kind() == kind && InstructionId(id).chunk().value == chunk)
                demand(operation.waited, "a gradient is used before its sum is complete");
    }

    void join(int stage, const Instruction& instruction)
    {
        Worker& worker = m_workers[stage];
        const Kind kind = instruction.id.kind();
        const int chunk = instruction.id.chunk().value;
        const bool ofChunk = kind == Kind::GradientReduce || kind == Kind::ReplicaReduce;
        demand(instruction.lane == (kind == Kind::ReplicaReduce ? Lane::Tensor : Lane::Data),
               "a sum on the wrong lane");
        demand(instruction.id.microbatch().value == 0 &&
                   (ofChunk ? chunk < m_program.chunks : chunk == 0) &&
                   instruction.id.part() < (kind == Kind::GradientReduce ? 2048 : 1),
               "a sum of something that is not there");
        demand(kind == Kind::LossReduce || (!worker.normGiven && !worker.updated),
               "a sum after the norm was taken");
        Operation operation;
        operation.members = {stage};
        operation.meeting = std::string(toText(kind)) + std::to_string(stage) + "/" +
                            std::to_string(instruction.id.packed);
        if (kind == Kind::GradientReduce) {
            freeze(stage, chunk);
            demand(m_tied[stage].count(chunk) == 0 && m_shared[stage].count(chunk) == 0,
                   "a gradient is summed again after copies were added");
            worker.buckets[chunk].insert(instruction.id.part());
            if (m_program.replicas > 1) {
                const int v = held(stage, chunk).virtualStage;
                operation.meeting = "gradients " + std::to_string(v) + " bucket " +
                                    std::to_string(instruction.id.part());
                for (int r = 0; r < m_program.replicas; ++r)
                    operation.members.insert(m_home.at({v, r}).first);
            }
        } else if (kind == Kind::ReplicaReduce) {
            freeze(stage, chunk);
            demandSummed(stage, Kind::GradientReduce, chunk);
            m_shared[stage].insert(chunk);
        } else if (kind == Kind::TiedReduce) {
            joinTied(stage, operation);
        } else if (kind == Kind::NormReduce) {
            worker.normGiven = true;
            for (int each = 0; each < m_program.chunks; ++each) {
                freeze(stage, each);
                for (const Kind sum : {Kind::GradientReduce, Kind::ReplicaReduce, Kind::TiedReduce})
                    demandSummed(stage, sum, each);
            }
            joinAll(operation, "norm");
        } else {
            worker.lossGiven = true;
            joinAll(operation, "loss");
        }
        enqueue(stage, instruction, operation);
    }

    void joinAll(Operation& operation, const char* meeting)
    {
        operation.meeting = meeting;
        for (int stage = 0; stage < m_program.stages; ++stage)
            operation.members.insert(stage);
    }

    void joinTied(int stage, Operation& operation)
    {
        int embeddings = 0;
        int heads = 0;
        for (int chunk = 0; chunk < m_program.chunks; ++chunk) {
            const ChunkContent& own = held(stage, chunk);
            embeddings += own.embedding;
            heads += own.head;
            if (own.embedding || own.head) {
                freeze(stage, chunk);
                demandSummed(stage, Kind::GradientReduce, chunk);
                m_tied[stage].insert(chunk);
            }
        }
        demand(embeddings + heads > 0, "nothing tied on this stage");
        demand(embeddings == 0 || heads == 0, "one table does not need to be summed");
        operation.meeting = "tied";
        for (int r = 0; r < m_program.replicas; ++r) {
            operation.members.insert(m_home.at({0, r}).first);
            operation.members.insert(m_home.at({m_last, r}).first);
        }
    }

    // ---- the end ----

    void finish(int stage)
    {
        Worker& worker = m_workers[stage];
        demand(worker.next == m_program.perStage[stage].instructions.size(),
               "nothing more can happen, and the step is not done");
        demand(worker.lastFuse == 0 || worker.fuseLength > 1, "a group of one");
        for (const auto& [id, operation] : worker.operations)
            demand(operation.waited, "something was never waited for");
        demand(worker.updated && worker.normKnown && worker.lossGiven, "the step has no end");
        for (const auto& [chunk, parts] : worker.buckets)
            demand(*parts.rbegin() == int(parts.size()) - 1, "a bucket is missing");
    }

    void demandCoverage()
    {
        for (int m = 0; m < m_program.microbatches; ++m) {
            demand(m_ran[m].size() == 1, "a microbatch runs on no replica or on several");
            for (int v = 0; v <= m_last; ++v)
                demand(m_trained.count({v, *m_ran[m].begin(), m}) > 0,
                       "a microbatch was not trained on everywhere");
        }
    }

    const Program& m_program;
    std::vector<Worker> m_workers;
    std::mt19937_64 m_random;
    std::map<std::pair<int, int>, std::pair<int, int>>
        m_home; ///< (virtual stage, replica) → (stage, chunk)
    int m_last = 0;
    std::map<int, std::set<int>> m_ran;            ///< microbatch → replicas
    std::set<std::tuple<int, int, int>> m_trained; ///< (virtual stage, replica, microbatch)
    std::map<int, std::set<int>> m_tied;           ///< stage → chunks whose tied sum was taken
    std::map<int, std::set<int>> m_shared;         ///< stage → chunks whose KV sum was taken
};

} // namespace

Outcome execute(const Program& program, std::uint64_t seed)
{
    try {
        Execution(program, seed).run();
    } catch (const Fault& fault) {
        return {false, fault.what()};
    }
    return {};
}

} // namespace triaxis::tests
