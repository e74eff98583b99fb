#include "engine/compare/setting_diff.h"

#include "engine/record/crc32.h"

#include <algorithm>
#include <array>
#include <map>

namespace triaxis
{
namespace
{

constexpr std::size_t longestText = 200;
constexpr const char* missing = "–";

constexpr std::array<std::string_view, 3> ofEveryRun{"environment.id", "environment.started",
                                                     "label"};

std::string shortened(const std::string& text)
{
    if (text.size() <= longestText)
        return text;
    char hash[16];
    std::snprintf(
        hash, sizeof hash, "%08x",
        unsigned(crc32({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()})));
    return std::to_string(text.size()) + " bytes, " + hash;
}

std::string valueText(const nlohmann::json& value)
{
    if (value.is_string())
        return shortened(value.get<std::string>());
    return shortened(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void flatten(const nlohmann::json& node, const std::string& path,
             std::map<std::string, std::string>& into)
{
    if (!node.is_object() || node.empty()) {
        into[path] = valueText(node);
        return;
    }
    for (const auto& [key, value] : node.items())
        flatten(value, path.empty() ? key : path + "." + key, into);
}

bool allEqual(const std::vector<std::string>& values)
{
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

} // namespace

std::vector<SettingRow> settingRows(const std::vector<ComparedRun>& runs)
{
    std::map<std::string, std::vector<std::string>> byPath;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::map<std::string, std::string> values;
        flatten(runs[i].settings, "", values);
        for (auto& [path, value] : values) {
            std::vector<std::string>& row = byPath[path];
            row.resize(runs.size(), missing);
            row[i] = value;
        }
    }
    std::vector<SettingRow> rows;
    for (auto& [path, values] : byPath) {
        if (std::find(ofEveryRun.begin(), ofEveryRun.end(), path) != ofEveryRun.end())
            continue;
        const bool differs = !allEqual(values);
        rows.push_back({path, std::move(values), differs});
    }
    return rows;
}

std::vector<SettingRow> differences(const std::vector<SettingRow>& rows)
{
    std::vector<SettingRow> result;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
                 [](const SettingRow& row) { return row.differs; });
    return result;
}

} // namespace triaxis
