#include "engine/record/small_file.h"

#include "engine/core/error.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace triaxis
{
namespace
{

class Descriptor
{
public:
    Descriptor(const std::filesystem::path& path, int flags)
        : m_value(::open(path.c_str(), flags | O_CLOEXEC, 0644))
    {
    }
    ~Descriptor()
    {
        if (m_value >= 0)
            ::close(m_value);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int value() const { return m_value; }
    explicit operator bool() const { return m_value >= 0; }

private:
    int m_value;
};

/// 0, or the errno.
int writeAll(int descriptor, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? errno : ENOSPC;
        content.remove_prefix(std::size_t(written));
    }
    return 0;
}

int writeTemporary(const std::filesystem::path& temporary, const std::string& content)
{
    const Descriptor out(temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (!out)
        return errno;
    if (const int code = writeAll(out.value(), content))
        return code;
    return ::fsync(out.value()) == 0 ? 0 : errno;
}

/// Unique within this process and among those that live.
std::filesystem::path temporaryFor(const std::filesystem::path& file)
{
    static std::atomic<unsigned> counter{0};
    std::string name(1, '.');
    name += file.filename().string();
    name += '.';
    name += std::to_string(::getpid());
    name += '.';
    name += std::to_string(counter++);
    name += ".tmp";
    return file.parent_path() / name;
}

} // namespace

void replaceFile(const std::filesystem::path& file, const std::string& content)
{
    const std::filesystem::path temporary = temporaryFor(file);
    int code = writeTemporary(temporary, content);
    if (code == EEXIST) { // left by a process that died and had our pid
        ::unlink(temporary.c_str());
        code = writeTemporary(temporary, content);
    }
    if (code == 0 && ::rename(temporary.c_str(), file.c_str()) != 0)
        code = errno;
    if (code != 0) {
        ::unlink(temporary.c_str());
        throw Error("cannot write", file.string() + ": " + std::strerror(code),
                    code == ENOSPC ? "make room on the disk"
                                   : "check the permissions of the folder");
    }
    const Descriptor folder(file.parent_path(), O_RDONLY | O_DIRECTORY);
    if (folder)
        ::fsync(folder.value());
}

bool overwriteFile(const std::filesystem::path& file, std::string content)
{
    std::error_code code;
    const auto size = std::filesystem::file_size(file, code);
    if (code)
        return false;
    if (content.size() < size)
        content.append(size - content.size(), ' ');
    const Descriptor out(file, O_WRONLY);
    if (!out)
        return false;
    ssize_t written = -1;
    do {
        written = ::pwrite(out.value(), content.data(), content.size(), 0);
    } while (written < 0 && errno == EINTR);
    return written == ssize_t(content.size());
}

std::optional<std::string> readSmallFile(const std::filesystem::path& file, std::size_t limit)
{
    const Descriptor in(file, O_RDONLY | O_NONBLOCK);
    if (!in) {
        if (errno == ENOENT || errno == ENOTDIR)
            return std::nullopt;
        throw Error("cannot read", file.string() + ": " + std::strerror(errno));
    }
    struct stat info
    {
    };
    if (::fstat(in.value(), &info) != 0 || !S_ISREG(info.st_mode))
        throw Error("cannot read", file.string() + ": it is no regular file");
    std::string content;
    char buffer[64 << 10];
    for (;;) {
        const ssize_t got = ::read(in.value(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            throw Error("cannot read", file.string() + ": " + std::strerror(errno));
        if (got == 0)
            return content;
        content.append(buffer, std::size_t(got));
        if (content.size() > limit)
            throw Error("cannot read",
                        file.string() + ": it is longer than " + std::to_string(limit) + " bytes");
    }
}

} // namespace triaxis
