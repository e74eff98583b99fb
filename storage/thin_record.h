#pragma once

#include "engine/core/ids.h"

#include <cstdint>
#include <filesystem>

namespace triaxis
{

/// A whole Spans frame that only says how many spans were dropped: header, step, rank, dropped, count.
inline constexpr std::int64_t emptySpansBytes = 16 + 4 * 4;

/// Writes a record file anew without the spans and slots of all steps but `kept`; for each of these a frame says how many spans
/// were dropped. All other frames, and damage, stay as they are. `scratch`: where the new file is made, on the same file system; it
/// takes the old one's place when it is whole. Returns the bytes freed; 0: nothing was to be dropped. Throws Error; then the old
/// file is as it was.
std::int64_t thinRecord(const std::filesystem::path& file, Rank rank, std::int32_t kept,
                        const std::filesystem::path& scratch);

} // namespace triaxis
