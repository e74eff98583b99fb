#pragma once

#include "engine/cost/training_job.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace triaxis
{

/// Profiled times of the passes of one stage, seconds (Qi et al. 2023, Table 9).
struct PassTimes
{
    std::string model; ///< as the table prints it: "1.5B"
    int stages = 0;
    int microbatches = 0;
    double forward = 0;
    double input = 0;
    double weight = 0;
    double transfer = 0; ///< from one stage to the next
};

/// Reads a table with the columns model, pp_gpus, microbatches, t_f_ms, t_b_ms, t_w_ms, t_comm_ms.
/// Throws Error for another table or a row that is none.
std::vector<PassTimes> parsePassTimes(std::string_view text, const std::string& source);

/// Times of the stages of a plan; empty where none were profiled.
std::optional<PassTimes> passTimesOf(const std::vector<PassTimes>& all, const std::string& model,
                                     int stages, std::int64_t microbatches);

/// The idle share of a schedule played with these times, as Qi et al. give it: (cost − m(F + B +
/// W)) / cost, cost the longest that a stage is at work, first begin to last end, or, for schedules
/// whose steps end together, the makespan.
double bubbleRate(const PassTimes& times, const ParallelPlan& plan);

} // namespace triaxis
