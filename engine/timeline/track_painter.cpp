#include "engine/timeline/track_painter.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double labelledPixels = 6;
constexpr double barePixels = 1;
constexpr double hatchedPixels = 3; // narrower waits are filled: a hatch would not show
constexpr double labelSize = 10;
constexpr double digitWidth = 0.62; // of the label size, bold digits
constexpr double letterWidth = 0.58;
constexpr double leastStripTrack = 12; // pixels; lower tracks have no room for the tensor strip
constexpr double touching = 1e-6;      // pixels
constexpr double separatorGap = 0.75;  // closer spans get a line between them

bool isWork(Category category)
{
    return category == Category::Forward || category == Category::Backward ||
           category == Category::WeightGradient;
}

/// How full the colour of a coordinate is for each kind of compute.
double memberShare(Category category)
{
    if (category == Category::Forward)
        return 1;
    return category == Category::Backward ? 0.72 : 0.5;
}

class TrackPainter
{
public:
    TrackPainter(DisplayList& list, const Track& track, const TrackFrame& frame)
        : m_list(list), m_track(track), m_frame(frame),
          m_scale(frame.width / (frame.to - frame.from))
    {
    }

    void paint()
    {
        std::size_t span = m_track.lowerBound(m_frame.from);
        double time = m_frame.from;
        while (time < m_frame.to) {
            const Item item = itemAt(span, time);
            if ((item.end - time) * m_scale < barePixels) {
                addDense(span, time);
                continue;
            }
            if (item.isSpan)
                addSpan(span, time, item.end);
            else
                endRun();
            time = item.end;
            span += item.isSpan;
        }
        endRun();
    }

private:
    double xOf(double time) const { return m_frame.left + (time - m_frame.from) * m_scale; }
    double timeAt(double x) const { return m_frame.from + (x - m_frame.left) / m_scale; }

    Ink inkFor(Category category) const
    {
        return m_frame.member && isWork(category) ? *m_frame.member : inkOf(category);
    }
    double opacityFor(Category category) const
    {
        const bool member = m_frame.member && isWork(category);
        return m_frame.opacity * (member ? memberShare(category) : 1);
    }

    /// What lies at a time: a span, or the gap before span number `span`. Ends with the frame.
    struct Item
    {
        bool isSpan = false;
        double begin = 0;
        double end = 0;
    };

    Item itemAt(std::size_t span, double time) const
    {
        const bool left = span < m_track.size();
        if (left && m_track.begin(span) <= time)
            return {true, m_track.begin(span), std::min(m_track.end(span), m_frame.to)};
        return {false, span > 0 ? m_track.end(span - 1) : m_frame.from,
                left ? std::min(m_track.begin(span), m_frame.to) : m_frame.to};
    }

    /// Paints from `time` to the right edge of its pixel column, or to what straddles the edge and
    /// is wide enough to be painted by itself. All else in the column is narrower than a pixel.
    void addDense(std::size_t& span, double& time)
    {
        const double left = xOf(time);
        const double column = std::floor(left + touching) + 1;
        double edge = timeAt(column);
        if (edge >= m_frame.to)
            edge = m_frame.to;
        if (edge <= time) // beyond the precision of the times
            edge = std::min(m_frame.to, itemAt(span, time).end);
        CategorySeconds own{};
        m_track.addShares(time, edge, span, own);
        const Item straddling = itemAt(span, edge);
        if (straddling.begin > time &&
            (straddling.end - straddling.begin) * m_scale >= barePixels) {
            if (straddling.isSpan)
                own[std::size_t(m_track.category(span))] -= edge - straddling.begin;
            edge = straddling.begin;
        }
        addColumn(left, xOf(edge), own);
        time = edge;
    }

    void addSpan(std::size_t span, double begin, double end)
    {
        const double left = xOf(begin);
        const double right = xOf(end);
        if (right - left < labelledPixels) {
            addRun(left, right, m_track.category(span));
            return;
        }
        endRun();
        const Category category = m_track.category(span);
        const double radius = std::min(2.0, m_frame.height / 8);
        const bool hatched = category == Category::Wait;
        m_list.items.emplace_back(FillRect{left, m_frame.top, right - left, m_frame.height,
                                           inkFor(category), hatched ? 0 : radius, hatched,
                                           opacityFor(category)});
        if (left - m_lastRight < separatorGap)
            m_list.items.emplace_back(StrokeLine{left, m_frame.top, left,
                                                 m_frame.top + m_frame.height, Ink::Background, 1});
        m_lastRight = right;
        addTensorShare(span, left, right);
        if (m_frame.labels)
            addLabel(span, left, right);
    }

