#pragma once

#include "storage/directory_lock.h"

namespace triaxis
{

/// A new folder under home/staging that nobody sees: what becomes whole there is moved to its place, all else goes with the object.
/// What a killed process leaves there is swept by the next one.
class Staging
{
public:
    /// Throws Error (full disk, no permission).
    explicit Staging(const std::filesystem::path& home);
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    /// Moves a folder within the staging folder to its place; false if something is there already.
    bool publish(const std::filesystem::path& inside, const std::filesystem::path& place,
                 const char* tried) const;

    /// Removes what no living process holds.
    static void sweep(const std::filesystem::path& home);

private:
    std::filesystem::path m_path;
    DirectoryLock m_lock;
};

} // namespace triaxis
