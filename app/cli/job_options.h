#pragma once

#include "engine/cost/training_job.h"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace triaxis::cli
{

/// What a person typed about a training job that is to be priced.
struct JobOptions
{
    std::string model = "gpt3-175b";
    std::string cluster = "dgx-a100";
    std::string device;        ///< of the cluster's place; empty: the cluster's own
    std::string devices = "8"; ///< a number; where a command allows it a list or a range
    std::string batch = "64";  ///< sequences a step; likewise
    int sequence = 0;          ///< tokens; 0: 2048, or the model's positions if they are fewer
    std::string precision = "bf16";
    std::string profile = "megatron-core-2024";
};

/// Adds the options to `command`, grouped for --help. `lists`: the numbers of devices and sequences
/// may be lists and ranges.
void addJobOptions(CLI::App& command, JobOptions& options, bool lists = false);

/// "512" → {512}; "64,128" → both; "64..512" → {64, 128, 256, 512}, doubling, the end included.
/// Whole numbers from 1. Throws Error that names the option.
std::vector<std::int64_t> parseSizes(const std::string& text, const std::string& option);

/// The job with the first of the numbers of devices and sequences. Throws Error for names, files
/// and sizes that make none.
TrainingJob jobFrom(const JobOptions& options);

} // namespace triaxis::cli
