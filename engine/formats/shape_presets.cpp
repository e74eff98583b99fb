#include "engine/formats/shape_presets.h"

#include "engine/core/embedded_text.h"
#include "engine/core/json_fields.h"
#include "engine/formats/model_shape.h"

namespace triaxis
{
namespace
{

std::vector<ShapePreset> readPresets()
{
    constexpr const char* tried = "cannot read the presets of models";
    const nlohmann::json document =
        parseJson(std::string(embeddedText("model_shapes")), tried, "model_shapes");
    std::vector<ShapePreset> presets;
    for (const nlohmann::json& entry : JsonFields(document, tried).array("models")) {
        const JsonFields fields(entry, tried);
        ShapePreset preset{fields.text("name"), fields.text("title"), fields.text("source"),
                           modelShapeFromJson(entry, fields.text("name"))};
        presets.push_back(std::move(preset));
    }
    return presets;
}

} // namespace

const std::vector<ShapePreset>& shapePresets()
{
    static const std::vector<ShapePreset> presets = readPresets();
    return presets;
}

} // namespace triaxis
