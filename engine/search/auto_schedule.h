#pragma once

#include "engine/simulate/play.h"

#include <functional>
#include <string>
#include <vector>

namespace triaxis
{

/// What an automatic schedule is searched for.
struct AutoRequest
{
    int stages = 1;       ///< P
    int microbatches = 1; ///< M
    int mostChunks = 2;   ///< chunks a stage that are tried: 1, or also 2
    /// Costs of the virtual stages of a placement (the tables of the program; its order does not matter). May throw Error for one that
    /// has none: it is left out.
    std::function<StageCosts(const ComputeProgram& placement)> costs;
    /// Activations that a stage may hold at once, in units of its whole share of one microbatch; 0: as many as 1F1B (P).
    double memory = 0;
};

/// Costs of a placement where a chunk takes its part of what its stage takes for its whole share, whatever layers it holds: stages
/// that differ in speed. Throws Error where the two chunks of twins would differ, and for tables of another size than P.
StageCosts costsByStage(const StageCosts& ofStages, const ComputeProgram& placement);

struct AutoSchedule
{
    ComputeProgram program; ///< named "auto"
    StageCosts costs;       ///< of its virtual stages
    double makespan = 0;    ///< seconds, played
    std::string bestNamed;  ///< the best schedule by name within the same memory; empty if none fits
    double bestNamedMakespan = 0;
    /// No order of the placements that were tried can be shorter: every stage has its work to do, cannot begin before the first
    /// microbatch has come, and holds no more forwards than its memory until the first gradient is back.
    double lowerBound = 0;
    double gap() const
    {
        constexpr double rounding = 1e-9;
        return lowerBound > 0 && makespan > lowerBound * (1 + rounding) ? makespan / lowerBound - 1 : 0;
    }
};

/// The best order that the search finds: the named schedules that fit, and list schedules of split backwards whose priorities are
/// improved step by step. Never longer than the best named schedule; the same request gives the same result. Throws Error if no
/// order fits the memory, and for costs of another size.
AutoSchedule searchSchedule(const AutoRequest& request);

} // namespace triaxis
