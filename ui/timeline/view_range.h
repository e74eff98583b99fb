#pragma once

#include "engine/timeline/lanes.h"
#include "ui/widgets/time_window.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace triaxis::ui
{

/// The part of a run that everything on screen speaks about: the timeline shows it and lets a
/// person choose it, figures and heatmaps follow it and name it. Times in seconds from the start of
/// the run.
class ViewRange : public QObject
{
    Q_OBJECT
public:
    explicit ViewRange(QObject* parent = nullptr);

    /// The spans that bound the window and name its steps; may be null. Another run than before:
    /// selection, cursor and history go, and the window follows the latest step.
    void setLanes(std::shared_ptr<const Lanes> lanes);
    /// The lanes have been appended to.
    void lanesGrown();
    const std::shared_ptr<const Lanes>& lanes() const { return m_lanes; }

    /// What the timeline shows.
    const TimeWindow& window() const { return m_window; }
    /// Shows this as far as the run reaches, keeps what was shown for back(), and follows no
    /// longer.
    void show(const TimeWindow& window);
    /// The same for steps of a movement, which are not kept for back().
    void moveTo(const TimeWindow& window);
    void showAll();

    /// A part that a person has marked.
    std::optional<TimeWindow> selection() const { return m_selection; }
    void select(std::optional<TimeWindow> selection);
    /// The selection, else the window: what figures are taken of.
    TimeWindow effective() const;

    /// A moment to look at, as a person moves it along the time axis.
    std::optional<double> cursor() const { return m_cursor; }
    void setCursor(std::optional<double> seconds);

    /// Whether the window moves on to the latest step by itself.
    bool isFollowing() const { return m_following; }
    void setFollowing(bool following);

    void back();
    void forward();
    bool canGoBack() const { return m_history.canGoBack(); }
    bool canGoForward() const { return m_history.canGoForward(); }

    /// The name of effective() for people: "step 147", "step 147, 12.3–46.5 ms", "steps 3–9"; times
    /// count from the begin of the step. Empty without spans.
    QString text() const;

signals:
    void windowChanged();
    void selectionChanged();
    void cursorChanged();
    void followingChanged(bool following);

private:
    void setWindow(const TimeWindow& window, bool remember);
    void showLatest();

    std::shared_ptr<const Lanes> m_lanes;
    TimeWindow m_window;
    WindowHistory m_history;
    std::optional<TimeWindow> m_selection;
    std::optional<double> m_cursor;
    bool m_following = true;
};

/// "12.3–46.5 ms", "0.9–1.4 s": both ends in the unit that fits the later one.
QString timesText(double from, double to);

} // namespace triaxis::ui
