#pragma once

#include "engine/sweep/sweep_table.h"

#include <nlohmann/json.hpp>

namespace triaxis
{

/// A layout of a sweep for programs; figures that are not known are null.
nlohmann::ordered_json toJson(const SweepRow& row);
/// A form of a sweep: "form", "title", "notes", "rows".
nlohmann::ordered_json toJson(const SweepTable& table);

/// The other way round, without what is compared with other rows. Throws Error that names the
/// field.
SweepRow sweepRowFromJson(const nlohmann::json& json);

} // namespace triaxis
