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
    std::vector<double> edges{frame.left};
    edges.reserve(std::size_t(frame.width) + 3);
    for (double x = std::floor(frame.left + same) + 1; x < right - same; x += 1)
        edges.push_back(x);
    edges.push_back(right);
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

/// The spans that a frame shows a part of.
struct SpanRange
{
    std::size_t first = 0;
    std::size_t last = 0; ///< one past them
};

SpanRange shownSpans(const Track& track, double from, double to)
{
    const std::size_t first = track.lowerBound(from);
    const std::size_t last = track.lowerBound(to, first);
    return {first, last < track.size() && track.begin(last) < to ? last + 1 : last};
}

std::size_t spansWithin(const std::vector<const Track*>& tracks, double from, double to)
{
    std::size_t spans = 0;
    for (const Track* track : tracks) {
        const SpanRange shown = shownSpans(*track, from, to);
        spans += shown.last - shown.first;
    }
    return spans;
}

/// Span by span. The second of the times is 1 − `offset` columns after the first, all others one.
std::vector<CategorySeconds> summedColumns(const std::vector<const Track*>& tracks,
                                           const std::vector<double>& times, double offset)
{
    std::vector<CategorySeconds> columns(times.size() - 1);
    const std::size_t last = columns.size() - 1; // narrower than the others, as the first may be
    const double wide =
        last > 1 ? (times[last] - times[1]) / double(last - 1) : times[1] - times[0];
    // Track by track, so that each is walked once from its begin to its end.
    for (const Track* track : tracks) {
        const SpanRange shown = shownSpans(*track, times.front(), times.back());
        if (shown.last - shown.first < manySpans * columns.size()) {
            addSpans(*track, shown.first, shown.last, times, offset, 1 / wide, columns);
            continue;
        }
        std::size_t span = shown.first;
        for (std::size_t i = 0; i < columns.size(); ++i)
            track->addShares(times[i], times[i + 1], span, columns[i]);
    }
    return columns;
}

class AggregatePainter
{
public:
    AggregatePainter(DisplayList& list, std::vector<ListedColumns>* stacks, std::size_t tracks,
                     const TrackFrame& frame)
        : m_list(list), m_stacks(stacks), m_tracks(double(tracks)), m_frame(frame),
          m_scale(frame.width / (frame.to - frame.from))
    {
    }

    void paint(const std::vector<CategorySeconds>& columns)
    {
        m_edges = edgesOf(m_frame);
        const std::size_t count = std::min(columns.size(), m_edges.size() - 1);
        m_layers.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            m_layers[i] = layersOf(columns[i], m_edges[i + 1] - m_edges[i]);
        std::size_t waiting = 0; // first column that is not painted yet
        for (std::size_t i = 0; m_stacks && i < count;) {
            std::size_t next = i + 1;
            while (next < count && looksTheSame(m_layers[i], m_layers[next]))
                ++next;
            if (m_edges[next] - m_edges[i] >= hatchedPixels) {
                addStack(waiting, i);
                addBoxes(i, next);
                waiting = next;
            }
            i = next;
        }
        if (m_stacks)
            addStack(waiting, count);
        else
            addBoxes(0, count);
    }

private:
    static constexpr std::size_t layerCount = std::size_t(Category::Idle);
    using Layers = std::array<double, layerCount>; ///< pixels of height

    /// A rectangle that grows to the right while its edges stay where they are.
    struct Box
    {
        double left = 0, right = 0, top = 0, height = 0;
        bool open = false;
    };

    Layers layersOf(const CategorySeconds& own, double width) const
    {
        const double perSecond = m_frame.height / (width / m_scale * m_tracks);
        Layers layers{};
        double left = m_frame.height;
        for (std::size_t c = 0; c < layerCount; ++c) {
            layers[c] = std::clamp(own[c] * perSecond, 0.0, left);
            left -= layers[c];
        }
        return layers;
    }

    static bool looksTheSame(const Layers& a, const Layers& b)
    {
        for (std::size_t c = 0; c < layerCount; ++c)
            if (std::abs(a[c] - b[c]) >= same)
                return false;
        return true;
    }

