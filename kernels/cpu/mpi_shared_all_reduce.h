#pragma once

#include "kernels/cpu/mpi_all_reduce.h"
#include "kernels/cpu/mpi_shared_segment.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace triaxis::kernels::mpi
{

/// All-reduces of a group on one host through shared memory. Each member has a ring of a few slots
/// that it alone writes. Small pieces: each member copies the piece into its slot and adds up the
/// slots of all by itself. Larger ones: each copies the segments of the others into its slot;
/// member i adds up the i-th segment of all slots and puts the result into its own slot, too; each
/// copies the results out of the slots. A member goes through three stages with each piece, and
/// tells for each how many pieces it has finished.
class SharedAllReduces final : public AllReduces
{
public:
    static constexpr std::size_t largestExchange = 8 * 1024;
    static constexpr std::size_t largestExchangeOfTwo = 64 * 1024;
    static constexpr int slots = 4;

    static std::size_t slotBytes(int members);
    static std::size_t partBytes(int members);

    SharedAllReduces(std::shared_ptr<Session> session, std::unique_ptr<SharedSegment> segment,
                     int rank, std::vector<int> members);

    bool advance() override;
    bool willBeRung() const override { return m_rung; }

private:
    /// One of the three stages of a member.
    struct alignas(128) Stage
    {
        std::atomic<std::int64_t> pieces; ///< that it has finished
        MemberHeader headers[slots];      ///< of the first stage: of the pieces in the slots
    };
    /// The head of a member's part; lines apart, so that ranks that look at one stage do not slow
    /// down the writing of another.
    struct Progress
    {
        Stage copied, reduced, finished;
    };
    static_assert(std::atomic<std::int64_t>::is_always_lock_free);

    Progress& progress(int member) const;
    char* slot(int member, std::int64_t piece) const;
    Piece& piece(std::int64_t index);
    bool exchanged(const Piece& piece) const;

    std::int64_t fewest(Stage Progress::*stage) const;
    void tell(Stage Progress::*stage, std::int64_t pieces);
    void tellFinished();
    void ring(int member);
    bool copyNext();
    bool reduceNext();
    bool finishNext();
    void meetAll(const Piece& piece);
    void reduceWhole(const Piece& piece);
    void reduceOwnSegment(const Piece& piece);

    std::unique_ptr<SharedSegment> m_segment;
    std::vector<int> m_members; ///< their ranks in the world
    bool m_rung = true;
    std::size_t m_slotBytes;
    std::vector<const void*> m_sources;
    std::deque<Piece> m_pieces; ///< copied and not yet finished
    std::int64_t m_copied = 0;
    std::int64_t m_reduced = 0;
    std::int64_t m_finished = 0;
    std::int64_t m_roomUntil = 0; ///< pieces that may be copied, as far as is known
};

} // namespace triaxis::kernels::mpi
