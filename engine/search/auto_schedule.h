#pragma once

#include "engine/simulate/play.h"

#include <string>
#include <vector>

namespace triaxis
{

/// What an automatic schedule is sought for.
struct AutoRequest
{
    int stages = 1;
    int microbatches = 1;
    /// Seconds of each stage's whole share [P]; a chunk takes 1/V of its stage's share, wherever it
    /// lies in the model.
    StageCosts costs;
    /// [P] most activations that may live at once, in units of one stage's whole share of one
    /// microbatch; empty: no limit.
    std::vector<double> memory;
    double seconds = 1; ///< the search may take about so long
};

struct AutoResult
{
    ComputeProgram program; ///< named "auto"
    StageCosts costs;       ///< of its virtual stages, as `play` takes them
    double makespan = 0;
    double lowerBound = 0; ///< no order of these steps on these stages is faster
    double gap = 0;        ///< makespan / lowerBound − 1
    std::string
        bestNamed; ///< name of the fastest named schedule within the memory; empty: none fits
    double namedMakespan = 0;
};

/// Starts from every named schedule that fits the memory, with one and two chunks a stage, and from
/// list schedules (each stage takes the most urgent step whose inputs are there), and moves steps
/// to and fro as long as that saves time. Never slower than the fastest named schedule that fits.
/// Schedules of two replicas keep the weights twice and are tried where all stages are alike. The
/// same request gives the same schedule as long as the time suffices. Throws Error for costs that
/// do not fit, or a memory in which no schedule is found.
AutoResult autoSchedule(const AutoRequest& request);

/// No order takes less: the work of the busiest stage, or the way of one microbatch through all
/// stages and back.
double lowerBound(const AutoRequest& request);

} // namespace triaxis
