#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

struct archive;

namespace triaxis
{

/// A tar file compressed with zstd: `tar -xf` opens it anywhere, it is written and read as a stream, without a directory that could
/// say something else than its entries, and records shrink at the speed of the disk. Entries are plain files with short names; all
/// that depends on time and user is left out, so that the same content makes the same bytes.
class ArchiveWriter
{
public:
    /// Writes to a temporary file beside `file`; a file that is there stays until finish(). Throws Error.
    explicit ArchiveWriter(std::filesystem::path file);
    ~ArchiveWriter();
    ArchiveWriter(const ArchiveWriter&) = delete;
    ArchiveWriter& operator=(const ArchiveWriter&) = delete;

    void begin(const std::string& name, std::int64_t bytes);
    void write(std::span<const std::uint8_t> data);
    /// Everything has reached the disk and has the name that was asked for.
    void finish();

private:
    [[noreturn]] void fail() const;

    std::filesystem::path m_file;
    std::filesystem::path m_part;
    int m_descriptor = -1;
    struct Free
    {
        void operator()(archive* handle) const noexcept;
    };
    std::unique_ptr<archive, Free> m_archive;
};

struct ArchiveEntry
{
    std::string name;
    std::int64_t bytes = 0;
    bool regular = false; ///< neither a folder, a link, a device nor something without a stated size
};

class ArchiveReader
{
public:
    /// Throws Error if the file cannot be read or is something else.
    explicit ArchiveReader(std::filesystem::path file);
    ~ArchiveReader();
    ArchiveReader(const ArchiveReader&) = delete;
    ArchiveReader& operator=(const ArchiveReader&) = delete;

    /// The next entry, or none at the end. Throws Error for damage.
    std::optional<ArchiveEntry> next();
    /// The next bytes of the entry; 0 at its end.
    std::size_t read(std::span<std::uint8_t> into);
    std::int64_t compressedBytes() const { return m_compressed; }
    /// Error about this file.
    [[noreturn]] void refuse(const std::string& why) const;

private:
    std::filesystem::path m_file;
    int m_descriptor = -1;
    std::int64_t m_compressed = 0;
    struct Free
    {
        void operator()(archive* handle) const noexcept;
    };
    std::unique_ptr<archive, Free> m_archive;
};

} // namespace triaxis
