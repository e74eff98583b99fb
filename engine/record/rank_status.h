#pragma once

#include "engine/schedule/instruction.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace triaxis
{

/// A few bytes of memory-mapped file that a rank updates at every instruction without a system call, so that the
/// launcher can say what each rank was doing when nothing moves any more, even if the rank is stopped or dead.
class RankStatusWriter
{
public:
    /// Space is allocated beforehand; throws Error on a full disk.
    explicit RankStatusWriter(const std::filesystem::path& file, int pid);
    ~RankStatusWriter();
    RankStatusWriter(const RankStatusWriter&) = delete;
    RankStatusWriter& operator=(const RankStatusWriter&) = delete;

    void begin(int step, InstructionId id) noexcept; ///< the instruction that runs now, or is waited for
    void finished() noexcept;                        ///< one more instruction has completed

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

struct RankStatus
{
    int pid = 0;
    std::int64_t startTime = 0;  ///< of that pid (/proc/PID/stat field 22), guards against reuse
    std::string host;            ///< where that pid means something
    std::int32_t step = 0;
    InstructionId current;
    std::uint64_t finished = 0;  ///< instructions completed since the start
};

/// Nothing if the file is not there yet.
std::optional<RankStatus> readRankStatus(const std::filesystem::path& file);

} // namespace triaxis
