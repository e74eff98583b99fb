#include "engine/record/run_plan.h"

#include "engine/core/json_fields.h"

#include <array>
#include <utility>

namespace triaxis
{
namespace
{

constexpr int planVersion = 1;
constexpr int largest = std::numeric_limits<int>::max();
constexpr const char* tried = "cannot read the run plan";

constexpr std::array<std::pair<DataKind, const char*>, 3> dataKinds{
    {{DataKind::Text, "text"}, {DataKind::Synthetic, "synthetic"}, {DataKind::Batches, "batches"}}};

const char* toText(DataKind kind)
{
    for (const auto& [known, name] : dataKinds) {
        if (known == kind)
            return name;
    }
    return "";
}

DataKind dataKindFrom(const JsonFields& fields, const std::string& key)
{
    const std::string text = fields.text(key);
    for (const auto& [kind, name] : dataKinds) {
        if (text == name)
            return kind;
    }
    fields.refuse(key, "is \"" + text + "\"", "use text, synthetic or batches");
}

Architecture architectureFrom(const JsonFields& fields, const std::string& key)
{
    const std::string text = fields.text(key);
    for (const Architecture architecture : {Architecture::Gpt2, Architecture::Llama}) {
        if (text == toText(architecture))
            return architecture;
    }
    fields.refuse(key, "is \"" + text + "\"", "use gpt2 or llama");
}

nlohmann::json modelToJson(const ModelSpec& model)
{
    return {{"name", model.name},
            {"architecture", toText(model.architecture)},
            {"vocabulary", model.vocabulary},
            {"positions", model.positions},
            {"hidden", model.hidden},
            {"layers", model.layers},
            {"heads", model.heads},
            {"kvHeads", model.kvHeads},
            {"headSize", model.headSize},
            {"feedForward", model.feedForward},
            {"normEpsilon", model.normEpsilon},
            {"ropeTheta", model.ropeTheta},
            {"tiedHead", model.tiedHead},
            {"attentionBias", model.attentionBias},
            {"mlpBias", model.mlpBias},
            {"initializerRange", model.initializerRange}};
}

ModelSpec modelFromJson(const JsonFields& fields)
{
    ModelSpec model;
    model.name = fields.text("name", "");
    model.architecture = architectureFrom(fields, "architecture");
    model.vocabulary = fields.smallInteger("vocabulary", 1, largest);
    model.positions = fields.smallInteger("positions", 1, largest);
    model.hidden = fields.smallInteger("hidden", 1, largest);
    model.layers = fields.smallInteger("layers", 1, largest);
    model.heads = fields.smallInteger("heads", 1, largest);
    model.kvHeads = fields.smallInteger("kvHeads", 1, largest);
    model.headSize = fields.smallInteger("headSize", 1, largest);
    model.feedForward = fields.smallInteger("feedForward", 1, largest);
    model.normEpsilon = fields.real("normEpsilon", 0, 1, model.normEpsilon);
    model.ropeTheta = fields.real("ropeTheta", 0, 1e12, model.ropeTheta);
    model.tiedHead = fields.boolean("tiedHead");
    model.attentionBias = fields.boolean("attentionBias", model.attentionBias);
    model.mlpBias = fields.boolean("mlpBias", model.mlpBias);
    model.initializerRange = fields.real("initializerRange", 0, 1e3, model.initializerRange);
    checkModel(model);
    return model;
}

nlohmann::json layoutToJson(const Layout& layout)
{
    return {{"dp", layout.dp},
            {"tp", layout.tp},
            {"pp", layout.pp},
            {"virtualStages", layout.virtualStages},
            {"order", toText(layout.order)},
            {"layersPerStage", layout.layersPerStage}};
}

std::vector<int> layersFrom(const JsonFields& fields, const std::string& key)
{
    std::vector<int> layers;
    if (!fields.has(key))
        return layers;
    for (const nlohmann::json& entry : fields.array(key)) {
        // Each entry is read as a field of its own, so that the message names its place.
        const std::string name = key + "[" + std::to_string(layers.size()) + "]";
        const nlohmann::json holder{{name, entry}};
        layers.push_back(JsonFields(holder, tried, {}, "layout").smallInteger(name, 0, largest));
    }
    return layers;
}

Layout layoutFromJson(const JsonFields& fields)
{
    constexpr int most = 65'536;
    Layout layout;
    layout.dp = fields.smallInteger("dp", 1, most);
    layout.tp = fields.smallInteger("tp", 1, most);
    layout.pp = fields.smallInteger("pp", 1, most);
    layout.virtualStages = fields.smallInteger("virtualStages", 1, most, 1);
    if (fields.has("order"))
        layout.order = parseRankOrder(fields.text("order"));
    layout.layersPerStage = layersFrom(fields, "layersPerStage");
    return layout;
}

nlohmann::json trainingToJson(const TrainingPlan& training)
{
    return {{"steps", training.steps},
            {"globalBatch", training.batch.globalBatch},
            {"microbatch", training.batch.microbatch},
            {"sequence", training.batch.sequence},
            {"schedule", training.schedule},
            {"microbatchGroup", training.microbatchGroup},
            {"scheduleCsv", training.scheduleCsv},
            {"learningRate", training.learningRate},
            {"beta1", training.beta1},
            {"beta2", training.beta2},
            {"epsilon", training.epsilon},
            {"weightDecay", training.weightDecay},
            {"clipNorm", training.clipNorm},
            {"warmupSteps", training.warmupSteps},
            {"seed", training.seed}};
}

TrainingPlan trainingFromJson(const JsonFields& fields)
{
    TrainingPlan training;
    training.steps = fields.integer("steps", 1, largest);
    training.batch.globalBatch = fields.smallInteger("globalBatch", 1, largest);
    training.batch.microbatch = fields.smallInteger("microbatch", 1, largest);
    training.batch.sequence = fields.smallInteger("sequence", 1, largest);
    training.schedule = fields.text("schedule", training.schedule);
    training.microbatchGroup = fields.smallInteger("microbatchGroup", 0, largest, 0);
    training.scheduleCsv = fields.text("scheduleCsv", "");
    training.learningRate = fields.real("learningRate", 0, 1e6, training.learningRate);
    training.beta1 = fields.real("beta1", 0, 1, training.beta1);
    training.beta2 = fields.real("beta2", 0, 1, training.beta2);
    training.epsilon = fields.real("epsilon", 0, 1e6, training.epsilon);
    training.weightDecay = fields.real("weightDecay", 0, 1e6, training.weightDecay);
    training.clipNorm = fields.real("clipNorm", 0, 1e300, training.clipNorm);
    training.warmupSteps = fields.integer("warmupSteps", 0, largest, training.warmupSteps);
    training.seed = fields.bits("seed", training.seed);
    return training;
}

nlohmann::json dataToJson(const DataPlan& data)
{
    return {{"kind", toText(data.kind)},
            {"path", data.path},
            {"sha256", data.sha256},
            {"bestLoss", data.bestLoss}};
}

DataPlan dataFromJson(const JsonFields& fields)
{
    DataPlan data;
    data.kind = dataKindFrom(fields, "kind");
    data.path = fields.text("path", "");
    data.sha256 = fields.text("sha256", "");
    data.bestLoss = fields.real("bestLoss", -1, 1e6, data.bestLoss);
    return data;
}

nlohmann::json executionToJson(const ExecutionPlan& execution)
{
    return {{"device", execution.device},           {"precision", execution.precision},
            {"threadsPerRank", execution.threadsPerRank},
            {"hostfile", execution.hostfile},       {"hangSeconds", execution.hangSeconds},
            {"detail", execution.detail},           {"wholeSteps", execution.wholeSteps},
            {"everyStep", execution.everyStep},     {"mcaOptions", execution.mcaOptions},
            {"saveWeights", execution.saveWeights}, {"saveGradients", execution.saveGradients},
            {"pace", toJson(execution.pace)}};
}

std::vector<std::string> textsFrom(const JsonFields& fields, const std::string& key)
{
    std::vector<std::string> texts;
    if (!fields.has(key))
        return texts;
    for (const nlohmann::json& entry : fields.array(key)) {
        if (!entry.is_string())
            fields.refuse(key, "holds something else than texts");
        texts.push_back(entry.get<std::string>());
    }
    return texts;
}

ExecutionPlan executionFromJson(const JsonFields& fields)
{
    ExecutionPlan execution;
    execution.device = fields.text("device", execution.device);
    execution.precision = fields.text("precision", execution.precision);
    execution.threadsPerRank =
        fields.smallInteger("threadsPerRank", 0, maximumThreads, execution.threadsPerRank);
    execution.hostfile = fields.text("hostfile", "");
    execution.hangSeconds = fields.real("hangSeconds", 1e-3, 1e9, execution.hangSeconds);
    execution.detail = fields.boolean("detail", execution.detail);
    execution.wholeSteps = fields.smallInteger("wholeSteps", 0, largest, execution.wholeSteps);
    execution.everyStep = fields.smallInteger("everyStep", 1, largest, execution.everyStep);
    execution.mcaOptions = textsFrom(fields, "mcaOptions");
    if (fields.has("pace"))
        execution.pace = pacePlanFromJson(fields.object("pace"));
    execution.saveWeights = fields.boolean("saveWeights", execution.saveWeights);
    execution.saveGradients = fields.boolean("saveGradients", execution.saveGradients);
    return execution;
}

} // namespace

const std::vector<std::string>& rankDevices()
{
    static const std::vector<std::string> names{"cpu", "cuda", "emulated"};
    return names;
}

const std::vector<std::string>& rankPrecisions()
{
    static const std::vector<std::string> names{"float32", "bfloat16"};
    return names;
}

nlohmann::json toJson(const RunPlan& plan)
{
    nlohmann::json json{{"version", planVersion},
                        {"label", plan.label},
                        {"model", modelToJson(plan.model)},
                        {"weights", plan.weights},
                        {"layout", layoutToJson(plan.layout)},
                        {"training", trainingToJson(plan.training)},
                        {"data", dataToJson(plan.data)},
                        {"execution", executionToJson(plan.execution)}};
    try {
        json.dump();
    } catch (const nlohmann::json::exception&) {
        throw Error("cannot write the run plan", "a path or label in it is no UTF-8",
                    "rename the file, or change the label");
    }
    return json;
}

ScheduleRequest scheduleRequest(const RunPlan& plan)
{
    ScheduleRequest request;
    request.name = plan.training.schedule;
    request.stages = plan.layout.pp;
    request.microbatches = plan.training.batch.microbatches(plan.layout.dp);
    request.virtualStages = plan.layout.virtualStages;
    request.microbatchGroup = plan.training.microbatchGroup;
    request.csv = plan.training.scheduleCsv;
    return request;
}

ProgramInputs programInputs(const RunPlan& plan)
{
    ProgramInputs inputs;
    inputs.model = plan.model;
    inputs.layout = plan.layout;
    inputs.batch = plan.training.batch;
    return inputs;
}

Program programOf(const RunPlan& plan)
{
    return programFor(scheduleRequest(plan), programInputs(plan));
}

RunPlan runPlanFromJson(const nlohmann::json& json)
{
    const JsonFields fields(json, tried);
    const std::int64_t version =
        fields.integer("version", 1, std::numeric_limits<std::int64_t>::max());
    if (version > planVersion)
        fields.refuse("version",
                      "is " + std::to_string(version) + ", newer than " +
                          std::to_string(planVersion),
                      "use a newer Triaxis");
    RunPlan plan;
    plan.label = fields.text("label", "");
    plan.model = modelFromJson(fields.object("model"));
    plan.weights = fields.text("weights", "");
    plan.layout = layoutFromJson(fields.object("layout"));
    plan.training = trainingFromJson(fields.object("training"));
    plan.data = dataFromJson(fields.object("data"));
    if (fields.has("execution"))
        plan.execution = executionFromJson(fields.object("execution"));
    return plan;
}

} // namespace triaxis
