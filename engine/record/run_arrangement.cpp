#include "engine/record/run_arrangement.h"

#include "engine/core/json_fields.h"
#include "engine/record/small_file.h"

#include <algorithm>
#include <array>
#include <limits>

namespace triaxis
{
namespace
{

constexpr int version = 1;
constexpr const char* fileName = "view.json";
constexpr const char* tried = "cannot read how the lanes of the run were arranged";
constexpr std::array axes{Axis::Data, Axis::Tensor, Axis::Pipeline};

std::string nameOf(const std::optional<Axis>& axis)
{
    return axis ? shortName(*axis) : "none";
}

std::optional<Axis> axisFrom(const JsonFields& fields, const std::string& key)
{
    const std::string name = fields.text(key, "none");
    for (const Axis axis : axes) {
        if (name == shortName(axis))
            return axis;
    }
    if (name != "none")
        fields.refuse(key, "\"" + name + "\" is no axis", "use dp, tp, pp or none");
    return std::nullopt;
}

/// Whole numbers in [0, end), others left out.
std::vector<int> numbersIn(const JsonFields& fields, const std::string& key, int end)
{
    std::vector<int> numbers;
    if (!fields.has(key))
        return numbers;
    for (const nlohmann::json& entry : fields.array(key)) {
        if (!entry.is_number_integer())
            fields.refuse(key, "it holds something else than whole numbers");
        const auto number = entry.get<std::int64_t>();
        if (number >= 0 && number < end)
            numbers.push_back(int(number));
    }
    return numbers;
}

std::set<int> setOf(const std::vector<int>& numbers)
{
    return {numbers.begin(), numbers.end()};
}

} // namespace

std::optional<RunArrangement> readArrangement(const std::filesystem::path& directory,
                                              const Layout& layout)
{
    const std::filesystem::path file = directory / fileName;
    const auto content = readSmallFile(file, 1 << 20);
    if (!content)
        return std::nullopt;
    const nlohmann::json json = parseJson(*content, tried, file.string());
    const JsonFields fields(json, tried, file.string());
    fields.integer("version", 1, version);
    RunArrangement read;
    read.lanes.group = axisFrom(fields, "group");
    read.colourBy = axisFrom(fields, "colour");
    read.streams = fields.boolean("streams", false);
    if (read.lanes.group)
        read.lanes.collapsed =
            setOf(numbersIn(fields, "collapsed", sizeOf(layout, *read.lanes.group)));
    for (const int rank : numbersIn(fields, "pinned", layout.ranks())) {
        if (std::find(read.lanes.pinned.begin(), read.lanes.pinned.end(), Rank(rank)) ==
            read.lanes.pinned.end())
            read.lanes.pinned.emplace_back(rank);
    }
    for (const int rank : numbersIn(fields, "hidden", layout.ranks()))
        read.lanes.hidden.insert(Rank(rank));
    if (fields.has("only")) {
        const JsonFields only = fields.object("only");
        for (const Axis axis : axes)
            read.lanes.only[std::size_t(axis)] =
                setOf(numbersIn(only, shortName(axis), sizeOf(layout, axis)));
    }
    return read;
}

void writeArrangement(const std::filesystem::path& directory, const RunArrangement& arrangement)
{
    const LaneArrangement& lanes = arrangement.lanes;
    nlohmann::json json;
    json["version"] = version;
    json["group"] = nameOf(lanes.group);
    json["colour"] = nameOf(arrangement.colourBy);
    json["streams"] = arrangement.streams;
    json["collapsed"] = lanes.collapsed;
    json["pinned"] = nlohmann::json::array();
    for (const Rank rank : lanes.pinned)
        json["pinned"].push_back(rank.value);
    json["hidden"] = nlohmann::json::array();
    for (const Rank rank : lanes.hidden)
        json["hidden"].push_back(rank.value);
    json["only"] = nlohmann::json::object();
    for (const Axis axis : axes)
        json["only"][shortName(axis)] = lanes.only[std::size_t(axis)];
    replaceFile(directory / fileName, json.dump(2) + "\n");
}

} // namespace triaxis
