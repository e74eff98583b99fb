#pragma once

#include "engine/layout/layout.h"
#include "engine/model/model.h"
#include "engine/record/pace_plan.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/passes.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

enum class DataKind {
    Text,      ///< a text file as bytes, 257 tokens with end-of-text
    Synthetic, ///< built-in Markov source with a known entropy
    Batches    ///< explicit token batches from a JSON file ("batches": [steps][sequences][T+1])
};

struct DataPlan
{
    DataKind kind = DataKind::Synthetic;
    std::string path;     ///< absolute; empty for Synthetic
    std::string sha256;   ///< of the file, filled when the run is made
    double bestLoss = -1; ///< best reachable mean loss in nats per token where it is known, else −1
    bool operator==(const DataPlan&) const = default;
};

struct TrainingPlan
{
    std::int64_t steps = 10;
    BatchShape batch;
    std::string schedule = "1f1b";
    int microbatchGroup = 0; ///< interleaved schedules: see ScheduleRequest
    std::string scheduleCsv; ///< "custom" and "auto": the order itself
    double learningRate = 1e-3;
    double beta1 = 0.9;
    double beta2 = 0.95;
    double epsilon = 1e-8;
    double weightDecay = 0.1;
    double clipNorm = 1.0;        ///< 0: no clipping
    std::int64_t warmupSteps = 0; ///< linear warm-up of the learning rate
    std::uint64_t seed = 1;       ///< of the weights and of the sample order
};

/// What ranks can compute on: "cpu", "cuda", and "emulated" (a GPU within the process, in builds
/// for tests).
const std::vector<std::string>& rankDevices();

/// In which ranks multiply: "float32", and on GPUs "bfloat16".
const std::vector<std::string>& rankPrecisions();

/// More threads than any one machine has.
inline constexpr int maximumThreads = 4096;

/// How the ranks are run; does not change the result beyond rounding.
struct ExecutionPlan
{
    std::string device = "cpu"; ///< the ranks compute on: see rankDevices()
    int threadsPerRank = 0;     ///< 0: cores / ranks on the host, at least 1
    std::string hostfile;       ///< empty: this machine
    double hangSeconds = 60;    ///< no instruction finished for so long: the run fails
    bool detail = false;        ///< also a span for every tensor collective
    int wholeSteps = 50;        ///< spans of the first and last so many steps are kept whole …
    int everyStep = 10;         ///< … and of every k-th between
    std::vector<std::string> mcaOptions; ///< extra Open MPI settings, "name=value"
    PacePlan pace;                       ///< slots; not active: as fast as the machine goes
    bool saveWeights = false; ///< write model.safetensors into the run directory at the end
    bool saveGradients =
        false; ///< self-check: write the unclipped gradients of each step, as safetensors
    /// Of the factors of matrix products; the rest stays float32: see rankPrecisions().
    std::string precision = "float32";
};

/// All that is needed to repeat a run; the body of run.json.
struct RunPlan
{
    std::string label;
    ModelSpec model;
    std::string weights; ///< path of a model.safetensors; empty: random from the seed
    Layout layout;
    TrainingPlan training;
    DataPlan data;
    ExecutionPlan execution;
};

/// Documented JSON with a version number. Reading checks types and ranges and throws Error naming
/// the field.
nlohmann::json toJson(const RunPlan& plan);
RunPlan runPlanFromJson(const nlohmann::json& json);

/// The plan's schedule as its generator takes it, and what the passes take beside it.
ScheduleRequest scheduleRequest(const RunPlan& plan);
ProgramInputs programInputs(const RunPlan& plan);
/// The plan's program, verified. Throws Error if it has none.
Program programOf(const RunPlan& plan);

/// Layout rules, schedule, and everything else that would keep the plan from running.
std::vector<Diagnostic> checkPlan(const RunPlan& plan);

} // namespace triaxis
