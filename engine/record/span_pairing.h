#pragma once

#include "engine/layout/layout.h"
#include "engine/record/run_plan.h"
#include "engine/schedule/program.h"
#include "engine/timeline/span.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace triaxis
{

/// Who takes part in each transfer and collective of a plan, worked out once, so that the spans of
/// a live run can be paired batch by batch.
class SpanPairing
{
public:
    /// Throws Error if the plan has no program.
    explicit SpanPairing(const RunPlan& plan);

    /// Sets `begin` of transfers and collectives to the latest ready of all partners, within the
    /// span's own [ready, end]. Where partners are missing (their rank died, or the batch ends
    /// before them), what this rank knew itself counts, too. A receive that was over before its
    /// consumer waited (end < ready) took from the sender's ready to its end, and nobody waited:
    /// `ready` becomes `begin`. Afterwards ready ≤ begin ≤ end everywhere. A send ends when its
    /// receiver has everything, if the sender noticed later. Other spans, and those of ranks or
    /// instructions that the plan does not have, are left alone.
    void pair(std::vector<Span>& spans) const;

private:
    /// One transfer or collective: all partners' spans have the same.
    struct Meeting
    {
        std::int32_t step = 0;
        int root = 0; ///< rank: the sender, or the first of the group
        InstructionId id;
        int members = 0; ///< how many spans belong to it
        bool operator==(const Meeting& other) const
        {
            return step == other.step && root == other.root && id == other.id;
        }
    };
    struct MeetingHash
    {
        std::size_t operator()(const Meeting& meeting) const noexcept;
    };
    struct Gathered
    {
        std::optional<double> latestReady; ///< of the partners that somebody could wait for
        int spans = 0;
        std::optional<double> received; ///< transfers: when the receiver had everything
    };
    struct Source
    {
        int stage = 0;
        InstructionId id;
    };

    /// Chunks that hold the same part of the model: one, or two in a bidirectional schedule.
    struct Twins
    {
        int stage = 0; ///< of the first
        Chunk chunk;   ///< on that stage
        int count = 0;
    };

    void findTwins(const Program& program);
    /// False for a span that meets nobody.
    bool meetingOf(const Span& span, Meeting& meeting) const;
    bool gradientMeeting(const Coordinates& at, Meeting& meeting) const;
    bool receiveMeeting(const Coordinates& at, Meeting& meeting) const;

    Layout m_layout;
    std::vector<std::vector<Twins>> m_twins; ///< [stage][chunk]
    std::vector<Coordinates> m_coordinates;                          ///< [rank]
    std::vector<std::unordered_map<std::uint64_t, Source>> m_source; ///< [stage] of each receive
    std::unordered_map<std::uint64_t, int> m_tiedStages; ///< stages that run each TiedReduce
};

} // namespace triaxis
