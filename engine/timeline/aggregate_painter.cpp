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
    for (double& time : times)
        time = timeAt(frame, time);
    std::vector<CategorySeconds> columns(times.size() - 1);
    // Track by track, so that each is walked once from its begin to its end.
    for (const Track* track : tracks) {
        std::size_t span = track->lowerBound(times.front());
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
