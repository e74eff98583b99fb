#pragma once

#include "engine/record/crc32.h"
#include "storage/archive_file.h"
#include "storage/bundle_manifest.h"

#include <set>
#include <string>
#include <vector>

namespace triaxis::test
{

struct Forged
{
    std::string name;
    std::string content;
};

inline std::span<const std::uint8_t> bytesOf(const std::string& text)
{
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// A bundle that lists `listed`, with right sums, and holds `held`.
inline void forge(const std::filesystem::path& file, const std::string& id,
                  const std::vector<Forged>& listed, const std::vector<Forged>& held)
{
    BundleManifest manifest{id, {}};
    for (const Forged& entry : listed)
        manifest.files.push_back(
            {entry.name, std::int64_t(entry.content.size()), crc32(bytesOf(entry.content)), 0});
    ArchiveWriter archive(file);
    const std::string head = textOf(manifest);
    archive.begin(manifestName, std::int64_t(head.size()));
    archive.write(bytesOf(head));
    for (const Forged& entry : held) {
        archive.begin(entry.name, std::int64_t(entry.content.size()));
        archive.write(bytesOf(entry.content));
    }
    archive.finish();
}

inline std::set<std::string> namesIn(const std::filesystem::path& folder)
{
    std::set<std::string> names;
    std::error_code code;
    for (std::filesystem::directory_iterator entry(folder, code), end; !code && entry != end;
         entry.increment(code))
        names.insert(entry->path().filename().string());
    return names;
}

} // namespace triaxis::test
