#include "engine/formats/embedded_models.h"

#include "engine/core/embedded_text.h"

#include <string_view>

namespace triaxis
{

std::vector<EmbeddedModel> embeddedModels()
{
    constexpr std::string_view folder = "models/";
    std::vector<EmbeddedModel> models;
    for (const EmbeddedText& embedded : embeddedTexts())
        if (embedded.name.starts_with(folder))
            models.push_back(
                {std::string(embedded.name.substr(folder.size())), std::string(embedded.text)});
    return models;
}

} // namespace triaxis
