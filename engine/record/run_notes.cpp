#include "engine/record/run_notes.h"

#include "engine/core/json_fields.h"
#include "engine/record/small_file.h"

#include <algorithm>
#include <sys/stat.h>

namespace triaxis
{
namespace
{

constexpr int version = 1;
constexpr const char* tried = "cannot read the notes of the run";
constexpr const char* triedToWrite = "cannot note that";

std::filesystem::path fileIn(const std::filesystem::path& directory)
{
    return directory / "notes.json";
}

std::string trimmed(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    const auto last = text.find_last_not_of(" \t\r\n");
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

bool isControl(char letter)
{
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
}

std::string checkedTag(const std::string& text)
{
    const std::string tag = trimmed(text);
    if (tag.empty())
        throw Error(triedToWrite, "a tag is empty", "give it a name");
    if (tag.size() > longestTag)
        throw Error(triedToWrite, "the tag \"" + tag.substr(0, longestTag) + "…\" is too long",
                    "use at most " + std::to_string(longestTag) + " bytes");
    if (tag.find(',') != std::string::npos || std::any_of(tag.begin(), tag.end(), isControl))
        throw Error(triedToWrite, "the tag \"" + tag + "\" has a comma or a control character",
                    "use letters, digits, spaces and dashes");
    return tag;
}

void checkLength(const char* what, std::size_t size, std::size_t most)
{
    if (size > most)
        throw Error(triedToWrite,
                    std::string("the ") + what + " is " + std::to_string(size) + " bytes long",
                    "use at most " + std::to_string(most));
}

} // namespace

RunNotes checkedNotes(RunNotes notes)
{
    for (std::string& tag : notes.tags)
        tag = checkedTag(tag);
    std::sort(notes.tags.begin(), notes.tags.end());
    notes.tags.erase(std::unique(notes.tags.begin(), notes.tags.end()), notes.tags.end());
    if (notes.tags.size() > mostTags)
        throw Error(triedToWrite, "the run has " + std::to_string(notes.tags.size()) + " tags",
                    "use at most " + std::to_string(mostTags));
    checkLength("note", notes.note.size(), longestNote);
    if (notes.label) {
        checkLength("label", notes.label->size(), longestLabel);
        if (std::any_of(notes.label->begin(), notes.label->end(), isControl))
            throw Error(triedToWrite, "the label has a control character", "use a single line");
    }
    return notes;
}

RunNotes readNotes(const std::filesystem::path& directory)
{
    const std::filesystem::path file = fileIn(directory);
    const auto content = readSmallFile(file, 1 << 20);
    if (!content)
        return {};
    const nlohmann::json json = parseJson(*content, tried, file.string());
    const JsonFields fields(json, tried, file.string());
    fields.integer("version", 1, version);
    RunNotes notes;
    if (fields.has("label"))
        notes.label = fields.text("label");
    if (fields.has("tags"))
        for (const nlohmann::json& tag : fields.array("tags")) {
            if (!tag.is_string())
                fields.refuse("tags", "must be a list of texts");
            notes.tags.push_back(tag.get<std::string>());
        }
    notes.note = fields.text("note", "");
    notes.starred = fields.boolean("starred", false);
    notes.deletedUtc = fields.text("deleted", "");
    notes.importedUtc = fields.text("imported", "");
    notes.importedId = fields.text("imported_id", "");
    try {
        return checkedNotes(std::move(notes));
    } catch (const Error& error) {
        throw Error(tried, file.string() + ": " + error.object(), error.remedy());
    }
}

void writeNotes(const std::filesystem::path& directory, const RunNotes& notes)
{
    const RunNotes checked = checkedNotes(notes);
    nlohmann::ordered_json json;
    json["version"] = version;
    if (checked.label)
        json["label"] = *checked.label;
    json["tags"] = checked.tags;
    json["note"] = checked.note;
    json["starred"] = checked.starred;
    if (!checked.deletedUtc.empty())
        json["deleted"] = checked.deletedUtc;
    if (!checked.importedUtc.empty())
        json["imported"] = checked.importedUtc;
    if (!checked.importedId.empty())
        json["imported_id"] = checked.importedId;
    replaceFile(fileIn(directory),
                json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

std::int64_t notesStamp(const std::filesystem::path& directory)
{
    struct stat info
    {
    };
    if (::lstat(fileIn(directory).c_str(), &info) != 0)
        return 0;
    // Replaced files have another inode even where the clock is coarse.
    constexpr std::int64_t nanoseconds = 1'000'000'000;
    const auto time = std::uint64_t(info.st_mtim.tv_sec) * nanoseconds +
                      std::uint64_t(info.st_mtim.tv_nsec);
    return std::int64_t((time ^ (std::uint64_t(info.st_ino) << 40)) | 1);
}

} // namespace triaxis
