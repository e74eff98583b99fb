#include "app/cli/job_options.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/formats/model_shape.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <sstream>

namespace triaxis::cli
{
namespace
{

constexpr std::int64_t mostOf = std::int64_t(1) << 40;
constexpr std::size_t longestList = 10'000;

std::int64_t wholeNumber(const std::string& text, const std::string& option)
{
    std::int64_t value = 0;
    const auto [rest, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || rest != text.data() + text.size() || value < 1 || value > mostOf)
        throw Error("cannot read " + option, "\"" + text + "\" is no whole number from 1",
                    "give a number such as 512, a list 256,512 or a range 64..1024");
    return value;
}

void addRange(std::vector<std::int64_t>& sizes, std::int64_t first, std::int64_t last)
{
    for (std::int64_t size = first; size < last; size *= 2)
        sizes.push_back(size);
    sizes.push_back(last);
}

ClusterSpec clusterOf(const JobOptions& options)
{
    std::error_code ignored;
    ClusterSpec cluster;
    if (std::filesystem::is_regular_file(options.cluster, ignored))
        cluster = clusterFromJson(readFile(options.cluster, 1 << 20, "cannot read the cluster"),
                                  options.cluster);
    else
        cluster = clusterPreset(options.cluster);
    if (!options.device.empty())
        cluster.device = devicePreset(options.device);
    return cluster;
}

} // namespace

std::vector<std::int64_t> parseSizes(const std::string& text, const std::string& option)
{
    std::vector<std::int64_t> sizes;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) {
        const std::size_t dots = part.find("..");
        if (dots == std::string::npos) {
            sizes.push_back(wholeNumber(part, option));
            continue;
        }
        const std::int64_t first = wholeNumber(part.substr(0, dots), option);
        const std::int64_t last = wholeNumber(part.substr(dots + 2), option);
        if (first > last)
            throw Error("cannot read " + option, "the range \"" + part + "\" runs backwards",
                        "give the smaller number first");
        addRange(sizes, first, last);
    }
    if (sizes.empty() || sizes.size() > longestList)
        throw Error("cannot read " + option, "\"" + text.substr(0, 40) + "\"",
                    "give 1 to " + std::to_string(longestList) + " numbers");
    return sizes;
}

TrainingJob jobFrom(const JobOptions& options)
{
    TrainingJob job;
    job.model = findModelShape(options.model);
    checkShape(job.model);
    job.cluster = clusterOf(options);
    checkCluster(job.cluster);
    job.software = softwareProfile(options.profile);
    job.precision = parseNumberFormat(options.precision);
    const std::int64_t devices = parseSizes(options.devices, "--devices").front();
    if (devices > std::numeric_limits<int>::max() / 2)
        throw Error("cannot price the job", std::to_string(devices) + " devices",
                    "use at most 10^9");
    job.devices = static_cast<int>(devices);
    job.globalBatch = parseSizes(options.batch, "--batch").front();
    constexpr int usualSequence = 2048;
    job.sequence = options.sequence;
    if (job.sequence == 0)
        job.sequence =
            job.model.positions > 0 ? std::min(usualSequence, job.model.positions) : usualSequence;
    return job;
}

void addJobOptions(CLI::App& command, JobOptions& o, bool lists)
{
    const char* group = "The job";
    const std::string more = lists ? "; a list 256,512 or a doubling range 64..1024" : "";
    command
        .add_option("--model", o.model,
                    "Preset (gpt3-175b, llama3-8b, …), folder with config.json, or a file with it "
                    "or with the model's sizes")
        ->capture_default_str()
        ->group(group);
    command.add_option("--cluster", o.cluster, "Preset (dgx-a100, dgx-h100, …) or a JSON file")
        ->capture_default_str()
        ->group(group);
    command.add_option("--device", o.device, "Another device in the cluster (a100-40gb, h100, …)")
        ->group(group);
    command.add_option("--devices", o.devices, "Devices" + more)
        ->capture_default_str()
        ->group(group);
    command.add_option("--batch", o.batch, "Sequences a step over all replicas" + more)
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--sequence", o.sequence,
                    "Tokens a sequence (default: 2048, or the model's positions if fewer)")
        ->check(CLI::Range(1, 1 << 28))
        ->group(group);
    command.add_option("--precision", o.precision, "fp32, tf32, fp16, bf16, fp8 or fp4")
        ->capture_default_str()
        ->group(group);
    command.add_option("--profile", o.profile, "Software that runs the job")
        ->capture_default_str()
        ->group(group);
}

} // namespace triaxis::cli
