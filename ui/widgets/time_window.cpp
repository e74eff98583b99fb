#include "ui/widgets/time_window.h"

#include <algorithm>

namespace triaxis::ui
{
namespace
{
constexpr std::size_t mostSteps = 200;
}

TimeWindow TimeWindow::zoomed(double factor, double at) const
{
    return {at - (at - from) * factor, at + (to - at) * factor};
}

TimeWindow TimeWindow::moved(double seconds) const
{
    return {from + seconds, to + seconds};
}

TimeWindow TimeWindow::within(double begin, double end, double shortest) const
{
    if (!(end > begin))
        return {begin, begin + std::max(shortest, 1e-9)};
    const double wanted = std::clamp(span(), std::min(shortest, end - begin), end - begin);
    const double middle = (from + to) / 2;
    const double start = std::clamp(middle - wanted / 2, begin, end - wanted);
    return {start, start + wanted};
}

void WindowHistory::remember(const TimeWindow& left)
{
    if (!m_back.empty() && m_back.back() == left)
        return;
    m_back.push_back(left);
    m_forward.clear();
    if (m_back.size() > mostSteps)
        m_back.erase(m_back.begin());
}

TimeWindow WindowHistory::back(const TimeWindow& current)
{
    if (m_back.empty())
        return current;
    m_forward.push_back(current);
    const TimeWindow window = m_back.back();
    m_back.pop_back();
    return window;
}

TimeWindow WindowHistory::forward(const TimeWindow& current)
{
    if (m_forward.empty())
        return current;
    m_back.push_back(current);
    const TimeWindow window = m_forward.back();
    m_forward.pop_back();
    return window;
}

} // namespace triaxis::ui
