#pragma once

#include "engine/simulate/play.h"

#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// What an automatic schedule is searched for.
struct AutoRequest
{
    int stages = 1;       ///< P
    int microbatches = 1; ///< M
    StageCosts costs;     ///< [P]: one chunk a stage
    std::optional<StageCosts> halves; ///< [2P]: two chunks a stage; empty: only one chunk is tried
    /// Activations that a stage may hold at once, in units of its whole share of one microbatch; 0: as many as 1F1B (P).
    double memory = 0;
};

struct AutoSchedule
{
    ComputeProgram program; ///< named "auto"
    double makespan = 0;    ///< seconds, played
    std::string bestNamed;  ///< the best schedule by name within the same memory; empty if none fits
    int bestNamedVirtual = 1;
    double bestNamedMakespan = 0;
    /// No order of the placements that were tried can be shorter: every stage has its work to do, cannot begin before the first
    /// microbatch has come, and holds no more forwards than its memory until the first gradient is back.
    double lowerBound = 0;
    double gap() const { return lowerBound > 0 ? makespan / lowerBound - 1 : 0; }
};

/// The best order that the search finds: the named schedules that fit, and list schedules of split backwards whose priorities are
/// improved step by step. Never longer than the best named schedule; the same request gives the same result. Throws Error if no
/// order fits the memory, and for costs of another size.
AutoSchedule searchSchedule(const AutoRequest& request);

} // namespace triaxis
