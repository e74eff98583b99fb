#include "engine/cost/bubble_oracle.h"

#include "engine/core/csv_table.h"
#include "engine/core/error.h"
#include "engine/schedule/generators.h"
#include "engine/search/auto_schedule.h"
#include "engine/simulate/play.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr const char* tried = "cannot read the pass times";
constexpr const char* columns[] = {"model",  "pp_gpus", "microbatches", "t_f_ms",
                                   "t_b_ms", "t_w_ms",  "t_comm_ms"};

double numberOf(const std::string& cell, const std::string& where, double most)
{
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || !(value >= 0 && value <= most))
        throw Error(tried, where + ": \"" + cell.substr(0, 40) + "\" is no number from 0",
                    "correct the cell");
    return value;
}

ComputeProgram programOf(const ParallelPlan& plan, int microbatches, const StageCosts& costs)
{
    if (plan.schedule == "auto") {
        AutoRequest request;
        request.stages = plan.pp;
        request.microbatches = microbatches;
        request.mostChunks = 1;
        request.memory = plan.scheduleMemory;
        request.costs = [&](const ComputeProgram&) { return costs; };
        return searchSchedule(request).program;
    }
    ScheduleRequest request;
    request.name = plan.schedule;
    request.stages = plan.pp;
    request.microbatches = microbatches;
    request.virtualStages = plan.virtualStages;
    return generate(request);
}

} // namespace

std::vector<PassTimes> parsePassTimes(std::string_view text, const std::string& source)
{
    const CsvTable table = parseCsvTable(text, source);
    std::vector<std::size_t> at;
    for (const char* column : columns) {
        const std::optional<std::size_t> index = table.column(column);
        if (!index)
            throw Error(
                tried, source + ": no column \"" + column + "\"",
                "give a table with model, pp_gpus, microbatches and the times of F, B, W and "
                "communication");
        at.push_back(*index);
    }
    std::vector<PassTimes> all;
    for (const CsvTable::Row& row : table.rows) {
        const std::string where = source + ", line " + std::to_string(row.line);
        if (row.cells.size() != table.header.size())
            throw Error(tried, where + ": not as many cells as the header", "correct the row");
        const auto number = [&](std::size_t column, double most) {
            return numberOf(row.cells[at[column]], where, most);
        };
        PassTimes times{row.cells[at[0]],     int(number(1, 1e5)),  int(number(2, 1e6)),
                        number(3, 1e9) / 1e3, number(4, 1e9) / 1e3, number(5, 1e9) / 1e3,
                        number(6, 1e9) / 1e3};
        if (times.stages < 1 || times.microbatches < 1 || times.forward + times.input <= 0)
            throw Error(tried, where + ": sizes and times must be positive", "correct the row");
        all.push_back(std::move(times));
    }
    return all;
}

std::optional<PassTimes> passTimesOf(const std::vector<PassTimes>& all, const std::string& model,
                                     int stages, std::int64_t microbatches)
{
    for (const PassTimes& times : all) {
        if (times.model == model && times.stages == stages && times.microbatches == microbatches)
            return times;
    }
    return std::nullopt;
}

double bubbleRate(const PassTimes& times, const ParallelPlan& plan)
{
    StageCosts costs =
        evenCosts(plan.pp, plan.virtualStages, times.forward, times.input, times.weight);
    costs.transfer = times.transfer;
    const Played played = play(programOf(plan, times.microbatches, costs), costs);
    double cost = 0;
    for (std::size_t stage = 0; stage < played.stages.size(); ++stage)
        cost = std::max(cost, played.makespan - played.idle[stage] + played.idleOwn[stage]);
    const double work = times.microbatches * (times.forward + times.input + times.weight);
    return (cost - work) / cost;
}

} // namespace triaxis