    /// A strip along the bottom of a compute span: the share of it that went into tensor
    /// collectives.
    void addTensorShare(std::size_t span, double left, double right)
    {
        const double seconds = m_track.end(span) - m_track.begin(span);
        const double wait = std::clamp(m_track.tensorWait(span) / seconds, 0.0, 1.0);
        const double transfer = std::clamp(m_track.tensorTransfer(span) / seconds, 0.0, 1 - wait);
        if (m_frame.height < leastStripTrack || (wait + transfer) * (right - left) < barePixels)
            return;
        const double height = m_frame.height / 6;
        const double top = m_frame.top + m_frame.height - height;
        const double middle = left + wait * (right - left);
        if (wait > 0)
            m_list.items.emplace_back(FillRect{left, top, middle - left, height, Ink::Wait});
        if (transfer > 0)
            m_list.items.emplace_back(
                FillRect{middle, top, transfer * (right - left), height, Ink::Tensor});
    }

    void addLabel(std::size_t span, double left, double right)
    {
        const Category category = m_track.category(span);
        const double size = std::min(labelSize, m_frame.height - 2);
        std::string text;
        double needed = 0;
        if (isWork(category)) {
            text = std::to_string(m_track.id(span).microbatch().value);
            needed = double(text.size()) * digitWidth * size + 1;
        } else if (category == Category::Optimizer || category == Category::Data) {
            text = toText(category);
            needed = double(text.size()) * letterWidth * size + 8;
        }
        if (text.empty() || right - left < needed)
            return;
        m_list.items.emplace_back(DrawText{(left + right) / 2, m_frame.top + m_frame.height / 2,
                                           std::move(text), inkFor(category), size, Align::Centre,
                                           true, true, opacityFor(category)});
    }

    /// Error diffusion: what each category has of [left, right) is added to its credit, the largest
    /// credit is painted.
    void addColumn(double left, double right, const CategorySeconds& own)
    {
        const double width = right - left;
        double idle = width;
        std::size_t best = std::size_t(Category::Idle);
        for (std::size_t c = 0; c < own.size(); ++c) {
            const double pixels = own[c] * m_scale;
            m_credit[c] += pixels;
            idle -= pixels;
        }
        m_credit[std::size_t(Category::Idle)] += idle;
        for (std::size_t c = 0; c < m_credit.size(); ++c) {
            if (m_credit[c] > m_credit[best])
                best = c;
        }
        m_credit[best] -= width;
        if (best == std::size_t(Category::Idle))
            endRun();
        else
            addRun(left, right, Category(best));
    }

    /// Bare rectangles that touch and look the same become one.
    void addRun(double left, double right, Category category)
    {
        if (m_running && m_runCategory == category && left - m_runRight < touching) {
            m_runRight = right;
            return;
        }
        endRun();
        m_running = true;
        m_runCategory = category;
        m_runLeft = left;
        m_runRight = right;
    }

    void endRun()
    {
        if (!m_running)
            return;
        m_running = false;
        const double width = m_runRight - m_runLeft;
        m_list.items.emplace_back(FillRect{
            m_runLeft, m_frame.top, width, m_frame.height, inkFor(m_runCategory), 0,
            m_runCategory == Category::Wait && width >= hatchedPixels, opacityFor(m_runCategory)});
    }

    DisplayList& m_list;
    const Track& m_track;
    const TrackFrame& m_frame;
    double m_scale;
    CategorySeconds m_credit{}; // times m_scale: pixels owed to each category
    bool m_running = false;
    Category m_runCategory = Category::Idle;
    double m_runLeft = 0;
    double m_runRight = 0;
    double m_lastRight = -1e300; // of the last labelled span
};

} // namespace

void paintTrack(DisplayList& list, const Track& track, const TrackFrame& frame)
{
    if (track.size() == 0 || !(frame.to > frame.from) || !(frame.width > 0))
        return;
    TrackPainter(list, track, frame).paint();
}

} // namespace triaxis
