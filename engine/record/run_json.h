#pragma once

#include "engine/record/run_directory.h"

namespace triaxis
{

/// run.json: {"format": "triaxis-run", "version": 1, "environment": {…}, "plan": {…}}.
inline constexpr int runFileVersion = 1;

nlohmann::json toJson(const RunEnvironment& environment);
RunEnvironment environmentFromJson(const nlohmann::json& json);

/// state.json; `host` is where launcherPid means something.
nlohmann::json toJson(const RunStatus& status, const std::string& host);
/// Throws Error if it is no state that this version knows. `host` is filled in.
RunStatus statusFromJson(const nlohmann::json& json, std::string& host);

} // namespace triaxis
