#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace triaxis
{

/// Holds a file for one process, on whichever host that sees it, until the object or the process
/// ends, however it ends (flock). Two objects of one process exclude each other as well.
class FileLock
{
public:
    /// Does not wait. None where another holds the file, or it cannot be made or locked. The file
    /// is made where it is not there, and stays; it says who holds it.
    static std::optional<FileLock> tryTake(const std::filesystem::path& path);
    /// "process 4711 on node3": who held a file last; empty where that is not known.
    static std::string holderOf(const std::filesystem::path& path);

    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();

private:
    explicit FileLock(int file) : m_file(file) {}
    int m_file;
};

} // namespace triaxis
