#include "storage/bundle_manifest.h"

#include "engine/core/json_fields.h"
#include "engine/record/frame_file.h"
#include "storage/bundle.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace triaxis
{
namespace
{

constexpr const char* format = "triaxis-bundle";
constexpr int version = 1;

struct KnownFile
{
    const char* name;
    std::int64_t most; ///< bytes
    bool required;
};

constexpr std::array knownFiles{
    KnownFile{"run.json", bundle::mostJsonBytes, true},
    KnownFile{"state.json", bundle::mostNoteBytes, true},
    KnownFile{"stderr.log", bundle::mostLogBytes, false},
    KnownFile{"notes.json", bundle::mostNoteBytes, false},
    KnownFile{"marks.json", bundle::mostJsonBytes, false},
    KnownFile{"pruned.json", bundle::mostNoteBytes, false},
    KnownFile{"view.json", bundle::mostJsonBytes, false},
};

/// An id becomes the name of a folder.
bool isId(const std::string& id)
{
    const auto fits = [](char letter) {
        return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
               (letter >= 'A' && letter <= 'Z') || letter == '-' || letter == '_' || letter == '.';
    };
    return !id.empty() && id.size() <= 100 && id.front() != '.' && id.front() != '-' &&
           std::all_of(id.begin(), id.end(), fits);
}

std::string problemOf(const BundleFile& file)
{
    if (rankOfRecord(file.name) >= 0)
        return {};
    for (const KnownFile& known : knownFiles)
        if (file.name == known.name)
            return file.bytes <= known.most ? "" : "\"" + file.name + "\" is too long";
    return "\"" + file.name + "\" is no file of a run";
}

std::string problemOf(const BundleManifest& manifest)
{
    if (!isId(manifest.run))
        return "\"" + manifest.run + "\" is no id of a run";
    if (std::int64_t(manifest.files.size()) > bundle::mostFiles)
        return "it has more than " + std::to_string(bundle::mostFiles) + " files";
    std::set<std::string> names;
    for (const BundleFile& file : manifest.files) {
        if (const std::string problem = problemOf(file); !problem.empty())
            return problem;
        if (!names.insert(file.name).second)
            return "\"" + file.name + "\" is there twice";
    }
    for (const KnownFile& known : knownFiles)
        if (known.required && !names.contains(known.name))
            return std::string(known.name) + " is missing";
    if (manifest.bytes() > bundle::mostBytes)
        return "it unpacks to more than " + std::to_string(bundle::mostBytes >> 30) + " GiB";
    return {};
}

BundleFile fileFromJson(const nlohmann::json& json, const std::string& tried,
                        const std::string& source)
{
    const JsonFields fields(json, tried, source, "files");
    BundleFile file;
    file.name = fields.text("name");
    file.bytes = fields.integer("bytes", 0, bundle::mostBytes);
    file.crc32 = std::uint32_t(fields.integer("crc32", 0, 0xffffffff));
    file.torn = fields.integer("torn", 0, file.bytes, 0);
    return file;
}

} // namespace

std::int64_t BundleManifest::bytes() const
{
    // Each is at most mostBytes (2⁴⁰), and there are fewer than 2²³ of them.
    std::int64_t sum = 0;
    for (const BundleFile& file : files)
        sum += file.bytes;
    return sum;
}

int rankOfRecord(const std::string& name)
{
    constexpr std::string_view prefix = "rank-";
    constexpr std::string_view suffix = ".records";
    if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
        name.size() < prefix.size() + suffix.size() + 4)
        return -1;
    const std::string_view digits(name.data() + prefix.size(),
                                  name.size() - prefix.size() - suffix.size());
    int rank = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
    const bool whole = code == std::errc() && end == digits.data() + digits.size();
    // Written in one way only: more than four digits have no zero in front.
    return whole && rank >= 0 && (digits.size() == 4 || digits.front() != '0') ? rank : -1;
}

std::int64_t tornBytes(const std::filesystem::path& record)
{
    FrameFile file(record);
    file.poll(true, [](const FrameView&) {});
    return file.tornBytes();
}

std::string textOf(const BundleManifest& manifest)
{
    nlohmann::ordered_json json{{"format", format}, {"version", version}, {"run", manifest.run}};
    json["files"] = nlohmann::ordered_json::array();
    for (const BundleFile& file : manifest.files) {
        nlohmann::ordered_json entry{
            {"name", file.name}, {"bytes", file.bytes}, {"crc32", file.crc32}};
        if (file.torn > 0)
            entry["torn"] = file.torn;
        json["files"].push_back(entry);
    }
    return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void checkManifest(const BundleManifest& manifest, const std::string& tried,
                   const std::string& source)
{
    if (const std::string problem = problemOf(manifest); !problem.empty())
        throw Error(tried, source + ": " + problem);
}

BundleManifest manifestFromText(const std::string& text, std::int64_t compressed,
                                const std::string& tried, const std::string& source)
{
    const nlohmann::json json = parseJson(text, tried, source);
    const JsonFields fields(json, tried, source);
    if (fields.text("format") != format)
        fields.refuse("format", std::string("must be \"") + format + '"');
    fields.integer("version", 1, version);
    BundleManifest manifest;
    manifest.run = fields.text("run");
    for (const nlohmann::json& entry : fields.array("files")) {
        manifest.files.push_back(fileFromJson(entry, tried, source));
        if (std::int64_t(manifest.files.size()) > bundle::mostFiles)
            break;
    }
    checkManifest(manifest, tried, source);
    if ((manifest.bytes() - bundle::freeBytes) / bundle::mostRatio > compressed)
        throw Error(tried,
                    source + ": it would unpack to more than " + std::to_string(bundle::mostRatio) +
                        " times its size",
                    "nothing was imported; do not trust this file");
    return manifest;
}

} // namespace triaxis
