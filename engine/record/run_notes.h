#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// What a person keeps with a run, beside what the run itself wrote. Travels with the directory.
struct RunNotes
{
    std::optional<std::string> label; ///< instead of the plan's
    std::vector<std::string> tags;    ///< sorted, each once
    std::string note;                 ///< any number of lines
    bool starred = false;
    std::string deletedUtc;  ///< when the run was moved to the trash; means something only there
    std::string importedUtc; ///< ISO 8601; empty: the run was made here
    std::string importedId;  ///< what the run was called where it was made
    bool operator==(const RunNotes&) const = default;
};

inline constexpr std::size_t longestTag = 64; ///< bytes
inline constexpr std::size_t mostTags = 64;
inline constexpr std::size_t longestLabel = 512;
inline constexpr std::size_t longestNote = 64 << 10;

/// notes.json of a run directory; nothing noted where there is no such file. Throws Error for a file that is damaged or of a later
/// version: it must not be written over then.
RunNotes readNotes(const std::filesystem::path& directory);
/// Replaces notes.json atomically. Throws Error; then the old file is as it was.
void writeNotes(const std::filesystem::path& directory, const RunNotes& notes);

/// The same with tags trimmed, sorted and each once. Throws Error for what is too long, and for tags that are empty or hold commas
/// or control characters.
RunNotes checkedNotes(RunNotes notes);

/// Changes whenever notes.json is replaced; 0 without one.
std::int64_t notesStamp(const std::filesystem::path& directory);

} // namespace triaxis
