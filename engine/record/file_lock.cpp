#include "engine/record/file_lock.h"

#include "engine/record/process_info.h"

#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace triaxis
{

std::optional<FileLock> FileLock::tryTake(const std::filesystem::path& path)
{
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return std::nullopt;
    FileLock lock(file);
    if (::flock(file, LOCK_EX | LOCK_NB) != 0)
        return std::nullopt;
    const std::string holder = "process " + std::to_string(::getpid()) + " on " + hostName();
    if (::ftruncate(file, 0) == 0 && ::pwrite(file, holder.data(), holder.size(), 0) < 0)
        (void)::ftruncate(file, 0); // it is held, though it does not say by whom
    return lock;
}

std::string FileLock::holderOf(const std::filesystem::path& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

FileLock::FileLock(FileLock&& other) noexcept : m_file(std::exchange(other.m_file, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept
{
    std::swap(m_file, other.m_file);
    return *this;
}

FileLock::~FileLock()
{
    if (m_file >= 0)
        ::close(m_file);
}

} // namespace triaxis
