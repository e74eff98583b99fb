#include "mutations.h"

#include <algorithm>
#include <functional>

namespace triaxis::tests
{
namespace
{

using List = std::vector<Instruction>;
using Random = std::mt19937;

int below(Random& random, int count)
{
    return int(random() % unsigned(count));
}

List& anyList(Program& program, Random& random)
{
    return program.perStage[below(random, program.stages)].instructions;
}

Instruction& anyOf(List& list, Random& random)
{
    return list[below(random, int(list.size()))];
}

/// A random instruction for which `wanted` holds; null if there is none in the program.
Instruction* pick(Program& program, Random& random,
                  const std::function<bool(const Instruction&)>& wanted)
{
    std::vector<Instruction*> found;
    for (StageProgram& stage : program.perStage)
        for (Instruction& instruction : stage.instructions)
            if (wanted(instruction))
                found.push_back(&instruction);
    return found.empty() ? nullptr : found[below(random, int(found.size()))];
}

bool isTransfer(const Instruction& i)
{
    return isSend(i.id.kind()) || isReceive(i.id.kind());
}

/// The instruction at the other end of a transfer; null where an earlier change has torn them
/// apart.
Instruction* otherEnd(Program& program, const Instruction& transfer)
{
    if (transfer.peer.value < 0 || transfer.peer.value >= program.stages)
        return nullptr;
    for (Instruction& other : program.perStage[transfer.peer.value].instructions)
        if (other.id == transfer.counterpart)
            return &other;
    return nullptr;
}
bool isWait(const Instruction& i)
{
    return i.id.kind() == Kind::Wait;
}

/// Moves one instruction up (negative) or down a list, clamped to its ends.
void moveBy(List& list, int from, int by)
{
    const int to = std::clamp(from + by, 0, int(list.size()) - 1);
    if (to < from)
        std::rotate(list.begin() + to, list.begin() + from, list.begin() + from + 1);
    else
        std::rotate(list.begin() + from, list.begin() + from + 1, list.begin() + to + 1);
}

bool swapNeighbours(Program& program, Random& random)
{
    List& list = anyList(program, random);
    const int at = below(random, int(list.size()) - 1);
    std::swap(list[at], list[at + 1]);
    return true;
}

bool swapTwo(Program& program, Random& random)
{
    List& list = anyList(program, random);
    std::swap(anyOf(list, random), anyOf(list, random));
    return true;
}

bool deleteOne(Program& program, Random& random)
{
    List& list = anyList(program, random);
    list.erase(list.begin() + below(random, int(list.size())));
    return true;
}

bool duplicateOne(Program& program, Random& random)
{
    List& list = anyList(program, random);
    const Instruction copy = anyOf(list, random);
    list.insert(list.begin() + below(random, int(list.size()) + 1), copy);
    return true;
}

bool moveOne(Program& program, Random& random)
{
    List& list = anyList(program, random);
    moveBy(list, below(random, int(list.size())), below(random, 9) - 4);
    return true;
}

bool moveWait(Program& program, Random& random)
{
    List& list = anyList(program, random);
    std::vector<int> waits;
    for (int at = 0; at < int(list.size()); ++at)
        if (isWait(list[at]))
            waits.push_back(at);
    if (waits.empty())
        return false;
    moveBy(list, waits[below(random, int(waits.size()))], below(random, 17) - 8);
    return true;
}

int positionOf(const List& list, InstructionId id)
{
    return int(
        std::find_if(list.begin(), list.end(), [&](const Instruction& i) { return i.id == id; }) -
        list.begin());
}

/// Hand-written pipelines: sends that are waited for at once and receives that are posted where
/// they are needed, here and there or everywhere. Sound in GPipe, a deadlock where two stages send
/// to each other.
bool communicateAtOnce(Program& program, Random& random)
{
    const int outOfTen = 1 + below(random, 10);
    for (StageProgram& stage : program.perStage) {
        List& list = stage.instructions;
        std::vector<InstructionId> transfers;
        for (Instruction& instruction : list) {
            instruction.fuse = 0;
            if (isTransfer(instruction) && below(random, 10) < outOfTen)
                transfers.push_back(instruction.id);
        }
        for (const InstructionId id : transfers) {
            const int transfer = positionOf(list, id);
            const int wait = positionOf(list, waitFor(id));
            if (wait < transfer || wait == int(list.size()))
                continue;
            if (isSend(id.kind()))
                moveBy(list, wait, transfer + 1 - wait);
            else
                moveBy(list, transfer, wait - 1 - transfer);
        }
    }
    return true;
}

bool changePeer(Program& program, Random& random)
{
    Instruction* instruction =
        pick(program, random, [](const Instruction& i) { return isTransfer(i) || isWait(i); });
    if (!instruction)
        return false;
    instruction->peer = Stage(below(random, program.stages + 1) - 1);
    return true;
}

bool changeId(Program& program, Random& random)
{
    Instruction& instruction = anyOf(anyList(program, random), random);
    const InstructionId id = instruction.id;
    switch (below(random, 4)) {
    case 0:
        instruction.id = {id.kind(), id.chunk(),
                          Microbatch(below(random, program.microbatches + 1)), id.part()};
        break;
    case 1:
        instruction.id = {id.kind(), Chunk(below(random, program.chunks + 1)), id.microbatch(),
                          id.part()};
        break;
    case 2:
        instruction.id = {Kind(below(random, 17)), id.chunk(), id.microbatch(), id.part()};
        break;
    default:
        instruction.id = {id.kind(), id.chunk(), id.microbatch(), below(random, 3)};
    }
    return true;
}

/// One compute step becomes another microbatch's and the other way round, with everything else in
/// place.
bool exchangeMicrobatches(Program& program, Random& random)
{
    List& list = anyList(program, random);
    std::vector<Instruction*> steps;
    for (Instruction& instruction : list)
        if (isCompute(instruction.id.kind()))
            steps.push_back(&instruction);
    if (steps.size() < 2)
        return false;
    std::swap(*steps[below(random, int(steps.size()))], *steps[below(random, int(steps.size()))]);
    return true;
}

bool changeLane(Program& program, Random& random)
{
    anyOf(anyList(program, random), random).lane = Lane(below(random, 8));
    return true;
}

bool changeTarget(Program& program, Random& random)
{
    List& list = anyList(program, random);
    Instruction& first = anyOf(list, random);
    Instruction& second = anyOf(list, random);
    if (!isWait(first))
        return false;
    if (isWait(second)) {
        std::swap(first.target, second.target);
        if (below(random, 2))
            std::swap(first.id, second.id);
    } else {
        first.target = second.id;
        if (below(random, 2))
            first.id = waitFor(second.id);
    }
    return true;
}

bool changeSizes(Program& program, Random& random)
{
    Instruction& instruction = anyOf(anyList(program, random), random);
    if (below(random, 2))
        instruction.bytes += below(random, 3) - 1;
    else
        instruction.flops += below(random, 1000);
    return true;
}

/// A sound change: both ends of a transfer carry more.
bool changeBothSizes(Program& program, Random& random)
{
    Instruction* transfer = pick(program, random, isTransfer);
    if (!transfer)
        return false;
    transfer->bytes *= 2;
    if (Instruction* other = otherEnd(program, *transfer))
        other->bytes = transfer->bytes;
    return true;
}

bool changeCounterpart(Program& program, Random& random)
{
    Instruction* transfer = pick(program, random, isTransfer);
    const Instruction* other = pick(program, random, isTransfer);
    if (!transfer)
        return false;
    transfer->counterpart = below(random, 2) ? other->counterpart : other->id;
    return true;
}

bool changeFuse(Program& program, Random& random)
{
    const bool anything = below(random, 4) == 0;
    Instruction* instruction = pick(program, random, [&](const Instruction& i) {
        return i.fuse != 0 || (anything && isTransfer(i));
    });
    if (!instruction)
        return false;
    const int number = instruction->fuse;
    const bool wholeGroup = number != 0 && below(random, 2);
    instruction->fuse = wholeGroup ? 0 : below(random, 4);
    if (wholeGroup)
        for (StageProgram& stage : program.perStage)
            if (&stage.instructions.front() <= instruction &&
                instruction <= &stage.instructions.back())
                for (Instruction& other : stage.instructions)
                    if (other.fuse == number)
                        other.fuse = 0;
    return true;
}

bool changePair(Program& program, Random& random)
{
    const bool anything = below(random, 4) == 0;
    Instruction* instruction = pick(program, random, [&](const Instruction& i) {
        return i.pair != 0 || (anything && isCompute(i.id.kind()));
    });
    if (!instruction)
        return false;
    const int number = instruction->pair;
    const bool both = number != 0 && below(random, 2);
    const int changed = both ? below(random, 2) * 1000 : below(random, 4);
    for (StageProgram& stage : program.perStage)
        if (&stage.instructions.front() <= instruction && instruction <= &stage.instructions.back())
            for (Instruction& other : stage.instructions)
                if (&other == instruction || (both && other.pair == number))
                    other.pair = changed;
    return true;
}

std::vector<int> positionsOnLane(const List& list, Lane lane)
{
    std::vector<int> positions;
    for (int at = 0; at < int(list.size()); ++at)
        if (list[at].lane == lane)
            positions.push_back(at);
    return positions;
}

bool reverseLane(Program& program, Random& random)
{
    List& list = anyList(program, random);
    const std::vector<int> positions = positionsOnLane(list, Lane(1 + below(random, 6)));
    if (positions.size() < 2)
        return false;
    for (std::size_t i = 0; i < positions.size() / 2; ++i)
        std::swap(list[positions[i]], list[positions[positions.size() - 1 - i]]);
    return true;
}

/// Two transfers of a channel change places on both ends, so that they still pair.
bool exchangeTransfers(Program& program, Random& random)
{
    Instruction* first = pick(program, random, isTransfer);
    if (!first)
        return false;
    Instruction* second = pick(program, random, [&](const Instruction& i) {
        return isTransfer(i) && i.id.kind() == first->id.kind() && i.peer == first->peer &&
               i.counterpart.kind() == first->counterpart.kind() && i.id != first->id &&
               i.lane == first->lane;
    });
    if (!second)
        return false;
    Instruction* firstEnd = otherEnd(program, *first);
    Instruction* secondEnd = otherEnd(program, *second);
    if (!firstEnd || !secondEnd)
        return false;
    std::swap(*first, *second);
    std::swap(*firstEnd, *secondEnd);
    std::swap(first->fuse, second->fuse);
    std::swap(firstEnd->fuse, secondEnd->fuse);
    return true;
}

/// Neighbours on different lanes of which neither is a wait or a computation: their order means
/// nothing.
bool swapIndependent(Program& program, Random& random)
{
    List& list = anyList(program, random);
    std::vector<int> places;
    for (int at = 0; at + 1 < int(list.size()); ++at) {
        const auto free = [](const Instruction& i) {
            return !isWait(i) && !isCompute(i.id.kind());
        };
        const bool waits = isWait(list[at]) && isWait(list[at + 1]);
        if (waits || (free(list[at]) && free(list[at + 1]) && list[at].lane != list[at + 1].lane))
            places.push_back(at);
    }
    if (places.empty())
        return false;
    const int at = places[below(random, int(places.size()))];
    std::swap(list[at], list[at + 1]);
    return true;
}

bool changeContents(Program& program, Random& random)
{
    anyOf(anyList(program, random), random).flops *= 3;
    Instruction* unused =
        pick(program, random, [](const Instruction& i) { return !isTransfer(i); });
    unused->counterpart = unused->id;
    return true;
}

} // namespace

const std::vector<Mutation>& mutations()
{
    static const std::vector<Mutation> all{
        {"swap neighbours", swapNeighbours},
        {"swap two", swapTwo},
        {"delete", deleteOne},
        {"duplicate", duplicateOne},
        {"move", moveOne},
        {"move a wait", moveWait},
        {"transfers without overlap", communicateAtOnce},
        {"change a peer", changePeer},
        {"change an id", changeId},
        {"exchange compute steps", exchangeMicrobatches},
        {"change a lane", changeLane},
        {"change a target", changeTarget},
        {"change a size", changeSizes},
        {"change both sizes", changeBothSizes},
        {"change a counterpart", changeCounterpart},
        {"change a fused group", changeFuse},
        {"change an overlapped pair", changePair},
        {"reverse a lane", reverseLane},
        {"exchange transfers on both ends", exchangeTransfers},
        {"swap independent neighbours", swapIndependent},
        {"change unused fields", changeContents},
    };
    return all;
}

} // namespace triaxis::tests
