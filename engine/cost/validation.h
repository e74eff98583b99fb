#pragma once

#include "engine/cost/bubble_oracle.h"
#include "engine/cost/step_estimate.h"
#include "engine/cost/validation_score.h"
#include "engine/formats/measured_table.h"

#include <cmath>
#include <optional>

namespace triaxis
{

/// A target with what the model says of it, in the same units.
struct PricedTarget
{
    MeasuredTarget target;
    double predicted = 0;
    /// Predicted over measured, less 1; OutOfMemory: 0 where told right, else 1; BubbleRate: the
    /// difference.
    double error = 0;
};

/// A measured run beside its prediction.
struct PricedCase
{
    MeasuredCase run;                     ///< an open microbatch is filled in
    std::optional<StepEstimate> estimate; ///< empty where no target concerns a whole step
    double floor = 0; ///< seconds of the step that launches add on the busiest stage
    std::vector<PricedTarget> targets;
    TimedLayout timed; ///< measured and predicted seconds of the step by the main target; 0: none
};

/// Judged by the memory model: runs that are said to fit or not.
struct FitScore
{
    int runs = 0;
    int right = 0;
    int outOfMemory = 0;      ///< runs that did not fit …
    int outOfMemoryRight = 0; ///< … of which the model says so
};

/// Mean errors of the two halves of a table, row by row in turn: constants are fitted on the first
/// and checked on the second.
struct Halves
{
    ErrorScore first;
    ErrorScore second;
    double apart() const { return std::abs(first.mean - second.mean); }
};
inline constexpr int halvesFrom = 20;
/// What the halves' mean errors may lie apart.
inline constexpr double halvesApart = 0.02;

struct Validation
{
    MeasuredTable table; ///< without its cases: they are in `priced`
    std::vector<PricedCase> priced;
    std::vector<UnpricedRow> unpriced; ///< of the reader and of the model
    int rows = 0;                      ///< rows of the table with at least one priced case
    int skipped = 0;                   ///< rows without
    int stating = 0; ///< rows that state what is needed: those priced, and those that the model
                     ///< cannot price though they do
    std::optional<Halves> halves; ///< of tables of at least halvesFrom priced rows
    Score model;
    Score baseline;
    double baselineEfficiency = 0; ///< the one parameter, median fit
    FitScore fit;
};

/// Prices all cases of a table and scores them. `passTimes`: what bubble rates are worked out from.
Validation validate(MeasuredTable table, const std::vector<PassTimes>& passTimes = {});

/// Every second row of a table by its place (0: the first, third, …; 1: the others), to fit on one
/// half and check on the other.
MeasuredTable halfOf(MeasuredTable table, int half);

/// Errors of one quantity over a validation; main and second figures alike.
ErrorScore errorsOf(const Validation& validation, Quantity quantity);
/// Quantities that occur as second figures, in the order of Quantity.
std::vector<Quantity> secondQuantities(const Validation& validation);

} // namespace triaxis
