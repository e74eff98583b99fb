#pragma once

#include "engine/cost/training_job.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace triaxis
{

/// What a table of measured runs tells of a run.
enum class Quantity {
    StepSeconds,
    DeviceFlops,            ///< FLOP/s of a device, by a convention
    Mfu,                    ///< share of the device's peak, by a convention
    TokensPerSecond,        ///< of all devices
    TokensPerDeviceSecond,  ///< of one
    SamplesPerDeviceSecond, ///< sequences
    LayerForward,           ///< seconds of one layer and microbatch
    LayerBackward,          ///< the same, recompute included
    Memory,                 ///< bytes, peak of the fullest device
    StateMemory,            ///< bytes of weights, gradients and optimizer on the first stage
    ActivationMemory,       ///< bytes of activations on the first stage
    ActivationShare,        ///< of the same layout without recompute or sequence parallelism
    OutOfMemory,            ///< 1: the run did not fit
    BubbleRate              ///< idle share of the schedule with profiled pass times
};

const char* toText(Quantity quantity);
/// True where a larger value means a shorter step or the value is a time of a step.
bool isSpeed(Quantity quantity);

/// One measured value of a run.
struct MeasuredTarget
{
    Quantity quantity = Quantity::StepSeconds;
    std::string column;  ///< where it stands in the table
    double measured = 0; ///< in the units of Quantity
    bool main = true;    ///< counts in the mean error of its table; else a second figure
    FlopConvention convention = FlopConvention::Model; ///< of DeviceFlops and Mfu
};

/// A run that can be priced. A row of a table may tell of several.
struct MeasuredCase
{
    int line = 0;
    std::string label;
    TrainingJob job;
    ParallelPlan plan;
    bool openMicrobatch = false; ///< not stated: the quickest that fits is taken
    std::vector<MeasuredTarget> targets;
    std::vector<std::string> assumptions; ///< what the table does not state
};

struct UnpricedRow
{
    int line = 0;
    std::string label;
    std::string reason;
    bool states = false; ///< what is needed: the model lacks it, not the row
};

/// Everything that a table of measured runs says, in terms of the cost model.
struct MeasuredTable
{
    std::string name;   ///< file name without its ending
    std::string format; ///< which reader took it
    int rows = 0;
    std::vector<MeasuredCase> cases;
    std::vector<UnpricedRow> unpriced;
    std::vector<std::string> remarks; ///< known defects of the source, said wherever it is shown
};

/// Model, GPU count, batch, sequence, precision, device and software: layouts of one such problem
/// can be compared.
std::string problemKey(const MeasuredCase& run);

/// Recognised by its columns. `profiles` go before the presets of the same name. Throws Error for
/// text that is no table, or one that no reader knows; a row that cannot be priced is listed with
/// the reason.
MeasuredTable parseMeasuredTable(std::string_view text, const std::string& name,
                                 const std::vector<SoftwareProfile>& profiles = {});
MeasuredTable readMeasuredTable(const std::filesystem::path& path,
                                const std::vector<SoftwareProfile>& profiles = {});

} // namespace triaxis
