#include "engine/cost/machine_calibration.h"

#include "engine/core/cores.h"
#include "engine/core/error.h"
#include "engine/core/json_fields.h"
#include "engine/record/process_info.h"
#include "engine/record/small_file.h"

#include <algorithm>
#include <fstream>

namespace triaxis
{
namespace
{

template <class Sample>
void append(std::vector<Sample>& to, const std::vector<Sample>& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

template <class Sample>
void shorten(std::vector<Sample>& samples, const std::vector<Sample>& again)
{
    for (std::size_t i = 0; i < std::min(samples.size(), again.size()); ++i)
        if (again[i].seconds < samples[i].seconds)
            samples[i] = again[i];
}

} // namespace

const char* toText(ProductForm form)
{
    switch (form) {
    case ProductForm::Plain:
        return "nn";
    case ProductForm::RightTransposed:
        return "nt";
    case ProductForm::LeftTransposed:
        return "tn";
    }
    return "";
}

const char* toText(StreamUse use)
{
    switch (use) {
    case StreamUse::Weights:
        return "weights";
    case StreamUse::Gradients:
        return "gradients";
    case StreamUse::Optimizer:
        return "optimizer";
    case StreamUse::Activations:
        return "activations";
    }
    return "";
}

const char* toText(MessageKind kind)
{
    switch (kind) {
    case MessageKind::AllReduce:
        return "all-reduce";
    case MessageKind::Message:
        return "message";
    }
    return "";
}

void MachineCalibration::add(const MachineCalibration& part)
{
    append(jobs, part.jobs);
    append(products, part.products);
    append(operations, part.operations);
    append(attention, part.attention);
    append(streams, part.streams);
    append(layers, part.layers);
    append(messages, part.messages);
    append(wakes, part.wakes);
    append(runs, part.runs);
    append(paces, part.paces);
}

void MachineCalibration::keepShorter(const MachineCalibration& again)
{
    shorten(products, again.products);
    shorten(operations, again.operations);
    shorten(attention, again.attention);
    shorten(streams, again.streams);
    for (std::size_t i = 0; i < std::min(layers.size(), again.layers.size()); ++i) {
        layers[i].passes = std::min(layers[i].passes, again.layers[i].passes);
        layers[i].update = std::min(layers[i].update, again.layers[i].update);
    }
    shorten(messages, again.messages);
    shorten(wakes, again.wakes);
    append(paces, again.paces);
    for (std::size_t i = 0; i < std::min(jobs.size(), again.jobs.size()); ++i) {
        jobs[i].rounds += again.jobs[i].rounds;
        jobs[i].shortened = std::min(jobs[i].shortened, again.jobs[i].shortened);
    }
}

bool MachineCalibration::measuresTheSameAs(const MachineCalibration& other) const
{
    const auto sameJob = [](const MeasuredJob& a, const MeasuredJob& b) {
        return a.ranks == b.ranks && a.threads == b.threads && a.part == b.part;
    };
    return cpu == other.cpu && cores == other.cores && blas == other.blas && mpi == other.mpi &&
           std::equal(jobs.begin(), jobs.end(), other.jobs.begin(), other.jobs.end(), sameJob) &&
           products.size() == other.products.size() &&
           operations.size() == other.operations.size() &&
           attention.size() == other.attention.size() && streams.size() == other.streams.size() &&
           layers.size() == other.layers.size() && messages.size() == other.messages.size() &&
           wakes.size() == other.wakes.size();
}

std::filesystem::path calibrationFile(const std::filesystem::path& home)
{
    return home / "calibration.json";
}

std::optional<MachineCalibration> loadCalibration(const std::filesystem::path& home)
{
    const std::filesystem::path file = calibrationFile(home);
    const std::optional<std::string> content = readSmallFile(file);
    if (!content)
        return std::nullopt;
    return machineCalibrationFromJson(
        parseJson(*content, "cannot read the calibration", file.string()), file.string());
}

void storeCalibration(const std::filesystem::path& home, const MachineCalibration& calibration)
{
    std::error_code code;
    std::filesystem::create_directories(home, code);
    if (code)
        throw Error("cannot keep the calibration", home.string() + ": " + code.message(),
                    "set TRIAXIS_HOME to a folder that you may write");
    replaceFile(calibrationFile(home), toJson(calibration).dump(1) + "\n");
}

std::string processorName()
{
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        if (line.compare(0, 10, "model name") != 0)
            continue;
        const std::size_t begin = line.find_first_not_of(" \t:", line.find(':'));
        if (begin != std::string::npos)
            return line.substr(begin);
    }
    return "unknown";
}

std::string whyForeign(const MachineCalibration& calibration)
{
    if (calibration.cpu != processorName())
        return "it was made on " + calibration.host + ", which has another processor (" +
               calibration.cpu + ")";
    if (calibration.cores != usableCores())
        return "it was made with " + std::to_string(calibration.cores) + " usable cores; now " +
               std::to_string(usableCores()) + " are";
    return {};
}

} // namespace triaxis
