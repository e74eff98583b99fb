#include "ui/timeline/view_range.h"

#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/widgets/lane_statistics.h"

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double shortestWindow = 1e-6; ///< seconds

} // namespace

ViewRange::ViewRange(QObject* parent) : QObject(parent) {}

void ViewRange::setLanes(std::shared_ptr<const Lanes> lanes)
{
    if (lanes == m_lanes) {
        lanesGrown();
        return;
    }
    m_lanes = std::move(lanes);
    m_history = {};
    select(std::nullopt);
    setCursor(std::nullopt);
    setFollowing(true);
    showLatest();
}

void ViewRange::lanesGrown()
{
    if (m_following)
        showLatest();
}

void ViewRange::show(const TimeWindow& window)
{
    setFollowing(false);
    setWindow(window, true);
}

void ViewRange::moveTo(const TimeWindow& window)
{
    setFollowing(false);
    setWindow(window, false);
}

void ViewRange::showAll()
{
    if (m_lanes)
        show({m_lanes->begin(), m_lanes->end()});
}

void ViewRange::setWindow(const TimeWindow& window, bool remember)
{
    if (!m_lanes || !std::isfinite(window.from) || !std::isfinite(window.to))
        return;
    const TimeWindow inside = window.within(m_lanes->begin(), m_lanes->end(), shortestWindow);
    if (inside == m_window)
        return;
    if (remember)
        m_history.remember(m_window);
    m_window = inside;
    emit windowChanged();
}

void ViewRange::showLatest()
{
    if (!m_lanes)
        return;
    const auto [first, last] = m_lanes->steps();
    if (last < first)
        return;
    const auto [begin, end] = m_lanes->stepRange(last);
    setWindow({begin, end}, false);
}

void ViewRange::select(std::optional<TimeWindow> selection)
{
    if (selection && !(selection->to > selection->from))
        selection.reset();
    if (selection == m_selection)
        return;
    m_selection = selection;
    emit selectionChanged();
}

TimeWindow ViewRange::effective() const
{
    return m_selection.value_or(m_window);
}

void ViewRange::setCursor(std::optional<double> seconds)
{
    if (seconds && m_lanes)
        seconds =
            std::clamp(*seconds, m_lanes->begin(), std::max(m_lanes->begin(), m_lanes->end()));
    if (seconds == m_cursor)
        return;
    m_cursor = seconds;
    emit cursorChanged();
}

void ViewRange::setFollowing(bool following)
{
    if (following != m_following) {
        m_following = following;
        emit followingChanged(following);
    }
    if (following)
        showLatest();
}

void ViewRange::back()
{
    if (!canGoBack())
        return;
    setFollowing(false);
    setWindow(m_history.back(m_window), false);
}

void ViewRange::forward()
{
    if (!canGoForward())
        return;
    setFollowing(false);
    setWindow(m_history.forward(m_window), false);
}

QString ViewRange::text() const
{
    if (!m_lanes)
        return {};
    const TimeWindow range = effective();
    const auto [first, last] = stepsShown(*m_lanes, range);
    if (last < first)
        return {};
    if (first != last)
        return tr("steps %1–%2").arg(first).arg(last);
    const auto [begin, end] = m_lanes->stepRange(first);
    const double tolerance = (end - begin) * 1e-3;
    const QString step = tr("step %1").arg(first);
    if (range.from <= begin + tolerance && range.to >= end - tolerance)
        return step;
    return step + QStringLiteral(", ") + timesText(range.from - begin, range.to - begin);
}

QString timesText(double from, double to)
{
    struct Unit
    {
        double seconds;
        const char* name;
    };
    constexpr Unit units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}};
    const double largest = std::max(std::abs(from), std::abs(to));
    const Unit* unit = units;
    while (unit != std::end(units) - 1 && largest < unit->seconds)
        ++unit;
    // As many decimals as tell the two ends apart with three digits.
    const double span = (to - from) / unit->seconds;
    const int decimals = span > 0 ? std::clamp(2 - int(std::floor(std::log10(span))), 0, 6) : 1;
    const auto number = [&](double seconds) {
        return decimalText(seconds / unit->seconds, decimals);
    };
    return number(from) + QChar(0x2013) + number(to) + thinSpace + spoken(unit->name);
}

} // namespace triaxis::ui
