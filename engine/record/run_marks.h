#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace triaxis
{

/// A note that a person has written to a moment or a stretch of a run.
struct RunMark
{
    double from = 0; ///< seconds since the start of the run
    double to = 0;   ///< = from: a moment
    std::string note;
    bool operator==(const RunMark&) const = default;
};

/// marks.json of a run directory, by time; none where there is no such file. Throws Error for a file that is damaged or of a later
/// version: it must not be written over then.
std::vector<RunMark> readMarks(const std::filesystem::path& directory);
/// Replaces marks.json atomically. Throws Error; then the old file is as it was.
void writeMarks(const std::filesystem::path& directory, const std::vector<RunMark>& marks);

} // namespace triaxis
