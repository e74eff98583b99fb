#include "engine/formats/model_shape.h"

#include "engine/core/file.h"
#include "engine/core/json_fields.h"
#include "engine/formats/hf_config.h"
#include "engine/formats/hf_shape.h"
#include "engine/formats/shape_presets.h"

#include <filesystem>

namespace triaxis
{
namespace
{

constexpr const char* tried = "cannot read the model's sizes";
constexpr int most = 100'000'000;

ExpertShape expertsFrom(const JsonFields& fields)
{
    ExpertShape expert;
    expert.experts = fields.smallInteger("experts", 0, most);
    expert.activeExperts = fields.smallInteger("activeExperts", 0, most, 1);
    expert.sharedExperts = fields.smallInteger("sharedExperts", 0, most, 0);
    expert.expertFeedForward = fields.smallInteger("expertFeedForward", 0, most);
    expert.denseLayers = fields.smallInteger("denseLayers", 0, most, 0);
    expert.groups = fields.smallInteger("groups", 0, most, 0);
    expert.activeGroups = fields.smallInteger("activeGroups", 0, most, expert.groups);
    return expert;
}

LatentAttention latentFrom(const JsonFields& fields)
{
    LatentAttention latent;
    latent.queryRank = fields.smallInteger("queryRank", 0, most, 0);
    latent.keyValueRank = fields.smallInteger("keyValueRank", 0, most);
    latent.ropeHead = fields.smallInteger("ropeHead", 0, most, 0);
    latent.valueHead = fields.smallInteger("valueHead", 0, most);
    return latent;
}

} // namespace

ModelShape modelShapeFromJson(const nlohmann::json& json, const std::string& name)
{
    const JsonFields fields(json, tried, name);
    ModelShape shape;
    shape.name = fields.text("name", name);
    shape.layers = fields.smallInteger("layers", 1, most);
    shape.hidden = fields.smallInteger("hidden", 1, most);
    shape.heads = fields.smallInteger("heads", 1, most);
    shape.kvHeads = fields.smallInteger("kvHeads", 1, most, shape.heads);
    shape.headSize =
        fields.smallInteger("headSize", 1, most, std::max(1, shape.hidden / shape.heads));
    shape.gatedMlp = fields.boolean("gatedMlp", false);
    shape.feedForward = fields.smallInteger(
        "feedForward", 1, most, shape.hidden > most / 4 ? shape.hidden : 4 * shape.hidden);
    shape.vocabulary = fields.smallInteger("vocabulary", 1, most);
    shape.positions = fields.smallInteger("positions", 0, most, 0);
    shape.tiedHead = fields.boolean("tiedHead", true);
    shape.biases = fields.boolean("biases", !shape.gatedMlp);
    shape.predictedTokens = fields.smallInteger("predictedTokens", 1, most, 1);
    if (fields.has("expert"))
        shape.expert = expertsFrom(fields.object("expert"));
    if (fields.has("latent"))
        shape.latent = latentFrom(fields.object("latent"));
    checkShape(shape);
    return shape;
}

ModelShape findModelShape(const std::string& nameOrPath)
{
    for (const ShapePreset& preset : shapePresets())
        if (preset.name == nameOrPath)
            return preset.shape;
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path path = nameOrPath;
    const fs::path file = fs::is_directory(path, ignored) ? path / "config.json" : path;
    if (!fs::is_regular_file(file, ignored))
        return shapeOf(findModel(nameOrPath));
    const std::string text = readFile(file, 1 << 24, tried);
    const nlohmann::json json = parseJson(text, tried, file.string());
    if (json.is_object() && json.contains("layers"))
        return modelShapeFromJson(json, path.filename().string());
    try {
        return shapeOf(readModel(path));
    } catch (const Error&) {
        return shapeFromConfig(json, path.stem().string());
    }
}

} // namespace triaxis
