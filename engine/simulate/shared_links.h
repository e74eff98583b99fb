#pragma once

#include "engine/cluster/cluster.h"
#include "engine/simulate/compiled_program.h"

#include <functional>
#include <vector>

namespace triaxis
{

/// How the transfers of a plan's pipelines use links that several devices share.
struct SharedLinks
{
    std::vector<LinkLevel> levels; ///< of the network that the transfers take
    double latency = 0;            ///< seconds of a transfer before its bytes move
    /// Devices of a stage that the plain duration of a transfer takes to send at once; those of
    /// them that share a link get an equal part of it.
    int concurrent = 1;
};

/// Devices that send together in a transfer of a column, in the order of their partners.
using StageDevices = std::function<std::vector<int>(int column, int stage)>;

/// Plays the pipelines of all columns together, transfers free (TransferRule::Free). Those that
/// leave or enter through one shared link at the same time, in the same direction of the pipeline,
/// get equal parts of it: with n devices on a link of a plain duration made for m of them bytes
/// move at m / n of the plain rate, faster where fewer send. Transfers of one device do not slow
/// each other, as in the plain rule. An event queue: events (begin and end of a transfer) are taken
/// in the order of time; the work grows with the number of transfers and with how many of them
/// share a link. Where all columns do the same and devices of a stage share links with each other
/// only, the times are those of CompiledProgram::replayPipeline up to rounding.
void replaySharedLinks(const CompiledProgram& program, const PipelineDurations& durations,
                       const SharedLinks& links, const StageDevices& devices, PipelineTimes& times);

} // namespace triaxis
