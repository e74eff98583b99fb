#include "storage/move_directory.h"

#include "engine/core/error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

int renameWithoutReplacing(const fs::path& from, const fs::path& to)
{
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    // A file system that cannot promise it: a folder with something in it is never replaced either.
    std::error_code code;
    if (fs::exists(fs::symlink_status(to, code)))
        return EEXIST;
    return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

void synchronise(const fs::path& directory)
{
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

} // namespace

bool moveDirectory(const fs::path& from, const fs::path& to, const char* tried)
{
    std::error_code made;
    fs::create_directories(to.parent_path(), made);
    const int code = made ? made.value() : renameWithoutReplacing(from, to);
    if (code == EEXIST || code == ENOTEMPTY)
        return false;
    if (code != 0)
        throw Error(tried, from.string() + ": " + std::strerror(code),
                    "check the permissions of " + to.parent_path().string());
    synchronise(to.parent_path());
    synchronise(from.parent_path());
    return true;
}

std::int64_t directoryBytes(const fs::path& directory)
{
    std::int64_t bytes = 0;
    std::error_code code;
    for (fs::recursive_directory_iterator entry(directory, code), end; !code && entry != end;
         entry.increment(code)) {
        std::error_code unknown;
        if (entry->symlink_status(unknown).type() != fs::file_type::regular)
            continue;
        const auto size = entry->file_size(unknown);
        bytes += unknown ? 0 : std::int64_t(size);
    }
    return bytes;
}

} // namespace triaxis
