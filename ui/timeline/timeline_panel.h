#pragma once

#include "ui/timeline/arrangement_store.h"
#include "ui/timeline/counter_curves.h"
#include "ui/timeline/mark_store.h"
#include "ui/timeline/view_range.h"
#include "ui/widgets/panel.h"

#include <memory>
#include <vector>

class QAction;
class QMenu;
class QToolButton;

namespace triaxis::ui
{

class LaneView;
class LegendBar;
class MarkMenu;
class Minimap;
class RunData;
class SpanPanel;
class SpanSearchBar;
struct RunOpening;
struct RunUpdate;

/// The timeline of a run with all that belongs to it: lanes, map of the whole run, curves, details
/// of the span, search, marks, and the menu in which every action can be found.
class TimelinePanel : public Panel
{
    Q_OBJECT
public:
    /// `range` must outlive what is done with the panel; its widgets look at it until they are
    /// gone, but not while they go.
    explicit TimelinePanel(ViewRange& range, QWidget* parent = nullptr);
    ~TimelinePanel() override;

    LaneView* view() const { return m_view; }
    ViewRange& range() { return m_range; }
    MarkStore& marks() { return m_marks; }
    /// Every action of the timeline, by section.
    QMenu* menu() const { return m_menu; }

    /// Shows a run from its begin; null: none.
    void begin(const RunData* run, const RunOpening* opening);
    /// Takes in what `run` has taken in already.
    void take(const RunData& run, const RunUpdate& update);

    /// Looks for spans; see parseSpanQuery(). Focuses the first match from the begin of the window
    /// on.
    void search(const QString& text);
    bool areDetailsShown() const;
    bool areCountersShown() const;
    bool isMapShown() const;

signals:
    /// Something about the marks that a person must know.
    void problem(const QString& title, const QString& detail);

private:
    void buildMenu();
    QToolButton* buildScaleButton();
    void addCommands();
    QAction* command(const char* name) const;
    void restoreSwitches();
    void editKeys();
    void align();
    void refreshLegend();
    void refreshCounters();
    void flagStragglers(const RunData& run);

    ViewRange& m_range;
    MarkStore m_marks;
    LaneView* m_view;
    Minimap* m_map;
    CounterStrip* m_counters;
    SpanPanel* m_details;
    LegendBar* m_legend;
    SpanSearchBar* m_search;
    MarkMenu* m_markMenu;
    ArrangementStore m_arrangements;
    CounterCurves m_curves;
    QMenu* m_menu = nullptr;
    std::vector<std::string> m_places; ///< [rank]
};

} // namespace triaxis::ui
