#pragma once

#include "engine/core/json_fields.h"
#include "engine/plan/drawn_cluster.h"

namespace triaxis
{

/// The floor of a plan file: presets by name where their figures are untouched, else all figures in
/// bytes and seconds.
nlohmann::ordered_json toJson(const DrawnCluster& cluster);
/// Throws Error that names the field.
DrawnCluster drawnClusterFrom(const JsonFields& fields);

} // namespace triaxis
