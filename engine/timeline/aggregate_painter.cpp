#include "engine/timeline/aggregate_painter.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double hatchedPixels = 3; // narrower waits are filled: a hatch would not show
constexpr double same = 1e-6;       // pixels

double timeAt(const TrackFrame& frame, double x)
{
    return frame.from + (x - frame.left) * ((frame.to - frame.from) / frame.width);
}

/// Edges of the columns of pixels, the right one of the last included.
std::vector<double> edgesOf(const TrackFrame& frame)
{
    const double right = frame.left + frame.width;
    double x = frame.left;
    std::vector<double> edges{x};
    edges.reserve(std::size_t(frame.width) + 3);
    while (x < right - same) {
        x = std::min(right, std::floor(x + same) + 1);
        edges.push_back(x);
    }
    return edges;
}

bool isEmpty(std::size_t tracks, const TrackFrame& frame)
{
    return tracks == 0 || !(frame.to > frame.from) || !(frame.width > 0);
}

constexpr std::size_t manySpans = 16; ///< of a column; more are jumped over block by block

/// Adds the spans of a track to the columns that they lie in, without a branch that depends on how
/// many lie in each: where spans are about as long as columns are wide, none could be foreseen.
/// `times`: edges of the columns, of which the second is `offset` after the first and all others
/// 1 / `perSecond` apart.
void addSpans(const Track& track, std::size_t first, std::size_t last,
              const std::vector<double>& times, double offset, double perSecond,
              std::vector<CategorySeconds>& columns)
{
    const std::size_t end = columns.size() - 1;
    const auto within = [](double from, double to) { return std::max(0.0, to - from); };
    for (std::size_t span = first; span < last; ++span) {
        const double begins = std::max(track.begin(span), times.front());
        const double ends = std::min(track.end(span), times.back());
        const std::size_t category = std::size_t(track.category(span));
        const double guess = (begins - times.front()) * perSecond + offset;
        std::size_t column = std::min(std::size_t(std::max(0.0, guess)), end);
        // The guess is right but for rounding at the edges.
        column -= std::size_t(column > 0 && times[column] > begins);
        column += std::size_t(column < end && times[column + 1] <= begins);
        columns[column][category] += within(begins, std::min(ends, times[column + 1]));
        std::size_t next = std::min(column + 1, end);
        columns[next][category] += within(times[column + 1], std::min(ends, times[next + 1]));
        while (ends > times[next + 1]) {
            ++next;
            columns[next][category] += std::min(ends, times[next + 1]) - times[next];
        }
    }
}

class AggregatePainter
{
public:
    AggregatePainter(DisplayList& list, std::size_t tracks, const TrackFrame& frame)
        : m_list(list), m_tracks(double(tracks)), m_frame(frame),
          m_scale(frame.width / (frame.to - frame.from))
    {
    }

    void paint(const std::vector<CategorySeconds>& columns)
    {
        const std::vector<double> edges = edgesOf(m_frame);
        for (std::size_t i = 0; i < std::min(columns.size(), edges.size() - 1); ++i)
            addColumn(edges[i], edges[i + 1], columns[i]);
        for (Box& box : m_boxes)
            flush(box);
    }

private:
    /// A rectangle that grows to the right while its edges stay where they are.
    struct Box
    {
        Category category = Category::Idle;
        double left = 0, right = 0, top = 0, height = 0;
        bool open = false;
    };

    void addColumn(double left, double right, const CategorySeconds& own)
    {
        const double whole = (right - left) / m_scale * m_tracks;
        double bottom = m_frame.top + m_frame.height;
        for (std::size_t c = 0; c < std::size_t(Category::Idle); ++c) {
            const double share = std::clamp(own[c] / whole, 0.0, 1.0);
            const double height = share * m_frame.height;
            extend(m_boxes[c], Category(c), left, right, bottom - height, height);
            bottom -= height;
        }
    }

    void extend(Box& box, Category category, double left, double right, double top, double height)
    {
        const bool continues =
            box.open && std::abs(box.top - top) < same && std::abs(box.height - height) < same;
        if (continues) {
            box.right = right;
            return;
        }
        flush(box);
        if (height > same)
            box = {category, left, right, top, height, true};
    }

    void flush(Box& box)
    {
        if (!box.open)
            return;
        box.open = false;
        const bool wait = box.category == Category::Wait;
        m_list.items.emplace_back(
            FillRect{box.left, box.top, box.right - box.left, box.height, inkOf(box.category), 0,
                     wait && box.right - box.left >= hatchedPixels && box.height >= hatchedPixels});
    }

    DisplayList& m_list;
    double m_tracks;
    const TrackFrame& m_frame;
    double m_scale;
    std::array<Box, std::size_t(Category::Idle)> m_boxes{};
};

} // namespace

std::vector<CategorySeconds> aggregateColumns(const std::vector<const Track*>& tracks,
                                              const TrackFrame& frame)
{
    if (isEmpty(tracks.size(), frame))
        return {};
    std::vector<double> times = edgesOf(frame);
    const double offset = times.front() - std::floor(times.front() + same);
    for (double& time : times)
        time = timeAt(frame, time);
    std::vector<CategorySeconds> columns(times.size() - 1);
    const double perSecond = frame.width / (frame.to - frame.from);
    // Track by track, so that each is walked once from its begin to its end.
    for (const Track* track : tracks) {
        std::size_t span = track->lowerBound(times.front());
        const std::size_t last = track->lowerBound(times.back(), span);
        const std::size_t touched =
            last < track->size() && track->begin(last) < times.back() ? last + 1 : last;
        if (touched - span < manySpans * columns.size()) {
            addSpans(*track, span, touched, times, std::max(0.0, offset), perSecond, columns);
            continue;
        }
        for (std::size_t i = 0; i < columns.size(); ++i)
            track->addShares(times[i], times[i + 1], span, columns[i]);
    }
    return columns;
}

void paintAggregate(DisplayList& list, const std::vector<CategorySeconds>& columns,
                    std::size_t tracks, const TrackFrame& frame)
{
    if (!isEmpty(tracks, frame))
        AggregatePainter(list, tracks, frame).paint(columns);
}

void paintAggregate(DisplayList& list, const std::vector<const Track*>& tracks,
                    const TrackFrame& frame)
{
    paintAggregate(list, aggregateColumns(tracks, frame), tracks.size(), frame);
}

} // namespace triaxis
