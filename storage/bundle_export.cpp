#include "storage/bundle.h"

#include "engine/core/error.h"
#include "engine/record/crc32.h"
#include "storage/archive_file.h"
#include "storage/bundle_manifest.h"

#include <algorithm>
#include <fstream>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

constexpr const char* tried = "cannot bundle the run";
constexpr std::size_t blockBytes = 1 << 20;

/// What of a file goes in.
struct Source
{
    fs::path path;
    std::int64_t offset = 0;
    BundleFile file;
};

/// Hands the file's bytes on block by block. Throws Error if it is shorter than it was.
void readAll(const Source& source, const std::function<void(std::span<const std::uint8_t>)>& use)
{
    std::ifstream in(source.path, std::ios::binary);
    in.seekg(source.offset);
    std::vector<std::uint8_t> block(blockBytes);
    for (std::int64_t left = source.file.bytes; left > 0;) {
        const auto wanted = std::min<std::int64_t>(left, std::int64_t(block.size()));
        if (!in.read(reinterpret_cast<char*>(block.data()), wanted))
            throw Error(tried, source.path.string() + ": it cannot be read", "try again");
        use(std::span(block).first(std::size_t(wanted)));
        left -= wanted;
    }
}

void addSource(std::vector<Source>& sources, const fs::path& path)
{
    std::error_code code;
    if (fs::symlink_status(path, code).type() != fs::file_type::regular)
        return;
    Source source{
        path, 0, {path.filename().string(), std::int64_t(fs::file_size(path, code)), 0, 0}};
    if (code)
        throw Error(tried, path.string() + ": " + code.message());
    if (path.filename() == "stderr.log") {
        source.offset = std::max<std::int64_t>(0, source.file.bytes - bundle::mostLogBytes);
        source.file.bytes -= source.offset;
    }
    readAll(source, [&](std::span<const std::uint8_t> block) {
        source.file.crc32 = crc32(block, source.file.crc32);
    });
    if (rankOfRecord(source.file.name) >= 0)
        source.file.torn = tornBytes(path);
    sources.push_back(std::move(source));
}

std::vector<Source> sourcesOf(const RunDirectory& run)
{
    std::vector<Source> sources;
    addSource(sources, run.path() / "run.json");
    addSource(sources, run.path() / "state.json");
    const int ranks = run.plan().layout.ranks();
    for (int rank = 0; rank < ranks; ++rank)
        addSource(sources, run.recordFile(Rank(rank)));
    for (const char* name : {"stderr.log", "notes.json", "marks.json", "view.json", "pruned.json"})
        addSource(sources, run.path() / name);
    return sources;
}

} // namespace

void exportBundle(const RunDirectory& run, const fs::path& file, const BundleProgress& progress)
{
    if (!isFinal(run.status().state))
        throw Error(tried, run.id() + ": it has not ended", "wait for its end, or stop it");
    const std::vector<Source> sources = sourcesOf(run);
    BundleManifest manifest{run.id(), {}};
    for (const Source& source : sources)
        manifest.files.push_back(source.file);
    checkManifest(manifest, tried, run.id());
    ArchiveWriter archive(file);
    const std::string head = textOf(manifest);
    archive.begin(manifestName, std::int64_t(head.size()));
    archive.write({reinterpret_cast<const std::uint8_t*>(head.data()), head.size()});
    std::int64_t done = 0;
    for (const Source& source : sources) {
        archive.begin(source.file.name, source.file.bytes);
        std::uint32_t sum = 0;
        readAll(source, [&](std::span<const std::uint8_t> block) {
            sum = crc32(block, sum);
            archive.write(block);
            done += std::int64_t(block.size());
            if (progress && !progress(done, manifest.bytes()))
                throw Error(tried, run.id() + ": it was stopped");
        });
        if (sum != source.file.crc32)
            throw Error(tried, source.path.string() + ": it changed meanwhile", "try again");
    }
    archive.finish();
}

} // namespace triaxis
