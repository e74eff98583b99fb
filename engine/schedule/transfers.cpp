#include "engine/schedule/transfers.h"

#include "engine/core/error.h"
#include "engine/schedule/channels.h"
#include "engine/schedule/chunk_contents.h"
#include "engine/schedule/compute_program.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace triaxis
{
namespace
{

/// Where a virtual stage of a replica lies.
struct Place
{
    int stage = 0;
    int chunk = 0;
};

/// What a step hands to another stage: both ends, as placed in the round of its producer.
struct Transfer
{
    int from = 0;
    int to = 0;
    Instruction send;
    Instruction receive;
    bool fused = false;

    std::pair<int, int> stages() const { return std::minmax(from, to); }
};

/// Behind the transfers between the same two stages as those of `first`.
template <class Iterator>
Iterator groupEnd(Iterator first, Iterator end)
{
    return std::find_if(first, end, [first](const Transfer& transfer) {
        return transfer.stages() != first->stages();
    });
}

/// Walks the compute lists in rounds. In a round every stage places its next step, or its next
/// overlapped pair, if everything that it consumes was placed in an earlier round, and the
/// transfers of that step are placed on both ends in the same round. Whatever an instruction waits
/// for stands in an earlier round on both sides, and all lanes have the transfers of a round in one
/// common order (plain ones, then fused ones, by pair of stages): the result cannot deadlock.
class Walk
{
public:
    Walk(const ComputeProgram& compute, const std::vector<std::vector<ChunkContent>>& contents,
         const ProgramInputs& inputs);

    void run();

    std::vector<std::vector<Instruction>> instructions; ///< [stage]
    std::vector<std::vector<Instruction>> pendingSends; ///< [stage]

private:
    bool isReady(int stage, const ComputeStep& step) const;
    std::vector<int> readyStages() const;
    std::vector<Transfer> transfersOf(const std::vector<int>& ready) const;
    std::optional<Transfer> transferOf(int stage, const ComputeStep& step) const;
    void fuseOpposite(std::vector<Transfer>& transfers);
    void placeWaits(int stage, const ComputeStep& step);
    void placeSteps(int stage);
    void placeTransfers(const std::vector<Transfer>& transfers);
    void makeRoom(const Transfer& transfer);
    void placeReceive(const Transfer& transfer);
    void finish(int stage);
    [[noreturn]] void refuseStuck() const;

    /// The next step of a stage, or the next two where they overlap.
    std::span<const ComputeStep> next(int stage) const
    {
        const ComputeStep* step = &m_compute.order[stage][m_next[stage]];
        return {step, step->withNext ? std::size_t(2) : std::size_t(1)};
    }
    bool finished(int stage) const { return m_next[stage] == m_compute.order[stage].size(); }
    Place placeOf(int replica, int position) const { return m_places[replica][position]; }
    /// Whether the forward (else the backward that makes the input's gradient) of a chunk has been
    /// placed.
    std::vector<bool>& done(bool forward, int stage, int chunk)
    {
        return m_done[forward ? 0 : 1][stage * m_compute.chunks + chunk];
    }
    bool isDone(bool forward, Place at, Microbatch microbatch) const
    {
        return m_done[forward ? 0 : 1][at.stage * m_compute.chunks + at.chunk][microbatch.value];
    }

    const ComputeProgram& m_compute;
    const std::vector<std::vector<ChunkContent>>& m_contents;
    const ProgramInputs& m_inputs;
    std::int64_t m_bytes = 0;                 ///< of an activation, or of its gradient
    int m_last = 0;                           ///< last virtual stage
    std::vector<std::vector<Place>> m_places; ///< [replica][virtual stage]
    std::vector<std::size_t> m_next;          ///< [stage] next step
    std::vector<std::vector<bool>>
        m_done[2];           ///< [forward, backward][stage · V + chunk][microbatch]
    std::vector<int> m_fuse; ///< [stage] last number given
    std::vector<int> m_pair; ///< [stage] last number given
    /// [stage] receives that were placed, by the compute step they are for.
    std::vector<std::map<InstructionId, Instruction>> m_received;
};

Walk::Walk(const ComputeProgram& compute, const std::vector<std::vector<ChunkContent>>& contents,
           const ProgramInputs& inputs)
    : instructions(compute.stages), pendingSends(compute.stages), m_compute(compute),
      m_contents(contents), m_inputs(inputs),
      m_bytes(std::int64_t(inputs.batch.microbatch) * inputs.batch.sequence * inputs.model.hidden *
              inputs.bytesPerElement),
      m_last(virtualStages(compute) - 1),
      m_places(compute.replicas, std::vector<Place>(virtualStages(compute))),
      m_next(compute.stages, 0), m_fuse(compute.stages, 0), m_pair(compute.stages, 0),
      m_received(compute.stages)
{
    for (int stage = 0; stage < compute.stages; ++stage)
        for (int chunk = 0; chunk < compute.chunks; ++chunk)
            m_places[compute.replica[stage][chunk]][compute.virtualStage[stage][chunk]] = {stage,
                                                                                           chunk};
    for (auto& done : m_done)
        done.assign(std::size_t(compute.stages) * compute.chunks,
                    std::vector<bool>(compute.microbatches, false));
}

bool Walk::isReady(int stage, const ComputeStep& step) const
{
    const ChunkContent& content = m_contents[stage][step.chunk.value];
    const Place here{stage, step.chunk.value};
    if (step.kind == Kind::Forward)
        return content.virtualStage == 0 ||
               isDone(true, placeOf(content.replica, content.virtualStage - 1), step.microbatch);
    if (step.kind == Kind::BackwardWeight)
        return isDone(false, here, step.microbatch);
    return isDone(true, here, step.microbatch) &&
           (content.virtualStage == m_last ||
            isDone(false, placeOf(content.replica, content.virtualStage + 1), step.microbatch));
}

std::vector<int> Walk::readyStages() const
{
    std::vector<int> ready;
    for (int stage = 0; stage < m_compute.stages; ++stage) {
        if (finished(stage))
            continue;
        const std::span<const ComputeStep> steps = next(stage);
        if (std::all_of(steps.begin(), steps.end(),
                        [&](const ComputeStep& step) { return isReady(stage, step); }))
            ready.push_back(stage);
    }
    return ready;
}

std::optional<Transfer> Walk::transferOf(int stage, const ComputeStep& step) const
{
    const ChunkContent& content = m_contents[stage][step.chunk.value];
    const bool forward = step.kind == Kind::Forward;
    const int position = content.virtualStage + (forward ? 1 : -1);
    if (step.kind == Kind::BackwardWeight || position < 0 || position > m_last)
        return std::nullopt;
    const Place consumer = placeOf(content.replica, position);
    if (consumer.stage == stage)
        return std::nullopt;

    Transfer transfer;
    transfer.from = stage;
    transfer.to = consumer.stage;
    Instruction& send = transfer.send;
    Instruction& receive = transfer.receive;
    send.id = {forward ? Kind::SendActivation : Kind::SendGradient, step.chunk, step.microbatch};
    receive.id = {forward ? Kind::ReceiveActivation : Kind::ReceiveGradient, Chunk(consumer.chunk),
                  step.microbatch};
    send.lane = sendLane(Stage(stage), Stage(consumer.stage), m_compute.stages);
    receive.lane = receiveLane(Stage(consumer.stage), Stage(stage), m_compute.stages);
    send.peer = Stage(consumer.stage);
    receive.peer = Stage(stage);
    send.counterpart = receive.id;
    receive.counterpart = send.id;
    send.bytes = receive.bytes = m_bytes;
    return transfer;
}

std::vector<Transfer> Walk::transfersOf(const std::vector<int>& ready) const
{
    std::vector<Transfer> transfers;
    for (const int stage : ready)
        for (const ComputeStep& step : next(stage))
            if (const std::optional<Transfer> transfer = transferOf(stage, step))
                transfers.push_back(*transfer);
    std::stable_sort(transfers.begin(), transfers.end(),
                     [](const Transfer& a, const Transfer& b) { return a.stages() < b.stages(); });
    return transfers;
}

/// Where two stages send to each other, each gives all transfers between them a number of its own.
void Walk::fuseOpposite(std::vector<Transfer>& transfers)
{
    for (auto first = transfers.begin(); first != transfers.end();) {
        const auto end = groupEnd(first, transfers.end());
        const bool opposite = std::any_of(
            first, end, [&](const Transfer& transfer) { return transfer.from != first->from; });
        if (opposite) {
            const int numbers[] = {++m_fuse[first->from], ++m_fuse[first->to]};
            for (auto transfer = first; transfer != end; ++transfer) {
                const bool alike = transfer->from == first->from;
                transfer->fused = true;
                transfer->send.fuse = numbers[alike ? 0 : 1];
                transfer->receive.fuse = numbers[alike ? 1 : 0];
            }
        }
        first = end;
    }
}

void Walk::placeReceive(const Transfer& transfer)
{
    instructions[transfer.to].push_back(transfer.receive);
    const InstructionId id = transfer.receive.id;
    const Kind consumer = id.kind() == Kind::ReceiveActivation ? Kind::Forward : Kind::Backward;
    m_received[transfer.to].insert(
        {InstructionId(consumer, id.chunk(), id.microbatch()), transfer.receive});
}

/// Waits for the oldest send of the lane where no further one may be under way.
void Walk::makeRoom(const Transfer& transfer)
{
    std::vector<Instruction>& pending = pendingSends[transfer.from];
    const auto sameLane = [&](const Instruction& send) { return send.lane == transfer.send.lane; };
    if (std::count_if(pending.begin(), pending.end(), sameLane) >= sendsInFlight) {
        const auto oldest = std::find_if(pending.begin(), pending.end(), sameLane);
        instructions[transfer.from].push_back(waitInstruction(*oldest));
        pending.erase(oldest);
    }
    pending.push_back(transfer.send);
}

/// Sends of this round and what stands beside them. Waits go before all of them, so that none tears
/// a fused group apart; they are for sends of earlier rounds, since a round has at most
/// sendsInFlight of a stage.
void Walk::placeTransfers(const std::vector<Transfer>& transfers)
{
    for (const Transfer& transfer : transfers)
        makeRoom(transfer);
    for (const Transfer& transfer : transfers)
        if (!transfer.fused)
            instructions[transfer.from].push_back(transfer.send);
    for (auto first = transfers.begin(); first != transfers.end();) {
        const auto end = groupEnd(first, transfers.end());
        for (auto transfer = first; first->fused && transfer != end; ++transfer)
            instructions[transfer->from].push_back(transfer->send);
        for (auto transfer = first; first->fused && transfer != end; ++transfer)
            placeReceive(*transfer);
        first = end;
    }
}

void Walk::placeWaits(int stage, const ComputeStep& step)
{
    const Kind consumer = step.kind == Kind::BackwardInput ? Kind::Backward : step.kind;
    auto& received = m_received[stage];
    const auto input = received.find(InstructionId(consumer, step.chunk, step.microbatch));
    if (input == received.end())
        return;
    instructions[stage].push_back(waitInstruction(input->second));
    received.erase(input);
}

void Walk::placeSteps(int stage)
{
    const std::span<const ComputeStep> steps = next(stage);
    for (const ComputeStep& step : steps)
        placeWaits(stage, step);
    const int pair = steps.size() > 1 ? ++m_pair[stage] : 0;
    for (const ComputeStep& step : steps) {
        Instruction compute;
        compute.id = {step.kind, step.chunk, step.microbatch};
        compute.flops = computeFlops(step.kind, m_contents[stage][step.chunk.value], m_inputs);
        compute.pair = pair;
        instructions[stage].push_back(compute);
    }
}

void Walk::finish(int stage)
{
    const std::span<const ComputeStep> steps = next(stage);
    for (const ComputeStep& step : steps)
        if (step.kind != Kind::BackwardWeight)
            done(step.kind == Kind::Forward, stage, step.chunk.value)[step.microbatch.value] = true;
    m_next[stage] += steps.size();
}

void Walk::refuseStuck() const
{
    for (int stage = 0; stage < m_compute.stages; ++stage) {
        if (finished(stage))
            continue;
        const ComputeStep& step = next(stage).front();
        throw Error("cannot complete the schedule \"" + m_compute.schedule + "\"",
                    "stage " + std::to_string(stage) + " never gets to the " +
                        toText(InstructionId(step.kind, step.chunk, step.microbatch)) +
                        ": what it consumes is made too late or not at all",
                    "order the steps so that each comes after those it depends on");
    }
    throw Error("cannot complete the schedule", m_compute.schedule);
}

void Walk::run()
{
    for (;;) {
        const std::vector<int> ready = readyStages();
        if (ready.empty())
            break;
        std::vector<Transfer> transfers = transfersOf(ready);
        fuseOpposite(transfers);
        for (const Transfer& transfer : transfers)
            if (!transfer.fused)
                placeReceive(transfer);
        for (const int stage : ready)
            placeSteps(stage);
        placeTransfers(transfers);
        for (const int stage : ready)
            finish(stage);
    }
    for (int stage = 0; stage < m_compute.stages; ++stage)
        if (!finished(stage))
            refuseStuck();
}

} // namespace

Instruction waitInstruction(const Instruction& target)
{
    Instruction wait;
    wait.id = waitFor(target.id);
    wait.target = target.id;
    wait.peer = target.peer;
    return wait;
}

std::vector<std::vector<Instruction>>
withTransfers(const ComputeProgram& compute, const std::vector<std::vector<ChunkContent>>& contents,
              const ProgramInputs& inputs, std::vector<std::vector<Instruction>>& pendingSends)
{
    Walk walk(compute, contents, inputs);
    walk.run();
    pendingSends = std::move(walk.pendingSends);
    return std::move(walk.instructions);
}

} // namespace triaxis
