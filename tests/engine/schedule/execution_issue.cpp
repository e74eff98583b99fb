#include "execution.h"

namespace triaxis::tests::interpreter
{

void Execution::issue(int stage, const Instruction& instruction)
{
    Worker& worker = m_workers[stage];
    demand(worker.seen.insert(instruction.id.packed).second, "an id for two instructions");
    demand(instruction.bytes >= 0 && instruction.flops >= 0, "negative work");
    followFuse(worker, instruction);
    followPair(worker, instruction);
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

void Execution::followFuse(Worker& worker, const Instruction& instruction)
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

void Execution::endPair(Worker& worker)
{
    const std::vector<InstructionId>& pair = worker.pair;
    if (pair.empty())
        return;
    demand(pair.size() == 2, "an overlap that is no pair");
    const bool forward[] = {pair[0].kind() == Kind::Forward, pair[1].kind() == Kind::Forward};
    demand(forward[0] != forward[1], "an overlap of two alike");
    demand(pair[0].chunk() != pair[1].chunk() || pair[0].microbatch() != pair[1].microbatch(),
           "an overlap of a backward with its own forward");
    worker.pair.clear();
}

void Execution::followPair(Worker& worker, const Instruction& instruction)
{
    if (instruction.pair != worker.lastPair) {
        endPair(worker);
        worker.lastPair = instruction.pair;
        demand(instruction.pair == 0 || worker.pairsSeen.insert(instruction.pair).second,
               "an overlap in two places");
    }
    if (instruction.pair == 0)
        return;
    const Kind kind = instruction.id.kind();
    demand(instruction.pair > 0 && (kind == Kind::Forward || kind == Kind::Backward),
           "an overlap of something else");
    worker.pair.push_back(instruction.id);
}

bool Execution::plain(const Instruction& instruction)
{
    return instruction.id.chunk().value == 0 && instruction.id.microbatch().value == 0 &&
           instruction.id.part() == 0;
}

bool Execution::inRange(const Instruction& instruction) const
{
    return instruction.id.chunk().value < m_program.chunks &&
           instruction.id.microbatch().value < m_program.microbatches && instruction.id.part() == 0;
}

void Execution::compute(int stage, const Instruction& instruction)
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

void Execution::enqueue(int stage, const Instruction& instruction, Operation operation)
{
    Worker& worker = m_workers[stage];
    operation.id = instruction.id.packed;
    operation.bytes = instruction.bytes;
    Operation& stored = worker.operations[operation.id] = operation;
    worker.lanes[int(instruction.lane)].push_back(&stored);
}

Lane Execution::laneTowards(int stage, int peer, int stages, bool sending)
{
    bool next = peer == stage + 1;
    if (peer != stage + 1 && peer != stage - 1)
        next = ((peer - stage + stages) % stages) * 2 <= stages;
    if (sending)
        return next ? Lane::SendNext : Lane::SendPrevious;
    return next ? Lane::ReceiveNext : Lane::ReceivePrevious;
}

void Execution::transfer(int stage, const Instruction& instruction)
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
    demand(instruction.counterpart.chunk().value == homeChunk, "a counterpart of another chunk");
    demand(!sending || worker.tensors.count(operation.tensor) > 0, "sending what is not there");
    enqueue(stage, instruction, operation);
}

void Execution::wait(int stage, const Instruction& instruction)
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

void Execution::freeze(int stage, int chunk)
{
    Worker& worker = m_workers[stage];
    worker.frozenChunks.insert(chunk);
    // One table may serve embedding and head of a stage.
    if (held(stage, chunk).embedding)
        for (int other = 0; other < m_program.chunks; ++other)
            if (held(stage, other).head)
                worker.frozenChunks.insert(other);
}

void Execution::demandSummed(int stage, Kind kind, int chunk)
{
    for (const auto& [id, operation] : m_workers[stage].operations)
        if (InstructionId(id).kind() == kind && InstructionId(id).chunk().value == chunk)
            demand(operation.waited, "a gradient is used before its sum is complete");
}

void Execution::join(int stage, const Instruction& instruction)
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

void Execution::joinAll(Operation& operation, const char* meeting)
{
    operation.meeting = meeting;
    for (int stage = 0; stage < m_program.stages; ++stage)
        operation.members.insert(stage);
}

void Execution::joinTied(int stage, Operation& operation)
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

} // namespace triaxis::tests::interpreter
