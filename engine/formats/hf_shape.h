#pragma once

#include "engine/cost/training_job.h"

#include <nlohmann/json.hpp>
#include <string>

namespace triaxis
{

/// The sizes of a decoder-only transformer in a Hugging Face config.json, for models that are only
/// priced: what changes the arithmetic but hardly its cost (RoPE scaling, norms, activations) is
/// passed over, sliding windows are priced as full attention. Throws Error that names the field.
ModelShape shapeFromConfig(const nlohmann::json& config, const std::string& name);

} // namespace triaxis
