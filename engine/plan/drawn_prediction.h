#pragma once

#include "engine/cost/machine_calibration.h"
#include "engine/plan/drawn_plan.h"
#include "engine/simulate/critical_path.h"
#include "engine/simulate/exposed.h"
#include "engine/timeline/metrics.h"

#include <limits>
#include <memory>
#include <optional>

namespace triaxis
{

/// What the figures of a prediction come from.
enum class PredictionBasis {
    Cluster, ///< the cost model of devices, links and software
    Machine, ///< what `triaxis calibrate` has measured here
    Units    ///< this machine, not measured: shares of a step only, seconds are none
};

/// How far predictions of runs that have ended on this machine were off.
struct FinishedRuns
{
    int runs = 0;
    double error = std::numeric_limits<double>::quiet_NaN(); ///< mean of |predicted / measured − 1|
};

/// This machine as far as predictions of runs on it need it.
struct MachineFacts
{
    FinishedRuns finished; ///< at the cores' own pace …
    FinishedRuns paced;    ///< … and those with slots, which are predicted better
    std::optional<MachineCalibration> calibration; ///< of this machine; empty: not measured
    std::int64_t memoryBytes = 0;                  ///< 0: not known
};

/// Bytes that one rank sends in a step, by axis.
struct AxisTraffic
{
    double tensor = 0;
    double context = 0;
    double expert = 0;
    double pipeline = 0;
    double data = 0;
};

/// What an expected error is known from.
enum class ErrorBasis {
    None,
    Profile,      ///< measured runs that the software profile was not fitted to
    FinishedRuns, ///< runs that have ended on this machine
    Calibration   ///< the uneven pace of the cores that the calibration has seen
};

inline constexpr double unknownFigure = std::numeric_limits<double>::quiet_NaN();

/// What one step of a drawn plan is predicted to be. Immutable once made; NaN: not known.
struct DrawnPrediction
{
    PredictionBasis basis = PredictionBasis::Cluster;
    bool known = false; ///< false: `findings` say why, and nothing below is
    /// What pricing found out: out of memory and by how much, or why there is no prediction.
    std::vector<Diagnostic> findings;

    double seconds = unknownFigure; ///< of a step
    double tokensPerSecond = unknownFigure;
    double mfu = unknownFigure;        ///< model FLOP/s over the devices' peak
    double bubble = unknownFigure;     ///< idle share of the pipeline's time, mean over the stages
    double closedForm = unknownFigure; ///< the same by formula, for equal stages
    double expectedError = unknownFigure; ///< of `seconds`, relative
    ErrorBasis errorBasis = ErrorBasis::None;
    int errorRuns = 0;   ///< FinishedRuns: how many
    ExposedTime exposed; ///< seconds of the stage that communicates most; of this machine mean over
                         ///< its ranks, with what they wait for each other inside collectives
    StepTail tail;

    std::vector<double> bubbleByStage; ///< [P] share of the pipeline's time
    std::vector<double> stageSeconds;  ///< [P·V] forward and backward of one microbatch; in units
                                       ///< of the mean one where seconds are not known
    std::vector<MemoryParts> memory;   ///< [P] peak of one rank, bytes
    std::vector<std::int64_t> memoryByRank; ///< where ranks of a stage differ (this machine)
    double fullest = unknownFigure; ///< largest share of a device's memory that its rank takes
    Rank fullestRank{0};
    std::vector<AxisTraffic> traffic; ///< [P] of one rank
    int slowRanks = 0; ///< that are slower than the rest: another device, a group torn apart

    /// Peak bytes of a rank.
    double bytesOf(const DrawnPlan& plan, Rank rank) const;
};

/// Bytes that a rank may take: its device's memory, or its share of this machine's; 0: not known.
double capacityOf(const DrawnPlan& plan, Rank rank, const MachineFacts& machine);

/// Never throws: a plan that cannot be predicted gives findings only.
DrawnPrediction predictDrawn(const DrawnPlan& plan, const MachineFacts& machine = {});

/// The spans of a predicted step, and what they tell: of every rank where this machine has been
/// measured, else of one pipeline that stands for the plan.
struct DrawnTimeline
{
    PredictionBasis basis = PredictionBasis::Cluster;
    std::string calibrated;  ///< Machine: date of the calibration
    Layout layout;           ///< of the spans: the plan's own, or 1 × 1 × P for one pipeline
    std::vector<Span> spans; ///< in units of the mean forward where basis is Units
    StepShares shares;
    PathTimes path;          ///< of the critical path; not told where basis is Machine
    double criticalPath = 0; ///< its length, seconds
    std::string problem;     ///< why there is none
};

/// Never throws.
DrawnTimeline drawnTimeline(const DrawnPlan& plan, const MachineFacts& machine = {});

/// Bytes that a rank of a stage [P] sends in a step: what the collectives of its groups and the
/// transfers to its neighbours move, as ring algorithms do.
std::vector<AxisTraffic> trafficByStage(const TrainingJob& job, const ParallelPlan& plan);

} // namespace triaxis
