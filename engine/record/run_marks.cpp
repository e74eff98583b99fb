#include "engine/record/run_marks.h"

#include "engine/core/json_fields.h"
#include "engine/record/small_file.h"

#include <algorithm>

namespace triaxis
{
namespace
{

constexpr int version = 1;
constexpr double latest = 1e12; ///< seconds
constexpr const char* tried = "cannot read the marks of the run";

bool isEarlier(const RunMark& a, const RunMark& b)
{
    return a.from < b.from;
}

} // namespace

std::vector<RunMark> readMarks(const std::filesystem::path& directory)
{
    const std::filesystem::path file = directory / "marks.json";
    const auto content = readSmallFile(file);
    if (!content)
        return {};
    const nlohmann::json json = parseJson(*content, tried, file.string());
    const JsonFields fields(json, tried, file.string());
    fields.integer("version", 1, version);
    std::vector<RunMark> marks;
    for (const nlohmann::json& entry : fields.array("marks")) {
        const JsonFields mark(entry, tried, file.string(), "marks");
        RunMark read;
        read.from = mark.real("from", -latest, latest);
        read.to = mark.real("to", read.from, latest, read.from);
        read.note = mark.text("note", "");
        marks.push_back(std::move(read));
    }
    std::stable_sort(marks.begin(), marks.end(), isEarlier);
    return marks;
}

void writeMarks(const std::filesystem::path& directory, const std::vector<RunMark>& marks)
{
    nlohmann::json json;
    json["version"] = version;
    json["marks"] = nlohmann::json::array();
    for (const RunMark& mark : marks)
        json["marks"].push_back({{"from", mark.from}, {"to", mark.to}, {"note", mark.note}});
    replaceFile(directory / "marks.json",
                json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

} // namespace triaxis
