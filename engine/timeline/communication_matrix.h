#pragma once

#include "engine/schedule/passes.h"
#include "engine/schedule/program.h"
#include "engine/timeline/span.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// What bytes between two ranks are for.
enum class TrafficAxis : std::uint8_t {
    Tensor,   ///< collectives inside computations, and gradients of shared KV heads
    Pipeline, ///< activations and their gradients, and the sum of a tied embedding
    Data,     ///< gradients of the replicas
    Step      ///< norm and loss at the end of a step
};
inline constexpr int trafficAxisCount = 4;
/// "tensor", "pipeline", "data", "norm and loss".
const char* toText(TrafficAxis axis);

/// Seconds in which transfers and collectives of one rank moved bytes (begin … end), without the
/// waiting before.
struct RankTraffic
{
    double tensor = 0;
    double sendNext = 0;     ///< to the next stage
    double sendPrevious = 0; ///< to the previous stage
    double tied = 0;
    double data = 0;
    double step = 0;
};
struct StepTraffic
{
    std::int32_t step = 0;
    std::vector<RankTraffic> perRank; ///< [ranks]
};
/// From the paired spans of one step.
StepTraffic stepTraffic(const std::vector<Span>& spansOfStep, const Layout& layout);

/// What one rank sends to another in one step.
struct TrafficLink
{
    Rank from, to;
    TrafficAxis axis = TrafficAxis::Pipeline;
    double bytes = 0;
    double seconds = 0; ///< 0 where no step was measured
};

/// Bytes by the program, seconds as means over `steps`. Collectives are counted as rings over their
/// group, each member sending 2(n − 1)/n of the payload to the next (Thakur, Rabenseifner and Gropp,
/// 2005), whichever algorithm the library takes; their seconds are those of the sender. Links of
/// one pair and axis are one entry. Sorted by from, to, axis.
std::vector<TrafficLink> trafficLinks(const Program& program, const ProgramInputs& inputs,
                                      const std::vector<StepTraffic>& steps);

/// How ranks are put together for large worlds.
enum class TrafficFold { Rank, StageOfReplica, Stage, Replica };

/// Rows send to columns.
struct TrafficMatrix
{
    struct Cell
    {
        double bytes = 0;
        double seconds = 0;
        std::array<double, trafficAxisCount> byAxis{}; ///< bytes
        int pairs = 0;                                 ///< of ranks that exchange anything
    };
    std::vector<std::string> names;  ///< "rank 3", "stage 1 · data 0"
    std::vector<std::string> places; ///< "dp0 · pp1 · tp1" of single ranks
    std::vector<Cell> cells;         ///< [from · size + to]

    std::size_t size() const { return names.size(); }
    const Cell& at(std::size_t from, std::size_t to) const { return cells[from * size() + to]; }
};

/// Only the links of one axis, if given. What ranks of one group exchange stays on the diagonal.
TrafficMatrix trafficMatrix(const std::vector<TrafficLink>& links, const Layout& layout,
                            TrafficFold fold, std::optional<TrafficAxis> axis = std::nullopt);

/// The finest fold with at most `most` rows; the coarsest otherwise.
TrafficFold foldThatFits(const Layout& layout, int most);

} // namespace triaxis
