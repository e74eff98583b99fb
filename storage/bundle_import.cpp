#include "storage/bundle.h"

#include "engine/core/error.h"
#include "engine/core/json_fields.h"
#include "engine/record/crc32.h"
#include "engine/record/run_arrangement.h"
#include "engine/record/run_json.h"
#include "engine/record/run_marks.h"
#include "engine/record/run_notes.h"
#include "engine/record/small_file.h"
#include "engine/record/utc.h"
#include "storage/archive_file.h"
#include "storage/bundle_manifest.h"
#include "storage/pruned_file.h"
#include "storage/run_places.h"
#include "storage/same_run.h"
#include "storage/staging.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

constexpr const char* tried = "cannot import the bundle";
constexpr std::size_t blockBytes = 1 << 20;

/// A file that was not there before; what is written reaches the disk before the object is closed.
class NewFile
{
public:
    explicit NewFile(fs::path path)
        : m_path(std::move(path)),
          m_descriptor(
              ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644))
    {
        if (m_descriptor < 0)
            fail(errno);
    }
    ~NewFile()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(std::span<const std::uint8_t> data)
    {
        while (!data.empty()) {
            const ssize_t written = ::write(m_descriptor, data.data(), data.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written <= 0)
                fail(written < 0 ? errno : ENOSPC);
            data = data.subspan(std::size_t(written));
        }
    }
    void finish()
    {
        if (::fsync(m_descriptor) != 0)
            fail(errno);
    }

private:
    [[noreturn]] void fail(int code) const
    {
        throw Error(tried, m_path.filename().string() + ": " + std::strerror(code),
                    "nothing was imported; make room on the disk, and check the permissions of "
                    "TRIAXIS_HOME");
    }

    fs::path m_path;
    int m_descriptor;
};

class Importer
{
public:
    Importer(const fs::path& home, const fs::path& file, const BundleProgress& progress)
        : m_home(home), m_file(file), m_progress(progress), m_archive(file)
    {
    }

    ImportedRun run();

private:
    void readManifest();
    void checkRoom() const;
    void unpack(const fs::path& directory);
    void unpackFile(const fs::path& directory, const BundleFile& file);
    void checkContent(const fs::path& directory) const;
    void checkState(const fs::path& directory) const;
    ImportedRun place(const Staging& staging, const fs::path& directory) const;

    fs::path m_home;
    fs::path m_file;
    const BundleProgress& m_progress;
    ArchiveReader m_archive;
    BundleManifest m_manifest;
    std::int64_t m_done = 0;
    std::vector<std::uint8_t> m_block = std::vector<std::uint8_t>(blockBytes);
};

void Importer::readManifest()
{
    const auto entry = m_archive.next();
    if (!entry || !entry->regular || entry->name != manifestName)
        m_archive.refuse("it is no bundle of a run");
    if (entry->bytes > bundle::mostManifestBytes)
        m_archive.refuse("its list of files is too long");
    std::string text;
    while (const std::size_t got = m_archive.read(m_block)) {
        text.append(reinterpret_cast<const char*>(m_block.data()), got);
        if (std::int64_t(text.size()) > entry->bytes)
            m_archive.refuse("its list of files is longer than it says");
    }
    m_manifest = manifestFromText(text, m_archive.compressedBytes(), tried, m_file.string());
}

void Importer::checkRoom() const
{
    std::error_code code;
    const fs::space_info space = fs::space(m_home, code);
    if (!code && std::uintmax_t(m_manifest.bytes()) > space.available)
        throw Error(tried,
                    m_file.string() + ": it needs " + std::to_string(m_manifest.bytes()) + " bytes",
                    "nothing was imported; make room on the disk");
}

