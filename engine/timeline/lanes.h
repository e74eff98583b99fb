#pragma once

#include "engine/layout/layout.h"
#include "engine/timeline/span.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// What a span is painted as.
enum class Category : std::uint8_t {
    Forward,
    Backward,
    WeightGradient,
    Tensor,
    Pipeline,
    Data,
    Optimizer,
    Wait,
    Idle
};
inline constexpr int categoryCount = 9;
Category categoryOf(Kind kind);
const char* toText(Category category);

/// Seconds of each category.
using CategorySeconds = std::array<double, categoryCount>;

/// One painted track: spans in time order that do not overlap, with prefix sums for exact shares of any range.
/// Append-only, so that a live run can be followed; what is there stays where it is, so that an append costs the same after
/// hours as at the start.
class Track
{
public:
    Track() = default;
    Track(const Track& other);
    Track(Track&& other) noexcept;
    Track& operator=(Track other) noexcept;
    ~Track() = default;

    /// Clips what lies before the end of the last span; leaves out what is then empty or is not finite.
    void append(double begin, double end, Category category, InstructionId id, std::int32_t step, double tensorWait = 0,
                double tensorTransfer = 0, std::int64_t amount = 0);

    std::size_t size() const { return m_size; }
    double begin(std::size_t i) const { return block(i).begin[i % blockSpans]; }
    double end(std::size_t i) const { return block(i).end[i % blockSpans]; }
    Category category(std::size_t i) const { return block(i).category[i % blockSpans]; }
    InstructionId id(std::size_t i) const { return block(i).id[i % blockSpans]; }
    std::int32_t step(std::size_t i) const { return block(i).step[i % blockSpans]; }
    /// Seconds of a compute span that went into its tensor collectives.
    double tensorWait(std::size_t i) const { return double(block(i).tensorWait[i % blockSpans]); }
    double tensorTransfer(std::size_t i) const { return double(block(i).tensorTransfer[i % blockSpans]); }
    /// FLOPs of a compute span, bytes of a piece of a stream; 0 on the track of all communication.
    std::int64_t amount(std::size_t i) const { return block(i).amount[i % blockSpans]; }
    /// First span that ends after `time`.
    std::size_t lowerBound(double time) const { return lowerBound(time, 0, m_size); }
    /// The same, found quickly where the answer is `from` or a little later.
    std::size_t lowerBound(double time, std::size_t from) const;
    /// Exact seconds of each category within [from, to); idle is the rest. O(log n).
    CategorySeconds shares(double from, double to) const;
    /// Seconds of each category before `time`; idle is not counted. O(log n).
    CategorySeconds before(double time) const { return before(time, lowerBound(time)); }
    /// The same where `at`, the lowerBound of `time`, is known already.
    CategorySeconds before(double time, std::size_t at) const;
    /// Adds the seconds of each category within [from, to) to `sums`, idle not counted. `span` is the lowerBound of `from` and
    /// becomes that of `to`, so that a walk over columns of pixels costs no search.
    void addShares(double from, double to, std::size_t& span, CategorySeconds& sums) const;

private:
    static constexpr std::size_t blockSpans = 32;
    struct Block
    {
        CategorySeconds before{}; ///< the first span
        std::array<double, blockSpans> begin, end;
        std::array<std::int64_t, blockSpans> amount;
        std::array<InstructionId, blockSpans> id;
        std::array<std::int32_t, blockSpans> step;
        std::array<float, blockSpans> tensorWait, tensorTransfer;
        std::array<Category, blockSpans> category;
    };
    const Block& block(std::size_t i) const { return *m_blocks[i / blockSpans]; }
    std::size_t lowerBound(double time, std::size_t low, std::size_t high) const;

    std::vector<std::unique_ptr<Block>> m_blocks;
    std::size_t m_size = 0;
};

/// What one communication lane of a rank did.
struct StreamTrack
{
    Lane lane = Lane::Data;
    Track track;
};

/// The tracks of a rank: compute above, communication below (waits hatched and calm, then the transfer).
struct RankTracks
{
    Rank rank;
    Coordinates at;
    Track compute;
    Track communication;              ///< of all streams, one thing at a time
    std::vector<StreamTrack> streams; ///< one by one, in the order of Lane; those that had spans
};

/// All ranks of a run, grouped by replica, then stage, then tensor. Follows a live run by append().
class Lanes
{
public:
    explicit Lanes(const Layout& layout);
    /// Lanes of a few ranks of a larger layout: `ranks` [rank of `layout`] says which each is there. Spans, laneOf() and labels
    /// go by those; coordinates stay those of `layout`. Ranks differ and are not negative; what is missing keeps its own.
    Lanes(const Layout& layout, const std::vector<Rank>& ranks);
    /// Spans of whole steps, paired, in any order within the batch. Later batches hold later steps of a rank; what overlaps
    /// what is there already is clipped. Spans of ranks outside the layout, and times that are not finite, are left out.
    /// The communication track shows one thing at a time: a transfer before a wait, the one that began first before others.
    void append(const std::vector<Span>& spans);

    /// Times are no seconds but shares of `whole`, and are told in percent of it; 0: seconds.
    void setWhole(double whole) { m_whole = whole; }
    double whole() const { return m_whole; }
    /// A length of time for people: "12.3 ms", or "4.1 %" of the whole.
    std::string timeText(double time) const;

    const Layout& layout() const { return m_layout; }
    const std::vector<RankTracks>& ranks() const { return m_ranks; } ///< in display order
    /// Where a rank stands in ranks(); none for a rank outside the layout.
    std::optional<std::size_t> laneOf(Rank rank) const;
    /// Streams that some rank has, in the order of Lane.
    std::vector<Lane> streams() const;
    double begin() const;
    double end() const;
    /// [first, last] step that has spans; {0, −1} when empty.
    std::pair<std::int32_t, std::int32_t> steps() const;
    /// Every step that has spans, in order, with its begin and end over all ranks.
    const std::vector<std::pair<std::int32_t, std::pair<double, double>>>& stepRanges() const { return m_stepRanges; }
    /// Begin and end of a step over all ranks; {0, 0} if it has no spans.
    std::pair<double, double> stepRange(std::int32_t step) const;

private:
    Layout m_layout;
    double m_whole = 0;
    std::vector<RankTracks> m_ranks;
    std::vector<std::size_t> m_laneOf; ///< [rank]
    std::vector<std::pair<std::int32_t, std::pair<double, double>>> m_stepRanges;
};

} // namespace triaxis
