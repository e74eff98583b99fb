#include "engine/cost/machine_calibration.h"

#include "engine/core/cores.h"
#include "engine/core/json_fields.h"
#include "engine/record/process_info.h"
#include "engine/record/small_file.h"

#include <algorithm>
#include <fstream>

namespace triaxis
{
namespace
{

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int fileVersion = 2;
constexpr const char* tried = "cannot read the calibration";
constexpr const char* remedy = "measure this machine anew: triaxis calibrate";
constexpr int mostRanks = 4096;
constexpr std::int64_t mostElements = std::int64_t(1) << 40;
constexpr double mostSeconds = 3600;
constexpr std::size_t mostSamples = 200'000;

template <class Sample>
ordered_json occupancyOf(const Sample& sample)
{
    return {{"threads", sample.under.threads}, {"ranks", sample.under.ranks}};
}

ordered_json toJson(const ProductSample& sample)
{
    ordered_json json = occupancyOf(sample);
    json["form"] = toText(sample.form);
    json["m"] = sample.m;
    json["n"] = sample.n;
    json["k"] = sample.k;
    json["seconds"] = sample.seconds;
    return json;
}

ordered_json toJson(const OperationSample& sample)
{
    ordered_json json = occupancyOf(sample);
    json["operation"] = toText(sample.operation);
    json["elements"] = sample.elements;
    json["seconds"] = sample.seconds;
    return json;
}

ordered_json toJson(const AttentionSample& sample)
{
    ordered_json json = occupancyOf(sample);
    json["pass"] = sample.backward ? "backward" : "forward";
    json["time"] = sample.time;
    json["head_size"] = sample.headSize;
    json["seconds"] = sample.seconds;
    return json;
}

ordered_json toJson(const StreamSample& sample)
{
    ordered_json json = occupancyOf(sample);
    json["use"] = toText(sample.use);
    json["working_set"] = sample.workingSet;
    json["bytes"] = sample.bytes;
    json["seconds"] = sample.seconds;
    return json;
}

ordered_json toJson(const LayerSample& sample)
{
    ordered_json json = occupancyOf(sample);
    json["width"] = sample.width;
    json["time"] = sample.time;
    json["layers"] = sample.layers;
    json["parameters"] = sample.parameters;
    json["passes"] = sample.passes;
    json["update"] = sample.update;
    return json;
}

ordered_json toJson(const MessageSample& sample)
{
    return {{"kind", toText(sample.kind)},
            {"ranks", sample.ranks},
            {"bytes", sample.bytes},
            {"seconds", sample.seconds}};
}

ordered_json toJson(const WakeSample& sample)
{
    return {{"ranks", sample.ranks}, {"waited", sample.waited}, {"seconds", sample.seconds}};
}

ordered_json toJson(const PaceTrace& trace)
{
    return {{"date", trace.date},   {"interval", trace.interval}, {"seconds", trace.seconds},
            {"alone", trace.alone}, {"crowded", trace.crowded},   {"team", trace.team}};
}

template <class Sample>
ordered_json arrayOf(const std::vector<Sample>& samples)
{
    ordered_json array = ordered_json::array();
    for (const Sample& sample : samples)
        array.push_back(toJson(sample));
    return array;
}

Occupancy occupancyFrom(const JsonFields& fields)
{
    return {fields.smallInteger("threads", 1, mostRanks),
            fields.smallInteger("ranks", 1, mostRanks)};
}

double secondsFrom(const JsonFields& fields)
{
    return fields.real("seconds", 1e-12, mostSeconds);
}

/// The one of `values` with the text of a field.
template <class Value>
Value choiceFrom(const JsonFields& fields, const char* key, std::initializer_list<Value> values)
{
    const std::string text = fields.text(key);
    for (const Value value : values)
        if (text == toText(value))
            return value;
    fields.refuse(key, "'" + text + "' is not known", remedy);
}

void readSample(const JsonFields& fields, ProductSample& sample)
{
    sample.under = occupancyFrom(fields);
    sample.form =
        choiceFrom(fields, "form",
                   {ProductForm::Plain, ProductForm::RightTransposed, ProductForm::LeftTransposed});
    sample.m = fields.integer("m", 1, mostElements);
    sample.n = fields.integer("n", 1, mostElements);
    sample.k = fields.integer("k", 1, mostElements);
    sample.seconds = secondsFrom(fields);
}

void readSample(const JsonFields& fields, OperationSample& sample)
{
    sample.under = occupancyFrom(fields);
    const std::string name = fields.text("operation");
    const auto operation = parseMachineOperation(name);
    if (!operation)
        fields.refuse("operation", "'" + name + "' is not known", remedy);
    sample.operation = *operation;
    sample.elements = fields.integer("elements", 1, mostElements);
    sample.seconds = secondsFrom(fields);
}

void readSample(const JsonFields& fields, AttentionSample& sample)
{
    sample.under = occupancyFrom(fields);
    const std::string pass = fields.text("pass");
    if (pass != "forward" && pass != "backward")
        fields.refuse("pass", "'" + pass + "' is neither forward nor backward", remedy);
    sample.backward = pass == "backward";
    sample.time = fields.integer("time", 1, mostElements);
    sample.headSize = fields.integer("head_size", 1, mostElements);
    sample.seconds = secondsFrom(fields);
}

void readSample(const JsonFields& fields, StreamSample& sample)
{
    sample.under = occupancyFrom(fields);
    sample.use =
        choiceFrom(fields, "use", {StreamUse::Weights, StreamUse::Gradients, StreamUse::Optimizer});
    sample.workingSet = fields.integer("working_set", 1, mostElements);
    sample.bytes = fields.integer("bytes", 1, mostElements);
    sample.seconds = secondsFrom(fields);
}

void readSample(const JsonFields& fields, LayerSample& sample)
{
    constexpr int mostExtent = 65536;
    sample.under = occupancyFrom(fields);
    sample.width = fields.smallInteger("width", 1, mostExtent);
    sample.time = fields.smallInteger("time", 1, mostExtent);
    sample.layers = fields.smallInteger("layers", 1, 1024);
    sample.parameters = fields.integer("parameters", 1, mostElements);
    sample.passes = fields.real("passes", 1e-12, mostSeconds);
    sample.update = fields.real("update", 1e-12, mostSeconds);
}

void readSample(const JsonFields& fields, MessageSample& sample)
{
    sample.kind = choiceFrom(fields, "kind", {MessageKind::AllReduce, MessageKind::Message});
    sample.ranks = fields.smallInteger("ranks", 2, mostRanks);
    sample.bytes = fields.integer("bytes", 1, mostElements);
    sample.seconds = secondsFrom(fields);
}

void readSample(const JsonFields& fields, WakeSample& sample)
{
    sample.ranks = fields.smallInteger("ranks", 2, mostRanks);
    sample.waited = fields.real("waited", 1e-12, mostSeconds);
    sample.seconds = secondsFrom(fields);
}

std::vector<double> secondsList(const JsonFields& fields, const char* key, const json& list)
{
    if (!list.is_array() || list.empty() || list.size() > mostSamples)
        fields.refuse(key, "it holds no list of seconds", remedy);
    std::vector<double> seconds;
    for (const json& entry : list) {
        const double value = entry.is_number() ? entry.get<double>() : 0;
        if (!(value >= 1e-12 && value <= mostSeconds))
            fields.refuse(key, "it holds something that is no seconds", remedy);
        seconds.push_back(value);
    }
    return seconds;
}

void readSample(const JsonFields& fields, PaceTrace& trace)
{
    trace.date = fields.text("date");
    trace.interval = fields.real("interval", 1e-6, mostSeconds);
    if (fields.array("seconds").size() > std::size_t(mostRanks))
        fields.refuse("seconds", "it has too many cores", remedy);
    for (const json& core : fields.array("seconds"))
        trace.seconds.push_back(secondsList(fields, "seconds", core));
    trace.alone = secondsList(fields, "alone", fields.array("alone"));
    trace.crowded = secondsList(fields, "crowded", fields.array("crowded"));
    trace.team = secondsList(fields, "team", fields.array("team"));
}

template <class Sample>
void readSamples(const JsonFields& fields, const char* key, const std::string& source,
                 std::vector<Sample>& samples)
{
    const json& array = fields.array(key);
    if (array.size() > mostSamples)
        fields.refuse(key, "it has " + std::to_string(array.size()) + " entries", remedy);
    for (std::size_t i = 0; i < array.size(); ++i) {
        const JsonFields entry(array[i], tried, source,
                               std::string(key) + "[" + std::to_string(i) + "]");
        readSample(entry, samples.emplace_back());
    }
}

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
    append(products, part.products);
    append(operations, part.operations);
    append(attention, part.attention);
    append(streams, part.streams);
    append(layers, part.layers);
    append(messages, part.messages);
    append(wakes, part.wakes);
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
}

ordered_json toJson(const MachineCalibration& calibration)
{
    return {{"calibration_version", fileVersion},
            {"date", calibration.date},
            {"host", calibration.host},
            {"cpu", calibration.cpu},
            {"cores", calibration.cores},
            {"version", calibration.version},
            {"mpi", calibration.mpi},
            {"blas", calibration.blas},
            {"load", calibration.load},
            {"others", calibration.others},
            {"seconds", calibration.seconds},
            {"products", arrayOf(calibration.products)},
            {"operations", arrayOf(calibration.operations)},
            {"attention", arrayOf(calibration.attention)},
            {"streams", arrayOf(calibration.streams)},
            {"layers", arrayOf(calibration.layers)},
            {"messages", arrayOf(calibration.messages)},
            {"wakes", arrayOf(calibration.wakes)},
            {"paces", arrayOf(calibration.paces)},
            {"now", arrayOf(calibration.now)}};
}

MachineCalibration machineCalibrationFromJson(const json& json, const std::string& source)
{
    const JsonFields fields(json, tried, source);
    const int version = fields.smallInteger("calibration_version", 0, 1'000'000);
    if (version != fileVersion)
        fields.refuse("calibration_version",
                      "it is " + std::to_string(version) + " and this program reads " +
                          std::to_string(fileVersion),
                      remedy);
    MachineCalibration calibration;
    calibration.date = fields.text("date");
    calibration.host = fields.text("host");
    calibration.cpu = fields.text("cpu");
    calibration.cores = fields.smallInteger("cores", 1, mostRanks);
    calibration.version = fields.text("version");
    calibration.mpi = fields.text("mpi");
    calibration.blas = fields.text("blas");
    calibration.load = fields.real("load", 0, 1e6);
    calibration.others = fields.real("others", 0, 1);
    calibration.seconds = fields.real("seconds", 0, 1e6);
    readSamples(fields, "products", source, calibration.products);
    readSamples(fields, "operations", source, calibration.operations);
    readSamples(fields, "attention", source, calibration.attention);
    if (fields.has("streams"))
        readSamples(fields, "streams", source, calibration.streams);
    if (fields.has("layers"))
        readSamples(fields, "layers", source, calibration.layers);
    readSamples(fields, "messages", source, calibration.messages);
    readSamples(fields, "wakes", source, calibration.wakes);
    if (fields.has("paces"))
        readSamples(fields, "paces", source, calibration.paces);
    if (fields.has("now"))
        readSamples(fields, "now", source, calibration.now);
    return calibration;
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
    return machineCalibrationFromJson(parseJson(*content, tried, file.string()), file.string());
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