    void addStack(std::size_t first, std::size_t last)
    {
        std::array<bool, layerCount> has{};
        for (std::size_t i = first; i < last; ++i)
            for (std::size_t c = 0; c < layerCount; ++c)
                has[c] = has[c] || m_layers[i][c] > same;
        StackedColumns stack;
        stack.top = m_frame.top;
        stack.height = m_frame.height;
        for (std::size_t c = 0; c < layerCount; ++c)
            if (has[c])
                stack.inks.push_back(inkOf(Category(c)));
        if (stack.inks.empty())
            return;
        stack.edges.assign(m_edges.begin() + std::ptrdiff_t(first),
                           m_edges.begin() + std::ptrdiff_t(last) + 1);
        stack.heights.reserve((last - first) * stack.inks.size());
        for (std::size_t i = first; i < last; ++i)
            for (std::size_t c = 0; c < layerCount; ++c)
                if (has[c])
                    stack.heights.push_back(float(m_layers[i][c]));
        m_stacks->push_back({m_list.items.size(), std::move(stack)});
    }

    void addBoxes(std::size_t first, std::size_t last)
    {
        std::array<Box, layerCount> boxes{};
        for (std::size_t i = first; i < last; ++i) {
            double bottom = m_frame.top + m_frame.height;
            for (std::size_t c = 0; c < layerCount; ++c) {
                bottom -= m_layers[i][c];
                extend(boxes[c], Category(c),
                       {m_edges[i], m_edges[i + 1], bottom, m_layers[i][c], true});
            }
        }
        for (std::size_t c = 0; c < layerCount; ++c)
            flush(boxes[c], Category(c));
    }

    void extend(Box& box, Category category, const Box& next)
    {
        const bool continues = box.open && std::abs(box.top - next.top) < same &&
                               std::abs(box.height - next.height) < same;
        if (continues) {
            box.right = next.right;
            return;
        }
        flush(box, category);
        if (next.height > same)
            box = next;
    }

    void flush(Box& box, Category category)
    {
        if (!box.open)
            return;
        box.open = false;
        const bool wait = category == Category::Wait;
        m_list.items.emplace_back(
            FillRect{box.left, box.top, box.right - box.left, box.height, inkOf(category), 0,
                     wait && box.right - box.left >= hatchedPixels && box.height >= hatchedPixels});
    }

    DisplayList& m_list;
    std::vector<ListedColumns>* m_stacks;
    double m_tracks;
    const TrackFrame& m_frame;
    double m_scale;
    std::vector<double> m_edges; ///< of the columns
    std::vector<Layers> m_layers;
};

} // namespace

std::vector<CategorySeconds> aggregateColumns(const std::vector<const Track*>& tracks,
                                              const TrackFrame& frame, const MergedTrack* merged)
{
    if (isEmpty(tracks.size(), frame))
        return {};
    std::vector<double> times = edgesOf(frame);
    const double offset = times.front() - std::floor(times.front() + same);
    for (double& time : times)
        time = timeAt(frame, time);
    if (!merged || spansWithin(tracks, times.front(), times.back()) <= times.size())
        return summedColumns(tracks, times, std::max(0.0, offset));
    const double held = merged->heldUntil(tracks);
    if (times.back() <= held)
        return merged->between(times);
    const auto last = std::upper_bound(times.begin(), times.end(), held);
    if (last - times.begin() < 2)
        return summedColumns(tracks, times, std::max(0.0, offset));
    std::vector<CategorySeconds> columns = merged->between({times.begin(), last});
    const std::vector<CategorySeconds> rest = summedColumns(tracks, {last - 1, times.end()}, 0);
    columns.insert(columns.end(), rest.begin(), rest.end());
    return columns;
}

void paintAggregate(DisplayList& list, std::vector<ListedColumns>* stacks,
                    const std::vector<CategorySeconds>& columns, std::size_t tracks,
                    const TrackFrame& frame)
{
    if (!isEmpty(tracks, frame))
        AggregatePainter(list, stacks, tracks, frame).paint(columns);
}

void paintAggregate(DisplayList& list, const std::vector<const Track*>& tracks,
                    const TrackFrame& frame)
{
    paintAggregate(list, nullptr, aggregateColumns(tracks, frame), tracks.size(), frame);
}

double StackedColumns::area(Ink ink) const
{
    double sum = 0;
    for (std::size_t layer = 0; layer < inks.size(); ++layer)
        for (std::size_t i = 0; inks[layer] == ink && i < columns(); ++i)
            sum += (edges[i + 1] - edges[i]) * double(heightOf(i, layer));
    return sum;
}

} // namespace triaxis
