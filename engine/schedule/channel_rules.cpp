#include "engine/schedule/verifier_rules.h"

#include <algorithm>
#include <map>

namespace triaxis
{
namespace
{

/// Both ends name each other and agree on the size.
std::optional<Refusal> checkEnds(const ProgramIndex& index, int stage, int position)
{
    const Instruction& transfer = index.list(stage)[position];
    const std::string other = "stage " + std::to_string(transfer.peer.value);
    const int there = index.find(transfer.peer.value, transfer.counterpart);
    const bool gradient =
        transfer.id.kind() == Kind::SendGradient || transfer.id.kind() == Kind::ReceiveGradient;
    const std::string tensor = gradient ? "a gradient" : "an activation";
    if (there < 0)
        return refusal(index, stage, position,
                       isSend(transfer.id.kind())
                           ? "sends " + tensor + " that " + other + " never receives"
                           : "waits for " + tensor + " that " + other + " never sends");
    const std::int64_t bytes = index.list(transfer.peer.value)[there].bytes;
    if (bytes != transfer.bytes)
        return refusal(index, stage, position,
                       "carries " + std::to_string(transfer.bytes) + " bytes here and " +
                           std::to_string(bytes) + " on " + other);
    return std::nullopt;
}

/// Positions of a stage's sends or receives with each peer, in list order.
using Ends = std::map<int, std::vector<int>>;

Ends endsOf(const ProgramIndex& index, int stage, bool sends)
{
    Ends ends;
    const std::vector<Instruction>& list = index.list(stage);
    for (int position = 0; position < int(list.size()); ++position) {
        const Kind kind = list[position].id.kind();
        if (sends ? isSend(kind) : isReceive(kind))
            ends[list[position].peer.value].push_back(position);
    }
    return ends;
}

/// Every send has its receive and the other way round, so that only the order can differ. Refused
/// at the receive.
std::optional<Refusal> checkSequence(const ProgramIndex& index, int from, int to,
                                     const std::vector<int>& sends,
                                     const std::vector<int>& receives)
{
    for (std::size_t i = 0; i < std::min(sends.size(), receives.size()); ++i) {
        const Instruction& send = index.list(from)[sends[i]];
        const Instruction& receive = index.list(to)[receives[i]];
        if (receive.counterpart != send.id)
            return refusal(index, to, receives[i],
                           "is number " + std::to_string(i + 1) + " on the channel from stage " +
                               std::to_string(from) + ", where that number is \"" +
                               toText(send.id) + "\"");
    }
    return std::nullopt;
}

} // namespace

std::optional<Refusal> checkChannels(const ProgramIndex& index)
{
    std::vector<Ends> sends;
    for (int stage = 0; stage < index.stages(); ++stage) {
        sends.push_back(endsOf(index, stage, true));
        const std::vector<Instruction>& list = index.list(stage);
        for (int position = 0; position < int(list.size()); ++position)
            if (isSend(list[position].id.kind()) || isReceive(list[position].id.kind()))
                if (auto found = checkEnds(index, stage, position))
                    return found;
    }
    for (int stage = 0; stage < index.stages(); ++stage)
        for (const auto& [from, receives] : endsOf(index, stage, false))
            if (auto found = checkSequence(index, from, stage, sends[from][stage], receives))
                return found;
    return std::nullopt;
}

} // namespace triaxis
