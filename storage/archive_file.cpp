#include "storage/archive_file.h"

#include "engine/core/error.h"

#include <archive.h>
#include <archive_entry.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace triaxis
{
namespace
{

constexpr std::size_t blockBytes = 256 << 10;

std::string reasonOf(archive* handle)
{
    if (handle != nullptr && archive_errno(handle) == ENOSPC)
        return std::strerror(ENOSPC);
    const char* text = handle == nullptr ? nullptr : archive_error_string(handle);
    return text == nullptr ? "it is no bundle" : text;
}

struct FreeEntry
{
    void operator()(archive_entry* entry) const noexcept { archive_entry_free(entry); }
};

} // namespace

void ArchiveWriter::Free::operator()(archive* handle) const noexcept
{
    archive_write_free(handle);
}

ArchiveWriter::ArchiveWriter(std::filesystem::path file) : m_file(std::move(file))
{
    m_part = m_file;
    m_part += ".part" + std::to_string(::getpid());
    m_descriptor = ::open(m_part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (m_descriptor < 0)
        throw Error("cannot write the bundle", m_file.string() + ": " + std::strerror(errno),
                    "choose another place for it");
    m_archive.reset(archive_write_new());
    if (!m_archive || archive_write_add_filter_zstd(m_archive.get()) != ARCHIVE_OK ||
        archive_write_set_format_pax_restricted(m_archive.get()) != ARCHIVE_OK ||
        archive_write_open_fd(m_archive.get(), m_descriptor) != ARCHIVE_OK)
        fail();
}

ArchiveWriter::~ArchiveWriter()
{
    m_archive.reset();
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    if (!m_part.empty())
        ::unlink(m_part.c_str());
}

void ArchiveWriter::fail() const
{
    throw Error("cannot write the bundle", m_file.string() + ": " + reasonOf(m_archive.get()),
                "make room on the disk, or choose another place for it");
}

void ArchiveWriter::begin(const std::string& name, std::int64_t bytes)
{
    const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_size(entry.get(), bytes);
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_mtime(entry.get(), 0, 0);
    if (archive_write_header(m_archive.get(), entry.get()) != ARCHIVE_OK)
        fail();
}

void ArchiveWriter::write(std::span<const std::uint8_t> data)
{
    if (archive_write_data(m_archive.get(), data.data(), data.size()) != la_ssize_t(data.size()))
        fail();
}

void ArchiveWriter::finish()
{
    if (archive_write_close(m_archive.get()) != ARCHIVE_OK)
        fail();
    m_archive.reset();
    if (::fsync(m_descriptor) != 0 || ::rename(m_part.c_str(), m_file.c_str()) != 0)
        throw Error("cannot write the bundle", m_file.string() + ": " + std::strerror(errno),
                    "choose another place for it");
    m_part.clear();
}

void ArchiveReader::Free::operator()(archive* handle) const noexcept
{
    archive_read_free(handle);
}

ArchiveReader::ArchiveReader(std::filesystem::path file) : m_file(std::move(file))
{
    // A pipe would hang the reader.
    m_descriptor = ::open(m_file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat info
    {
    };
    if (m_descriptor < 0 || ::fstat(m_descriptor, &info) != 0) {
        const int code = errno;
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        throw Error("cannot import the bundle", m_file.string() + ": " + std::strerror(code),
                    "give a file made by triaxis bundle");
    }
    m_compressed = info.st_size;
    m_archive.reset(archive_read_new());
    const bool opened = S_ISREG(info.st_mode) && m_archive &&
                        archive_read_support_filter_zstd(m_archive.get()) == ARCHIVE_OK &&
                        archive_read_support_format_tar(m_archive.get()) == ARCHIVE_OK &&
                        archive_read_open_fd(m_archive.get(), m_descriptor, blockBytes) == ARCHIVE_OK;
    if (!opened) {
        const std::string why = S_ISREG(info.st_mode) ? reasonOf(m_archive.get()) : "it is no regular file";
        m_archive.reset();
        ::close(m_descriptor);
        refuse(why);
    }
}

ArchiveReader::~ArchiveReader()
{
    m_archive.reset();
    ::close(m_descriptor);
}

void ArchiveReader::refuse(const std::string& why) const
{
    throw Error("cannot import the bundle", m_file.string() + ": " + why,
                "nothing was imported; ask for the bundle again");
}

std::optional<ArchiveEntry> ArchiveReader::next()
{
    archive_entry* entry = nullptr;
    const int code = archive_read_next_header(m_archive.get(), &entry);
    if (code == ARCHIVE_EOF)
        return std::nullopt;
    if (code != ARCHIVE_OK)
        refuse(reasonOf(m_archive.get()));
    const char* name = archive_entry_pathname(entry);
    return ArchiveEntry{name == nullptr ? "" : name, archive_entry_size(entry),
                        archive_entry_filetype(entry) == AE_IFREG &&
                            archive_entry_hardlink(entry) == nullptr &&
                            archive_entry_symlink(entry) == nullptr &&
                            archive_entry_size_is_set(entry) != 0};
}

std::size_t ArchiveReader::read(std::span<std::uint8_t> into)
{
    const la_ssize_t got = archive_read_data(m_archive.get(), into.data(), into.size());
    if (got < 0)
        refuse(reasonOf(m_archive.get()));
    return std::size_t(got);
}

} // namespace triaxis
