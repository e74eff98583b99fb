#pragma once

#include "engine/cost/training_job.h"

#include <nlohmann/json.hpp>
#include <string>

namespace triaxis
{

/// A model that is to be priced, by its sizes: an object with the fields of ModelShape (layers,
/// hidden, heads, feedForward, vocabulary, … and the objects "expert" and "latent"). Throws Error
/// that names the field.
ModelShape modelShapeFromJson(const nlohmann::json& json, const std::string& name);

/// A preset (of trained or of priced models), a folder with config.json, a config.json of any
/// decoder-only model, or a file of sizes. Throws Error.
ModelShape findModelShape(const std::string& nameOrPath);

} // namespace triaxis
