#pragma once

#include "engine/cost/training_job.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// What a search may choose from. An empty list allows every value that the rules allow.
struct PlanLimits
{
    std::vector<int> dp, tp, cp, pp, virtualStages, ep, expertTp, microbatch;
    int mostTp = 0; ///< 0: no limit
    int mostCp = 0;
    int mostPp = 0;
    std::vector<std::string> schedules; ///< by name; empty: all that have a name and an order of
                                        ///< their own (not "custom" and "auto")
    std::vector<ZeroStage> zero;
    std::vector<Recompute> recompute;
    std::optional<bool> sequenceParallel;
    double memoryBytes = 0; ///< that a rank may take; 0: the device's memory
};

/// A layout as numbers: what the search holds millions of.
struct PlanPoint
{
    std::int32_t dp = 1;
    std::int32_t tp = 1;
    std::int32_t cp = 1;
    std::int32_t pp = 1;
    std::int32_t virtualStages = 1;
    std::int32_t ep = 1;
    std::int32_t expertTp = 1;
    std::int32_t microbatch = 1;
    std::uint8_t schedule = 0; ///< index into schedules()
    std::uint8_t zero = 0;
    std::uint8_t recompute = 0;
    std::uint8_t sequenceParallel = 0;
    auto operator<=>(const PlanPoint&) const = default;
};

/// The layout with an even split of the layers.
ParallelPlan planOf(const PlanPoint& point);

/// Why layouts are no answer, in the order in which they are looked at.
enum class Rejection {
    Tensor,   ///< heads, MLP columns or tokens do not divide by the tensor size
    Context,  ///< tokens do not divide by the context size
    Batch,    ///< sequences do not divide by the data size
    Stages,   ///< too few layers for the stages
    Experts,  ///< experts or ranks do not divide into expert groups
    Schedule, ///< the schedule does not exist for these stages and microbatches
    Memory,   ///< does not fit the device
    Slower    ///< fits, and cannot be among the best
};
inline constexpr std::size_t rejections = 8;
/// "tensor size does not divide heads, MLP columns or tokens".
const char* toText(Rejection rejection);
/// True where what is counted are shapes (dp, tp, cp, pp[, ep]) rather than whole layouts.
bool countsShapes(Rejection rejection);

/// The values of one axis: those of `allowed` that `holds` accepts, or all divisors of `whole` up
/// to `most` (0: no limit), ascending.
std::vector<int> axisValues(std::int64_t whole, const std::vector<int>& allowed, int most);
/// All divisors, ascending. Takes time with the square root of `whole`.
std::vector<std::int64_t> divisorsOf(std::int64_t whole);

/// Index into schedules() of the schedules of a search. Throws Error for an unknown name, and for
/// "custom" and "auto", which have no order of their own.
std::vector<std::uint8_t> searchedSchedules(const PlanLimits& limits);

/// A program of these sizes can be written; see fitsProgram.
bool isWritable(int stages, std::int64_t microbatches, int virtualStages);

/// Bytes that a rank may take.
double memoryLimit(const TrainingJob& job, const PlanLimits& limits);

} // namespace triaxis
