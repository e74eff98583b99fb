#pragma once

#include <filesystem>

namespace triaxis
{

/// Holds a folder against other programs that ask for it; let go of when the process ends, however it ends.
class DirectoryLock
{
public:
    DirectoryLock() = default;
    /// Waits for it. Throws Error if there is no such folder.
    static DirectoryLock wait(const std::filesystem::path& directory);
    /// Holds nothing if another process has it or there is no such folder.
    static DirectoryLock tryNow(const std::filesystem::path& directory);
    ~DirectoryLock();
    DirectoryLock(DirectoryLock&& other) noexcept;
    DirectoryLock& operator=(DirectoryLock&& other) noexcept;

    explicit operator bool() const { return m_descriptor >= 0; }
    /// The folder is still there under the name that it was locked by.
    bool holds(const std::filesystem::path& directory) const;

private:
    explicit DirectoryLock(int descriptor) : m_descriptor(descriptor) {}
    int m_descriptor = -1;
};

} // namespace triaxis
