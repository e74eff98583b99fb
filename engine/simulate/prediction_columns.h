#pragma once

#include "engine/simulate/prediction.h"

#include <utility>
#include <vector>

namespace triaxis
{

/// Durations of a plan's instructions in any of its pipelines. A column is one pipeline of ranks
/// that move together: `lockstep` data ranks with their tensor groups.
class ColumnDurations
{
public:
    ColumnDurations(const SimulatedPlan& plan, const Perturbations& perturbations,
                    TransferRule transfers);

    /// The columns first … first + width. Adds to [rank] of `ranks` what it computes and waits for
    /// others, if given.
    void fill(int first, int width, PipelineDurations& durations,
              std::vector<RankTime>* ranks) const;
    TailDurations tail(int columns) const;
    /// Devices of a stage of a column: rank r sits on device r.
    std::vector<int> devicesOf(int column, int stage) const;
    /// Seconds that the column's first rank computes itself [compute item].
    std::vector<double> ownOfFirst(int column) const;

private:
    struct Group
    {
        std::vector<Rank> ranks; ///< of one stage and column
    };
    Group groupOf(int column, int stage) const;
    void setCollectives(const PipelineTimes& times);
    void draw(Rank rank, int stage, std::vector<double>& factors) const;

    const SimulatedPlan& m_plan;
    const Perturbations& m_perturbations;
    std::vector<double> m_seconds; ///< [compute item] unperturbed
    std::vector<double> m_slow;    ///< [rank]
    std::vector<double> m_update;  ///< [rank] factor of its update
    LinkFactors m_links;
    std::vector<std::pair<int, int>> m_range; ///< [stage] first compute item and number of them
    std::vector<double> m_collective;         ///< [collective] unperturbed
};

} // namespace triaxis
