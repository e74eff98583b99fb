#pragma once

#include "engine/cost/machine_operation.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// What went on while something was measured: so many ranks did the same at one time, each with so
/// many threads.
struct Occupancy
{
    int threads = 1; ///< of each rank
    int ranks = 1;
    bool operator==(const Occupancy&) const = default;
    auto operator<=>(const Occupancy&) const = default;
};

/// Which operand of C[m, n] = A[m, k]·B[k, n] lies transposed in memory.
enum class ProductForm { Plain, RightTransposed, LeftTransposed };
const char* toText(ProductForm form); ///< "nn", "nt", "tn"

/// Seconds of one call without interruption, on the rank's whole team of threads.
struct ProductSample
{
    Occupancy under;
    ProductForm form = ProductForm::Plain;
    std::int64_t m = 0, n = 0, k = 0;
    double seconds = 0;
};
struct OperationSample
{
    Occupancy under;
    MachineOperation operation = MachineOperation::Copy;
    std::int64_t elements = 0;
    double seconds = 0;
};
/// One sequence of `time` tokens and one head a thread.
struct AttentionSample
{
    Occupancy under;
    bool backward = false;
    std::int64_t time = 0;
    std::int64_t headSize = 0;
    double seconds = 0;
};

/// What an operation reads or writes of all that a rank comes back to once a step.
enum class StreamUse {
    Weights,    ///< the right side of a product
    Gradients,  ///< what a product adds to
    Optimizer,  ///< weights, gradients and both moments of AdamW
    Activations ///< results written for the backward, and read by it
};
const char* toText(StreamUse use); ///< "weights", "gradients", "optimizer", "activations"

/// The same call where a rank comes back to so much memory: the more, the less of it is still in a
/// cache.
struct StreamSample
{
    Occupancy under;
    StreamUse use = StreamUse::Weights;
    std::int64_t workingSet = 0; ///< bytes of a rank
    std::int64_t bytes = 0;      ///< of them in a call
    double seconds = 0;
};

/// Layers trained one after the other, as in a run (reference_layers.h).
struct LayerSample
{
    Occupancy under;
    int width = 0;
    int time = 0; ///< tokens of the one sequence
    int layers = 0;
    std::int64_t parameters = 0;
    double passes = 0; ///< seconds of a forward and a backward
    double update = 0; ///< seconds of the optimizer after them
};

enum class MessageKind {
    AllReduce, ///< of all `ranks`, one after the other; bytes: the vector
    Message    ///< from one rank to another, every rank in one pair; half of there and back
};
const char* toText(MessageKind kind); ///< "all-reduce", "message"

struct MessageSample
{
    MessageKind kind = MessageKind::AllReduce;
    int ranks = 2; ///< of the job; more than the cores share them
    std::int64_t bytes = 0;
    double seconds = 0;
};

/// A short message to a rank that has waited for it: the longer, the deeper it sleeps.
struct WakeSample
{
    int ranks = 2;      ///< of the job, in pairs; one of each pair computes while the other waits
    double waited = 0;  ///< seconds from when the receiver began to wait until the send
    double seconds = 0; ///< from the send until the receiver went on
};

/// How long the cores took for one and the same piece of work while all of them worked.
struct PaceTrace
{
    std::string date;                         ///< UTC, ISO 8601
    double interval = 0;                      ///< seconds of a moment
    std::vector<std::vector<double>> seconds; ///< mean, [core][moment]
    /// What a short sample showed meanwhile, as evenly spread quantiles in ascending order: of a
    /// core alone, …
    std::vector<double> alone;
    std::vector<double> crowded; ///< … the mean of all cores, …
    std::vector<double> team;    ///< … the longest of all cores.
};

/// A short run beside what all other samples say of it at the pace of its moment: ranks that share
/// cores, threads that a scheduler moves and messages between them cost more together than apart.
struct RunSample
{
    std::string plan; ///< its name among those that a calibration runs
    int ranks = 1;
    double seconds = 0;   ///< of a step, median of the run
    double predicted = 0; ///< the same, as predicted without any of these
};

/// One job of ranks of a calibration, and how well it was measured in the time that there was.
struct MeasuredJob
{
    int ranks = 1;
    int threads = 1;
    std::string part;  ///< "compute", "messages", "pace"
    int rounds = 0;    ///< in which it was measured …
    int wanted = 0;    ///< … of so many
    int shortened = 0; ///< points that were called fewer times than wanted in its best round
    bool whole() const { return rounds >= wanted && shortened == 0; }
};

/// What one machine does with the runtime's own operations, as `triaxis calibrate` has measured it.
struct MachineCalibration
{
    std::string date;    ///< UTC, ISO 8601
    std::string host;    ///< its name
    std::string cpu;     ///< "Intel(R) Xeon(R) Processor"
    std::string version; ///< of Triaxis
    std::string mpi;
    std::string blas;  ///< library and kernel
    int cores = 1;     ///< usable
    double load = 0;   ///< load average of the machine when it began
    double others = 0; ///< share of the cores' time that other programs took meanwhile
    double seconds = 0;
    double budget = 0; ///< seconds that were allowed; 0: not told
    std::vector<MeasuredJob> jobs;
    std::vector<ProductSample> products;
    std::vector<OperationSample> operations;
    std::vector<AttentionSample> attention;
    std::vector<StreamSample> streams;
    std::vector<LayerSample> layers;
    std::vector<MessageSample> messages;
    std::vector<WakeSample> wakes;
    std::vector<RunSample> runs;
    std::vector<PaceTrace> paces; ///< one for each round of measurements
    std::vector<PaceTrace> now;   ///< found since; empty: nothing was

    /// Adds the samples of another measurement of the same machine.
    void add(const MachineCalibration& part);
    /// Of the same samples measured again in the same order, each keeps its shorter time: what
    /// disturbs a measurement only lengthens it. Paces are added.
    void keepShorter(const MachineCalibration& again);
    /// The same jobs of ranks with the same samples in the same order.
    bool measuresTheSameAs(const MachineCalibration& other) const;
};

nlohmann::ordered_json toJson(const MachineCalibration& calibration);
/// Checks version, types and ranges. `source`: the file, for the message. Throws Error that names
/// the field.
MachineCalibration machineCalibrationFromJson(const nlohmann::json& json,
                                              const std::string& source);

/// calibration.json under the home of Triaxis.
std::filesystem::path calibrationFile(const std::filesystem::path& home);
/// Nothing if there is none. Throws Error if it is damaged or of another version.
std::optional<MachineCalibration> loadCalibration(const std::filesystem::path& home);
/// Atomically. Throws Error.
void storeCalibration(const std::filesystem::path& home, const MachineCalibration& calibration);

/// The model name of this machine's processor; "unknown" where the system does not tell.
std::string processorName();
/// Why a calibration says nothing about this machine ("it was made on host b1, a …"); empty if it
/// was made here.
std::string whyForeign(const MachineCalibration& calibration);

} // namespace triaxis
