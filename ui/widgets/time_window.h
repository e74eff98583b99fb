#pragma once

#include <utility>
#include <vector>

namespace triaxis::ui
{

/// The visible part of the time axis, in seconds.
struct TimeWindow
{
    double from = 0;
    double to = 1;

    double span() const { return to - from; }
    /// `factor` < 1 shows less time; `at` stays where it is on the screen.
    TimeWindow zoomed(double factor, double at) const;
    TimeWindow moved(double seconds) const;
    /// Not shorter than `shortest`, not longer than [begin, end], and within it.
    TimeWindow within(double begin, double end, double shortest) const;
    bool operator==(const TimeWindow&) const = default;
};

/// Pixels of the drawn part of a timeline against seconds.
struct TimeMapping
{
    TimeWindow window;
    double left = 0;
    double width = 1;

    double x(double time) const { return left + (time - window.from) / window.span() * width; }
    double time(double x) const { return window.from + (x - left) / width * window.span(); }
};

/// Zoom steps that can be taken back and forth again.
class WindowHistory
{
public:
    void remember(const TimeWindow& left);
    /// The window before `current`; `current` itself where there is none.
    TimeWindow back(const TimeWindow& current);
    TimeWindow forward(const TimeWindow& current);
    bool canGoBack() const { return !m_back.empty(); }
    bool canGoForward() const { return !m_forward.empty(); }

private:
    std::vector<TimeWindow> m_back;
    std::vector<TimeWindow> m_forward;
};

} // namespace triaxis::ui
