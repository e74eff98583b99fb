#include "storage/directory_lock.h"

#include "engine/core/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace triaxis
{
namespace
{

int opened(const std::filesystem::path& directory)
{
    return ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

} // namespace

DirectoryLock DirectoryLock::wait(const std::filesystem::path& directory)
{
    DirectoryLock lock(opened(directory));
    int code = lock ? 0 : errno;
    if (lock)
        while (::flock(lock.m_descriptor, LOCK_EX) != 0 && (code = errno) == EINTR)
            code = 0;
    if (code != 0)
        throw Error("cannot use the folder", directory.string() + ": " + std::strerror(code),
                    "check that it is there and its permissions");
    return lock;
}

DirectoryLock DirectoryLock::tryNow(const std::filesystem::path& directory)
{
    DirectoryLock lock(opened(directory));
    if (lock && ::flock(lock.m_descriptor, LOCK_EX | LOCK_NB) != 0)
        return {};
    return lock;
}

DirectoryLock::~DirectoryLock()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

DirectoryLock& DirectoryLock::operator=(DirectoryLock&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

bool DirectoryLock::holds(const std::filesystem::path& directory) const
{
    struct stat mine
    {
    };
    struct stat named
    {
    };
    return m_descriptor >= 0 && ::fstat(m_descriptor, &mine) == 0 &&
           ::lstat(directory.c_str(), &named) == 0 && mine.st_dev == named.st_dev &&
           mine.st_ino == named.st_ino;
}

} // namespace triaxis
