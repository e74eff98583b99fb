#pragma once

#include "engine/schedule/program.h"

#include <array>
#include <cstdint>

namespace triaxis
{

/// One all-reduce of a group: offered by its members one after the other.
struct Meeting
{
    int members = 0;
    int offered = 0;
    double latest = 0; ///< seconds; the last member's slot had ended by then (paced runs)
    double last = 0;   ///< seconds; when the last member offered it
    bool complete() const { return offered == members; }
};

/// (kind, group, chunk and part, step), or the number of a tensor collective.
using MeetingKey = std::array<std::int64_t, 4>;

inline MeetingKey meetingKey(const StageProgram& stage, InstructionId id, int group, int step)
{
    // Chunks are numbered by stage; twins hold the same part of the model.
    const bool ofChunk = id.kind() == Kind::GradientReduce || id.kind() == Kind::ReplicaReduce;
    const int place = ofChunk ? stage.chunks.at(std::size_t(id.chunk().value)).virtualStage : 0;
    return {std::int64_t(id.kind()), group, std::int64_t(place) * 65536 + id.part(), step};
}

/// What one rank sends to another.
struct Message
{
    bool sent = false;
    bool posted = false; ///< the receive
    double arrival = 0;  ///< seconds on the clock of slots
};

/// (receiving rank, step, id of the receive).
using MessageKey = std::array<std::int64_t, 3>;

inline MessageKey receiveKey(int rank, int step, InstructionId receive)
{
    return {rank, step, std::int64_t(receive.packed)};
}

} // namespace triaxis
