#pragma once

#include "engine/layout/layout.h"
#include "engine/timeline/span.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace triaxis
{

/// How far predicted spans are from the measured ones of the same rank and instruction. Errors are
/// predicted over measured − 1: above 0 the prediction is too long.
struct SpanErrors
{
    std::size_t spans = 0;    ///< joined
    std::size_t compared = 0; ///< of them, those that take time on both sides
    double measured = 0;      ///< median seconds of those, of all where there are none
    double predicted = 0;     ///< the same of their twins
    double median = 0;        ///< signed error
    double worst = 0;         ///< signed error farthest from 0 …
    Rank worstRank;           ///< … and of which span
    InstructionId worstId;
    std::int32_t worstStep = 0;
};

struct KindErrors
{
    Kind kind = Kind::Forward;
    SpanErrors errors;
};

/// Errors of a rank's computations.
struct RankErrors
{
    Rank rank;
    SpanErrors errors;
    double measuredSeconds = 0;  ///< in computations of a step, mean over the steps
    double predictedSeconds = 0; ///< the same of those that both have
};

struct PredictionJoin
{
    std::size_t joined = 0;
    std::size_t measuredOnly = 0;  ///< spans that the prediction does not have
    std::size_t predictedOnly = 0; ///< of each step, that the measurement does not have
    int steps = 0;
    std::vector<KindErrors> byKind; ///< in the order of the enum
    std::vector<RankErrors> byRank;
    double measuredStep =
        std::numeric_limits<double>::quiet_NaN(); ///< seconds, median of the steps
    double predictedStep = std::numeric_limits<double>::quiet_NaN();
    double measuredBubble = std::numeric_limits<double>::quiet_NaN(); ///< BubbleRates::overMakespan
    double predictedBubble = std::numeric_limits<double>::quiet_NaN();
};

/// Joins exactly on (rank, instruction id) within each measured step. `predicted`: one step,
/// paired. `measured`: whole steps, paired, in any order. A computation is measured from begin to
/// end with its tensor collectives, a transfer or collective from begin to end, without waiting.
/// Spans that take no time (under 1 ns) on either side carry no error.
PredictionJoin joinPrediction(const std::vector<Span>& predicted, const std::vector<Span>& measured,
                              const Layout& layout);

} // namespace triaxis
