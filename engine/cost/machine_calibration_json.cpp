#include "engine/core/json_fields.h"
#include "engine/cost/machine_calibration.h"

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

ordered_json toJson(const RunSample& sample)
{
    return {{"plan", sample.plan},
            {"ranks", sample.ranks},
            {"seconds", sample.seconds},
            {"predicted", sample.predicted}};
}

ordered_json toJson(const PaceTrace& trace)
{
    return {{"date", trace.date},   {"interval", trace.interval}, {"seconds", trace.seconds},
            {"alone", trace.alone}, {"crowded", trace.crowded},   {"team", trace.team}};
}

ordered_json toJson(const MeasuredJob& job)
{
    return {{"ranks", job.ranks},   {"threads", job.threads}, {"part", job.part},
            {"rounds", job.rounds}, {"wanted", job.wanted},   {"shortened", job.shortened}};
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
    sample.use = choiceFrom(
        fields, "use",
        {StreamUse::Weights, StreamUse::Gradients, StreamUse::Optimizer, StreamUse::Activations});
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

void readSample(const JsonFields& fields, RunSample& sample)
{
    sample.plan = fields.text("plan");
    sample.ranks = fields.smallInteger("ranks", 1, mostRanks);
    sample.seconds = secondsFrom(fields);
    sample.predicted = fields.real("predicted", 1e-12, mostSeconds);
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

void readSample(const JsonFields& fields, MeasuredJob& job)
{
    job.ranks = fields.smallInteger("ranks", 1, mostRanks);
    job.threads = fields.smallInteger("threads", 1, mostRanks);
    job.part = fields.text("part");
    job.rounds = fields.smallInteger("rounds", 0, 1000);
    job.wanted = fields.smallInteger("wanted", 0, 1000);
    job.shortened = fields.smallInteger("shortened", 0, int(mostSamples));
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

} // namespace

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
            {"budget", calibration.budget},
            {"jobs", arrayOf(calibration.jobs)},
            {"products", arrayOf(calibration.products)},
            {"operations", arrayOf(calibration.operations)},
            {"attention", arrayOf(calibration.attention)},
            {"streams", arrayOf(calibration.streams)},
            {"layers", arrayOf(calibration.layers)},
            {"messages", arrayOf(calibration.messages)},
            {"wakes", arrayOf(calibration.wakes)},
            {"runs", arrayOf(calibration.runs)},
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
    if (fields.has("budget"))
        calibration.budget = fields.real("budget", 0, 1e6);
    if (fields.has("jobs"))
        readSamples(fields, "jobs", source, calibration.jobs);
    readSamples(fields, "products", source, calibration.products);
    readSamples(fields, "operations", source, calibration.operations);
    readSamples(fields, "attention", source, calibration.attention);
    if (fields.has("streams"))
        readSamples(fields, "streams", source, calibration.streams);
    if (fields.has("layers"))
        readSamples(fields, "layers", source, calibration.layers);
    readSamples(fields, "messages", source, calibration.messages);
    readSamples(fields, "wakes", source, calibration.wakes);
    if (fields.has("runs"))
        readSamples(fields, "runs", source, calibration.runs);
    if (fields.has("paces"))
        readSamples(fields, "paces", source, calibration.paces);
    if (fields.has("now"))
        readSamples(fields, "now", source, calibration.now);
    return calibration;
}

} // namespace triaxis
