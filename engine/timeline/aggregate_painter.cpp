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

using Shares = std::array<double, categoryCount>; // by category

class AggregatePainter
{
public:
    AggregatePainter(DisplayList& list, const std::vector<const Track*>& tracks,
                     const TrackFrame& frame)
        : m_list(list), m_tracks(tracks), m_frame(frame),
          m_scale(frame.width / (frame.to - frame.from)), m_at(tracks.size(), 0)
    {
        for (std::size_t i = 0; i < tracks.size(); ++i)
            m_at[i] = tracks[i]->lowerBound(frame.from);
    }

    void paint()
    {
        double x = m_frame.left;
        const double right = m_frame.left + m_frame.width;
        Shares before = sumsAt(m_frame.from);
        while (x < right - same) {
            const double edge = std::min(right, std::floor(x + same) + 1);
            const Shares after = sumsAt(timeAt(edge));
            addColumn(x, edge, before, after);
            before = after;
            x = edge;
        }
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

    double timeAt(double x) const { return m_frame.from + (x - m_frame.left) / m_scale; }

    /// Seconds of each category before a time, over all tracks. Times must not decrease.
    Shares sumsAt(double time)
    {
        Shares sums{};
        for (std::size_t i = 0; i < m_tracks.size(); ++i) {
            m_at[i] = m_tracks[i]->lowerBound(time, m_at[i]);
            const Shares own = m_tracks[i]->before(time, m_at[i]);
            for (std::size_t c = 0; c < sums.size(); ++c)
                sums[c] += own[c];
        }
        return sums;
    }

    void addColumn(double left, double right, const Shares& before, const Shares& after)
    {
        const double whole = (right - left) / m_scale * double(m_tracks.size());
        double bottom = m_frame.top + m_frame.height;
        for (std::size_t c = 0; c < std::size_t(Category::Idle); ++c) {
            const double share = std::clamp((after[c] - before[c]) / whole, 0.0, 1.0);
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
    const std::vector<const Track*>& m_tracks;
    const TrackFrame& m_frame;
    double m_scale;
    std::vector<std::size_t> m_at; // [track] the span that ends next
    std::array<Box, std::size_t(Category::Idle)> m_boxes{};
};

} // namespace

void paintAggregate(DisplayList& list, const std::vector<const Track*>& tracks,
                    const TrackFrame& frame)
{
    if (tracks.empty() || !(frame.to > frame.from) || !(frame.width > 0))
        return;
    AggregatePainter(list, tracks, frame).paint();
}

} // namespace triaxis