void Importer::unpackFile(const fs::path& directory, const BundleFile& file)
{
    const auto entry = m_archive.next();
    if (!entry || entry->name != file.name || !entry->regular || entry->bytes != file.bytes)
        m_archive.refuse("its content is not what it lists: " + file.name);
    NewFile out(directory / file.name);
    std::int64_t bytes = 0;
    std::uint32_t sum = 0;
    while (const std::size_t got = m_archive.read(m_block)) {
        const auto data = std::span<const std::uint8_t>(m_block).first(got);
        bytes += std::int64_t(got);
        if (bytes > file.bytes)
            m_archive.refuse(file.name + " is longer than it says");
        sum = crc32(data, sum);
        out.write(data);
        m_done += std::int64_t(got);
        if (m_progress && !m_progress(m_done, m_manifest.bytes()))
            throw Error(tried, m_file.string() + ": it was stopped", "nothing was imported");
    }
    if (bytes != file.bytes || sum != file.crc32)
        m_archive.refuse(file.name + " is damaged");
    out.finish();
}

void Importer::unpack(const fs::path& directory)
{
    for (const BundleFile& file : m_manifest.files)
        unpackFile(directory, file);
    if (m_archive.next())
        m_archive.refuse("it has files that it does not list");
}

void Importer::checkState(const fs::path& directory) const
{
    const auto text = readSmallFile(directory / "state.json", bundle::mostNoteBytes);
    std::string host;
    const RunStatus status =
        statusFromJson(parseJson(text.value_or(""), tried, "state.json"), host);
    if (!isFinal(status.state))
        m_archive.refuse("the run had not ended");
}

void Importer::checkContent(const fs::path& directory) const
{
    try {
        const RunPlan plan = RunDirectory::open(directory).plan();
        checkState(directory);
        readNotes(directory);
        readMarks(directory);
        if (fs::exists(directory / "pruned.json") && !readPruned(directory))
            m_archive.refuse("pruned.json is damaged");
        readArrangement(directory, plan.layout);
        for (const BundleFile& file : m_manifest.files) {
            const int rank = rankOfRecord(file.name);
            if (rank >= plan.layout.ranks())
                m_archive.refuse("the run has no " + file.name);
            if (rank >= 0 && tornBytes(directory / file.name) != file.torn)
                m_archive.refuse(file.name + " has damaged frames");
        }
    } catch (const Error& error) {
        if (error.tried() == tried)
            throw;
        throw Error(tried, m_file.string() + ": " + error.object(),
                    "nothing was imported; ask for the bundle again");
    }
}

ImportedRun Importer::place(const Staging& staging, const fs::path& directory) const
{
    constexpr int mostCopies = 10000;
    for (int copy = 1; copy <= mostCopies; ++copy) {
        const std::string id =
            copy == 1 ? m_manifest.run : m_manifest.run + "-" + std::to_string(copy);
        const fs::path kept = runPlace(m_home, id, false);
        const fs::path deleted = runPlace(m_home, id, true);
        std::error_code code;
        if (fs::exists(fs::symlink_status(deleted, code))) {
            if (!isSameRun(directory, deleted))
                continue;
            moveFromTrash(m_home, RunDirectory::open(deleted));
            return {id, ImportOutcome::Restored, "the same run was in the trash; it was restored"};
        }
        if (!fs::exists(fs::symlink_status(kept, code)) && staging.publish(directory, kept, tried))
            return {id, copy == 1 ? ImportOutcome::Imported : ImportOutcome::Renamed,
                    copy == 1
                        ? ""
                        : "another run has the id " + m_manifest.run + "; this one became " + id};
        if (isSameRun(directory, kept))
            return {id, ImportOutcome::Known, "the same run is here already; nothing was changed"};
    }
    m_archive.refuse("there are too many runs of its id");
}

ImportedRun Importer::run()
{
    readManifest();
    Staging::sweep(m_home);
    const Staging staging(m_home);
    checkRoom();
    const fs::path directory = staging.path() / "run";
    std::error_code code;
    fs::create_directory(directory, code);
    unpack(directory);
    checkContent(directory);
    RunNotes notes = readNotes(directory);
    notes.deletedUtc.clear();
    notes.importedUtc = utcText(unixTime());
    notes.importedId = m_manifest.run;
    writeNotes(directory, notes);
    return place(staging, directory);
}

} // namespace

ImportedRun importBundle(const fs::path& home, const fs::path& file, const BundleProgress& progress)
{
    return Importer(fs::absolute(home), fs::absolute(file), progress).run();
}

} // namespace triaxis
