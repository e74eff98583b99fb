#pragma once

#include <string>
#include <vector>

namespace triaxis
{

/// A model configuration that is compiled in.
struct EmbeddedModel
{
    std::string name;   ///< file name without its ending: "gpt2"
    std::string config; ///< text of the Hugging Face config.json
};

/// Every file of resources/models, by name.
std::vector<EmbeddedModel> embeddedModels();

} // namespace triaxis
