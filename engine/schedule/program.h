#pragma once

#include "engine/schedule/instruction.h"

#include <cstdint>
#include <string>
#include <vector>

namespace triaxis
{

/// One entry of a schedule: what a stage computes next. What a generator makes.
struct ComputeStep
{
    Kind kind = Kind::Forward;
    Chunk chunk;
    Microbatch microbatch;
    /// Runs overlapped with the step that follows in the list: one of both is a Forward, the other a Backward (DualPipe).
    bool withNext = false;
    bool operator==(const ComputeStep&) const = default;
};

/// A schedule before transfers: for each stage its compute steps in order, and where each virtual stage lives.
struct ComputeProgram
{
    std::string schedule;              ///< "1f1b", "gpipe"
    int stages = 1;                    ///< P
    int microbatches = 1;              ///< M
    int chunks = 1;                    ///< chunks a stage over all replicas: V · replicas
    int replicas = 1;                  ///< copies of the weights within the pipeline (2: bidirectional)
    std::vector<std::vector<ComputeStep>> order; ///< [P]
    /// virtualStage[stage][chunk]: position of that chunk in the model, 0 … P·V − 1.
    std::vector<std::vector<int>> virtualStage;
    /// replica[stage][chunk]: which of `replicas` copies the chunk belongs to.
    std::vector<std::vector<int>> replica;
};

/// What a chunk holds of the model.
struct ChunkContent
{
    int virtualStage = 0;
    int replica = 0;
    int firstLayer = 0;
    int layerCount = 0;
    bool embedding = false;
    bool head = false;
    bool operator==(const ChunkContent&) const = default;
};

/// All instructions of one pipeline stage for one step, in issue order. Every rank of the stage runs the
/// same list; peers are stages of the rank's own pipeline column.
///
/// Issue semantics, the same in the runtime, the simulator and the verifier: a rank's issuing thread walks the
/// list. Compute instructions run there, one after the other. A send, receive or collective is only enqueued on
/// its lane; a lane works in order; a send completes only when the matching receive has been enqueued and
/// reached by its lane (rendezvous). A Wait stops the issuing thread until its target has completed.
struct StageProgram
{
    Stage stage;
    std::vector<ChunkContent> chunks;       ///< [V · replicas]
    std::vector<Instruction> instructions;
};

struct Program
{
    std::string schedule;
    int stages = 1;
    int microbatches = 1;
    int chunks = 1;
    int replicas = 1;
    std::vector<StageProgram> perStage; ///< [P]
};

} // namespace triaxis
