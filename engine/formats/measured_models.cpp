#include "engine/formats/measured_models.h"

#include "engine/core/embedded_text.h"
#include "engine/core/json_fields.h"
#include "engine/formats/hf_config.h"
#include "engine/formats/measured_row.h"

#include <cmath>

namespace triaxis
{
namespace
{

constexpr const char* tried = "cannot read the models of measured runs";

/// Letters and digits in lower case: "LLAMA3.1_405B" → "llama31405b".
std::string bareName(const std::string& name)
{
    std::string bare;
    for (const char c : lowerCase(name)) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            bare += c;
    }
    return bare;
}

ExpertShape expertShape(const JsonFields& fields)
{
    ExpertShape expert;
    expert.experts = fields.smallInteger("experts", 1, 1 << 20);
    expert.activeExperts = fields.smallInteger("active", 1, 1 << 20);
    expert.sharedExperts = fields.smallInteger("shared", 0, 1 << 20, 0);
    expert.expertFeedForward = fields.smallInteger("feedForward", 1, 1 << 24);
    expert.denseLayers = fields.smallInteger("denseLayers", 0, 1 << 20, 0);
    expert.groups = fields.smallInteger("groups", 0, 1 << 20, 0);
    expert.activeGroups = fields.smallInteger("activeGroups", 0, 1 << 20, expert.groups);
    return expert;
}

LatentAttention latentAttention(const JsonFields& fields)
{
    LatentAttention latent;
    latent.queryRank = fields.smallInteger("queryRank", 0, 1 << 20);
    latent.keyValueRank = fields.smallInteger("keyValueRank", 1, 1 << 20);
    latent.ropeHead = fields.smallInteger("ropeHead", 0, 1 << 20);
    latent.valueHead = fields.smallInteger("valueHead", 1, 1 << 20);
    return latent;
}

ModelShape shapeFrom(const JsonFields& fields)
{
    if (fields.has("preset"))
        return shapeOf(modelPreset(fields.text("preset")));
    ModelShape shape;
    shape.layers = fields.smallInteger("layers", 1, 1 << 20);
    shape.hidden = fields.smallInteger("hidden", 1, 1 << 24);
    shape.heads = fields.smallInteger("heads", 1, 1 << 20);
    shape.kvHeads = fields.smallInteger("kvHeads", 1, 1 << 20, shape.heads);
    shape.headSize = fields.smallInteger("headSize", 1, 1 << 20, shape.hidden / shape.heads);
    shape.feedForward = fields.smallInteger("feedForward", 1, 1 << 24, 4 * shape.hidden);
    shape.vocabulary = fields.smallInteger("vocabulary", 1, 1 << 26);
    shape.positions = fields.smallInteger("positions", 0, 1 << 30, 0);
    shape.gatedMlp = fields.boolean("gated", false);
    shape.tiedHead = fields.boolean("tied", true);
    shape.biases = fields.boolean("biases", true);
    shape.predictedTokens = fields.smallInteger("predictedTokens", 1, 8, 1);
    if (fields.has("expert"))
        shape.expert = expertShape(fields.object("expert"));
    if (fields.has("latent"))
        shape.latent = latentAttention(fields.object("latent"));
    return shape;
}

bool isNamed(const JsonFields& fields, const std::string& bare)
{
    if (bareName(fields.text("name")) == bare)
        return true;
    if (!fields.has("aliases"))
        return false;
    for (const nlohmann::json& alias : fields.array("aliases")) {
        if (alias.is_string() && bareName(alias.get<std::string>()) == bare)
            return true;
    }
    return false;
}

ModelShape taken(const JsonFields& fields, MeasuredCase& run)
{
    const std::string name = fields.text("name");
    if (fields.has("unpriced"))
        throw NotModelled(name + ": " + fields.text("unpriced"));
    ModelShape shape = shapeFrom(fields);
    shape.name = name;
    if (fields.has("note"))
        run.assumptions.push_back(name + ": " + fields.text("note"));
    return shape;
}

nlohmann::json allModels()
{
    return parseJson(std::string(embeddedText("models_measured")), tried, "models_measured");
}

} // namespace

ModelShape measuredModel(const std::string& name, MeasuredCase& run)
{
    const nlohmann::json document = allModels();
    const JsonFields top(document, tried, "models_measured");
    const std::string bare = bareName(name);
    for (const nlohmann::json& entry : top.array("models")) {
        const JsonFields fields(entry, tried, "models_measured");
        if (isNamed(fields, bare))
            return taken(fields, run);
    }
    throw RowProblem("the shape of the model \"" + name.substr(0, 60) + "\" is not known");
}

ModelShape measuredModelOfSize(const std::string& family, double billions, MeasuredCase& run)
{
    const nlohmann::json document = allModels();
    const JsonFields top(document, tried, "models_measured");
    for (const nlohmann::json& entry : top.array("models")) {
        const JsonFields fields(entry, tried, "models_measured");
        if (fields.text("family", "") != family || !fields.has("billions"))
            continue;
        const double size = fields.real("billions", 1e-6, 1e6);
        if (std::fabs(size / billions - 1) <= 0.02)
            return taken(fields, run);
    }
    throw RowProblem("the shape of the " + family + " model of " + std::to_string(billions) +
                     " billion parameters is not known");
}

} // namespace triaxis
