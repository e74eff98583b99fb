#pragma once

#include <span>
#include <string_view>

namespace triaxis
{

/// A data file of resources that is compiled in.
struct EmbeddedText
{
    std::string_view name; ///< path below resources without its ending: "devices", "models/gpt2"
    std::string_view text;
};

/// Every JSON file of resources and resources/models, by name. The source is generated when the
/// build is configured.
std::span<const EmbeddedText> embeddedTexts();
/// Throws Error if there is none of that name.
std::string_view embeddedText(std::string_view name);

} // namespace triaxis
