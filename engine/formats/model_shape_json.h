#pragma once

#include "engine/cost/training_job.h"

#include <nlohmann/json.hpp>

namespace triaxis
{

/// What modelShapeFromJson reads.
nlohmann::ordered_json toJson(const ModelShape& shape);

} // namespace triaxis
