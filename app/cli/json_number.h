#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace triaxis::cli
{

/// A figure for scripts: null where it is not known.
inline nlohmann::ordered_json orNull(double value)
{
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

} // namespace triaxis::cli
