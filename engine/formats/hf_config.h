#pragma once

#include "engine/model/model.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace triaxis
{

/// Reads a Hugging Face config.json (model_type gpt2 or llama). Throws Error that names the field:
/// missing, wrong type or range, or a feature that this version does not compute (other
/// activations, RoPE scaling, sliding windows, …).
ModelSpec modelFromConfig(const nlohmann::json& config, const std::string& name);
/// `path`: a folder with config.json, or the file.
ModelSpec readModel(const std::filesystem::path& path);

/// Presets shipped with the program (resources/models/*.json, compiled in): "gpt2", "gpt2-1m",
/// "llama-1m", …
std::vector<std::string> modelPresets();
/// Throws Error with the list of names for an unknown one.
ModelSpec modelPreset(const std::string& name);
/// A preset name, a folder, or a config.json.
ModelSpec findModel(const std::string& nameOrPath);
/// The Hugging Face config.json of a model.
nlohmann::json configOf(const ModelSpec& model);

} // namespace triaxis
