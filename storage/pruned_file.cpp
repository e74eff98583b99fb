#include "storage/pruned_file.h"

#include "engine/core/json_fields.h"
#include "engine/record/small_file.h"

#include <cmath>
#include <limits>

namespace triaxis
{
namespace
{

constexpr int version = 1;
constexpr const char* name = "pruned.json";

} // namespace

std::optional<PrunedFigures> readPruned(const std::filesystem::path& directory)
{
    constexpr const char* tried = "cannot read what was pruned";
    try {
        const auto text = readSmallFile(directory / name, 1 << 16);
        if (!text)
            return std::nullopt;
        const nlohmann::json json = parseJson(*text, tried, name);
        const JsonFields fields(json, tried, name);
        fields.integer("version", 1, version);
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        return PrunedFigures{fields.has("bubble") ? fields.real("bubble", -1e9, 1e9) : none};
    } catch (const Error&) {
        return std::nullopt;
    }
}

void writePruned(const std::filesystem::path& directory, const PrunedFigures& figures)
{
    nlohmann::json json{{"version", version}};
    json["bubble"] =
        std::isfinite(figures.bubble) ? nlohmann::json(figures.bubble) : nlohmann::json();
    replaceFile(directory / name, json.dump(2) + "\n");
}

} // namespace triaxis
