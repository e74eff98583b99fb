#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace triaxis
{

/// Folders of one launcher's own for the files that Open MPI and the ranks make in /tmp and
/// /dev/shm. They go
/// with this object, so that a job that was killed leaves no shared memory behind; those of
/// launchers that were killed themselves go when the next one is made.
class Scratch
{
public:
    Scratch();
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    /// "NAME=value" settings that make Open MPI and the ranks use the folders; those that could not
    /// be made are left out.
    const std::vector<std::string>& environment() const { return m_environment; }

private:
    void make(const std::filesystem::path& parent, std::vector<std::string> settings);

    std::vector<std::filesystem::path> m_folders;
    std::vector<std::string> m_environment;
};

/// Removes the folders of launchers of this user that are gone from `parent`.
void removeStaleScratch(const std::filesystem::path& parent);

} // namespace triaxis
