#pragma once

#include <filesystem>

namespace triaxis::cli
{

/// A home for runs that only find something out: under the home of Triaxis, gone when it is.
class TrialHome
{
public:
    /// Throws std::filesystem::filesystem_error where nothing can be written there.
    TrialHome();
    ~TrialHome();
    TrialHome(const TrialHome&) = delete;
    TrialHome& operator=(const TrialHome&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace triaxis::cli
