#include "engine/cost/scoreboard.h"

#include "engine/core/units.h"
#include "engine/timeline/number_text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace triaxis
{
namespace
{

struct TableLimit
{
    const char* table;
    double mostMeanError;
};

/// What predictions are held to. Other tables are shown without a limit.
constexpr TableLimit tableLimits[] = {{"korthikanti_table5_iteration_time", 0.03},
                                      {"korthikanti_fig1_fig7_memory", 0.02},
                                      {"megatron_sc21_table1", 0.034},
                                      {"llama3_405b_table4", 0.05},
                                      {"megatron_core_h100_weak_scaling", 0.05},
                                      {"vtrain_megatron_deepspeed_single_node", 0.08},
                                      {"vtrain_megatron_deepspeed_multi_node", 0.09},
                                      {"bloom_topology_search_a100", 0.06},
                                      {"zero_bubble_tables_3_4_5", 0.05}};

/// Adds a score with the weight of its values.
void addErrors(ErrorScore& sum, const ErrorScore& part)
{
    const int values = sum.values + part.values;
    if (values == 0)
        return;
    sum.mean = (sum.mean * sum.values + part.mean * part.values) / values;
    sum.bias = (sum.bias * sum.values + part.bias * part.values) / values;
    if (std::abs(part.worst) > std::abs(sum.worst))
        sum.worst = part.worst;
    sum.values = values;
}

void addShare(std::optional<double>& sum, int& count, const std::optional<double>& part,
              int partCount)
{
    if (!part || partCount == 0)
        return;
    sum = (sum.value_or(0) * count + *part * partCount) / (count + partCount);
    count += partCount;
}

} // namespace

std::optional<double> limitOf(const std::string& table)
{
    for (const TableLimit& limit : tableLimits) {
        if (table == limit.table)
            return limit.mostMeanError;
    }
    return std::nullopt;
}

ScoreTotal totalOf(const Scoreboard& board)
{
    ScoreTotal total;
    for (const Validation& table : board.tables) {
        total.rows += table.rows;
        total.skipped += table.skipped;
        total.stating += table.stating;
        total.halved += table.halves.has_value();
        total.halvesAgree += table.halves && table.halves->apart() <= halvesApart;
        addErrors(total.model.error, table.model.error);
        addErrors(total.baseline, table.baseline.error);
        addShare(total.model.rank, total.model.pairs, table.model.rank, table.model.pairs);
        addShare(total.model.pick, total.model.problems, table.model.pick, table.model.problems);
        const std::optional<double> limit = limitOf(table.table.name);
        if (limit && table.model.error.values > 0) {
            ++total.limits;
            total.withinLimits += table.model.error.mean <= *limit;
        }
    }
    return total;
}

std::optional<double> pricedShare(int rows, int stating)
{
    return stating > 0 ? std::optional(double(rows) / stating) : std::nullopt;
}

std::string halvesText(const Halves& halves)
{
    return units::percent(halves.first.mean) + " of the rows in odd places, " +
           units::percent(halves.second.mean) +
           " of those in even ones, kept back in fits: " + fixedText(halves.apart() * 100, 1) +
           " points apart";
}

WorstRun worstRunOf(const Validation& validation)
{
    WorstRun worst;
    for (const PricedCase& priced : validation.priced) {
        for (const PricedTarget& target : priced.targets) {
            if (target.target.main &&
                (!worst.target || std::abs(target.error) > std::abs(worst.target->error)))
                worst = {&priced, &target};
        }
    }
    return worst;
}

std::vector<Quantity> mainQuantities(const Validation& validation)
{
    std::set<Quantity> found;
    for (const PricedCase& priced : validation.priced) {
        for (const PricedTarget& target : priced.targets) {
            if (target.target.main)
                found.insert(target.target.quantity);
        }
    }
    return {found.begin(), found.end()};
}

std::vector<SoftwareProfile> profilesUsed(const Validation& validation)
{
    std::vector<SoftwareProfile> used;
    for (const PricedCase& priced : validation.priced) {
        const SoftwareProfile& software = priced.run.job.software;
        if (std::none_of(used.begin(), used.end(),
                         [&](const SoftwareProfile& known) { return known.name == software.name; }))
            used.push_back(software);
    }
    return used;
}

std::string signedPercent(double share)
{
    const double percent = std::abs(std::clamp(share, -1e6, 1e6)) * 100;
    return (share < 0 ? "−" : "+") + fixedText(percent, 1) + "\u202F%";
}

std::string errorText(const PricedTarget& target)
{
    if (target.target.quantity == Quantity::OutOfMemory)
        return target.error == 0 ? "right" : "wrong";
    if (target.target.quantity == Quantity::BubbleRate)
        return (target.error < 0 ? "" : "+") + fixedText(target.error, 5);
    return signedPercent(target.error);
}

std::string measuredText(Quantity quantity, double value)
{
    switch (quantity) {
    case Quantity::StepSeconds:
    case Quantity::LayerForward:
    case Quantity::LayerBackward:
        return units::seconds(value);
    case Quantity::DeviceFlops:
        return units::flopsPerSecond(value);
    case Quantity::Mfu:
    case Quantity::ActivationShare:
    case Quantity::BubbleRate:
        return units::percent(value);
    case Quantity::TokensPerSecond:
    case Quantity::TokensPerDeviceSecond:
        return units::count(value) + " tok/s";
    case Quantity::SamplesPerDeviceSecond:
        return units::count(value) + " seq/s";
    case Quantity::Memory:
    case Quantity::StateMemory:
    case Quantity::ActivationMemory:
        return units::bytes(std::int64_t(std::clamp(value, 0.0, 9e18)));
    case Quantity::OutOfMemory:
        return value > 0 ? "does not fit" : "fits";
    }
    return {};
}

} // namespace triaxis
