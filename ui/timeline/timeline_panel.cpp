#include "ui/timeline/timeline_panel.h"

#include "engine/core/units.h"
#include "engine/timeline/lane_painter.h"
#include "engine/timeline/span_search.h"
#include "ui/base/text.h"
#include "ui/run/run_data.h"
#include "ui/timeline/key_commands.h"
#include "ui/timeline/minimap.h"
#include "ui/timeline/shortcut_dialog.h"
#include "ui/timeline/span_panel.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/lane_view.h"
#include "ui/widgets/legend_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace triaxis::ui
{
namespace
{

constexpr std::size_t mostCounted = 10000;

QString id(const char* name)
{
    return QStringLiteral("timeline.") + QLatin1String(name);
}

/// "node1:CPU" of "node1" and "CPU, 1 thread".
std::string placeOf(const HelloRecord& hello)
{
    const std::string device = hello.device.substr(0, hello.device.find(','));
    return device.empty() ? hello.host : hello.host + ":" + device;
}

double sumOf(const MemorySample& sample)
{
    return double(std::accumulate(sample.live.begin(), sample.live.end(), std::int64_t(0)));
}

} // namespace

TimelinePanel::TimelinePanel(ViewRange& range, QWidget* parent)
    : Panel(QStringLiteral("Timeline"), parent), m_range(range), m_view(new LaneView),
      m_map(new Minimap(m_range)), m_counters(new CounterStrip(m_range)),
      m_legend(new LegendBar({}))
{
    m_view->setRange(&m_range);
    m_details = new SpanPanel(*m_view);
    auto* split = new QSplitter(Qt::Horizontal);
    split->setChildrenCollapsible(false);
    auto* lanes = new QWidget;
    auto* column = new QVBoxLayout(lanes);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_map);
    column->addWidget(m_view, 1);
    column->addWidget(m_counters);
    split->addWidget(lanes);
    split->addWidget(m_details);
    split->setStretchFactor(0, 1);
    split->setSizes({700, 220});
    body()->setSpacing(4);
    body()->addWidget(buildSearch());
    body()->addWidget(split, 1);
    body()->addWidget(m_legend);
    setMinimumSize(360, 160);
    addCommands();
    buildMenu();
    m_details->hide();
    m_counters->hide();
    refreshLegend();
    align();
    connect(m_view, &LaneView::plotMoved, this, &TimelinePanel::align);
    connect(m_view, &LaneView::arrangementChanged, this, &TimelinePanel::refreshLegend);
    connect(m_view, &LaneView::focusChanged, this, &TimelinePanel::refreshCounters);
    connect(&m_marks, &MarkStore::changed, this, [this] { m_view->setMarks(m_marks.marks()); });
    connect(&m_marks, &MarkStore::failed, this, [this](const QString& message) {
        emit problem(QStringLiteral("The marks of this run"), message);
    });
}

TimelinePanel::~TimelinePanel() = default;

QWidget* TimelinePanel::buildSearch()
{
    m_searchBar = new QWidget;
    m_searchEdit = new QLineEdit;
    m_searchEdit->setObjectName(QStringLiteral("spanSearch"));
    m_searchEdit->setAccessibleName(QStringLiteral("Search spans"));
    m_searchEdit->setPlaceholderText(
        QStringLiteral("backward #5 rank 3   (names, #microbatch, rank, step, pp, tp, dp)"));
    m_searchCount = new QLabel;
    m_searchCount->setProperty("role", "small");
    auto* previous =
        new IconButton(QStringLiteral("chevron-up-deep"), QStringLiteral("Previous match"));
    auto* next = new IconButton(QStringLiteral("chevron-down-deep"), QStringLiteral("Next match"));
    auto* close = new IconButton(QStringLiteral("close"), QStringLiteral("Close the search"));
    auto* layout = new QHBoxLayout(m_searchBar);
    layout->setContentsMargins(0, 0, 0, 2);
    layout->setSpacing(6);
    layout->addWidget(m_searchEdit, 1);
    layout->addWidget(m_searchCount);
    for (QToolButton* button : {static_cast<QToolButton*>(previous),
                                static_cast<QToolButton*>(next), static_cast<QToolButton*>(close)})
        layout->addWidget(button);
    m_searchBar->hide();
    connect(previous, &QToolButton::clicked, this, [this] { searchOn(false); });
    connect(next, &QToolButton::clicked, this, [this] { searchOn(true); });
    connect(m_searchEdit, &QLineEdit::returnPressed, this, [this] { searchOn(true); });
    connect(m_searchEdit, &QLineEdit::textChanged, this, &TimelinePanel::refreshSearchCount);
    const auto closeBar = [this] {
        m_searchBar->hide();
        m_view->setFocus();
    };
    connect(close, &QToolButton::clicked, this, closeBar);
    auto* escape = new QAction(m_searchEdit);
    escape->setShortcut(Qt::Key_Escape);
    escape->setShortcutContext(Qt::WidgetShortcut);
    m_searchEdit->addAction(escape);
    connect(escape, &QAction::triggered, this, closeBar);
    return m_searchBar;
}

void TimelinePanel::addCommands()
{
    const auto add = [this](const char* name, auto act) {
        QAction* action = addCommand(m_view, id(name));
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    add("search", [this] { showSearch(); });
    add("searchNext", [this] { searchOn(true); });
    add("searchPrevious", [this] { searchOn(false); });
    add("mark", [this] { addMark(); });
    add("nextMark", [this] { goToMark(1); });
    add("previousMark", [this] { goToMark(-1); });
    const auto addSwitch = [&](const char* name, bool on, QWidget* what) {
        QAction* action = add(name, [what](bool shown) { what->setVisible(shown); });
        action->setCheckable(true);
        action->setChecked(on);
        return action;
    };
    addSwitch("details", false, m_details);
    QAction* curves = addSwitch("counters", false, m_counters);
    connect(curves, &QAction::triggered, this, &TimelinePanel::refreshCounters);
    addSwitch("minimap", true, m_map);
}

void TimelinePanel::buildMenu()
{
    m_menu = new QMenu(this);
    m_menu->setObjectName(QStringLiteral("timelineMenu"));
    const auto command = [this](const char* name) {
        return m_view->findChild<QAction*>(id(name), Qt::FindDirectChildrenOnly);
    };
    const auto section = [&](const QString& title, std::initializer_list<const char*> names) {
        QMenu* menu = m_menu->addMenu(title);
        for (const char* name : names) {
            if (QAction* action = command(name))
                menu->addAction(action);
            else
                menu->addSeparator();
        }
        return menu;
    };
    section(QStringLiteral("Range"),
            {"zoomIn", "zoomOut", "earlier", "later", "", "fitAll", "fitSelection", "follow", "",
             "back", "forward", "", "selectSpan", "cursorEarlier", "cursorLater", "clear"});
    section(QStringLiteral("Spans"),
            {"nextSpan", "previousSpan", "laneUp", "laneDown", "nextFlow", "previousFlow", "",
             "search", "searchNext", "searchPrevious"});
    section(QStringLiteral("Lanes"), {"pin", "hide", "showAll", "", "collapse", "collapseAll",
                                      "group", "colour", "streams"});
    const auto filled = [this](const QString& title, auto fill) {
        QMenu* menu = m_menu->addMenu(title);
        connect(menu, &QMenu::aboutToShow, this, [this, menu, fill] { (m_view->*fill)(*menu); });
    };
    filled(QStringLiteral("Group"), &LaneView::fillGroupMenu);
    filled(QStringLiteral("Colour"), &LaneView::fillColourMenu);
    filled(QStringLiteral("Show only"), &LaneView::fillFilterMenu);
    QMenu* marks = m_menu->addMenu(QStringLiteral("Marks"));
    connect(marks, &QMenu::aboutToShow, this, [this, marks] { fillMarksMenu(*marks); });
    fillMarksMenu(*marks);
    m_menu->addSeparator();
    for (const char* name : {"details", "path", "flows", "prediction", "counters", "minimap"})
        m_menu->addAction(command(name));
    m_menu->addSeparator();
    QAction* keys = m_menu->addAction(QStringLiteral("Keyboard shortcuts…"));
    keys->setObjectName(QStringLiteral("editShortcuts"));
    connect(keys, &QAction::triggered, this, &TimelinePanel::editKeys);

    auto* out = new IconButton(QStringLiteral("zoom-out"), QStringLiteral("Zoom out (S)"));
    auto* in = new IconButton(QStringLiteral("zoom-in"), QStringLiteral("Zoom in (W)"));
    auto* fit = new IconButton(QStringLiteral("fit"), QStringLiteral("Show all steps (Home)"));
    auto* find = new IconButton(QStringLiteral("search"), QStringLiteral("Search spans (/)"));
    m_follow =
        new IconButton(QStringLiteral("follow"), QStringLiteral("Follow the latest step (L)"));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    auto* view = new QToolButton;
    view->setObjectName(QStringLiteral("timelineView"));
    view->setText(QStringLiteral("View"));
    view->setAccessibleName(QStringLiteral("All actions of the timeline"));
    view->setToolTip(QStringLiteral("All actions of the timeline, with their keys"));
    view->setPopupMode(QToolButton::InstantPopup);
    view->setMenu(m_menu);
    for (QToolButton* button :
         {static_cast<QToolButton*>(find), static_cast<QToolButton*>(out),
          static_cast<QToolButton*>(in), static_cast<QToolButton*>(fit), m_follow, view})
        addHeaderWidget(button);
    connect(find, &QToolButton::clicked, this, &TimelinePanel::showSearch);
    connect(out, &QToolButton::clicked, m_view, &LaneView::zoomOut);
    connect(in, &QToolButton::clicked, m_view, &LaneView::zoomIn);
    connect(fit, &QToolButton::clicked, m_view, &LaneView::fitAll);
    connect(m_follow, &QToolButton::clicked, m_view, &LaneView::followLatest);
    connect(&m_range, &ViewRange::followingChanged, m_follow, &QToolButton::setChecked);
}

bool TimelinePanel::areDetailsShown() const
{
    return !m_details->isHidden();
}

bool TimelinePanel::areCountersShown() const
{
    return !m_counters->isHidden();
}

bool TimelinePanel::isMapShown() const
{
    return !m_map->isHidden();
}

void TimelinePanel::begin(const RunData* run, const RunOpening* opening)
{
    m_memory.clear();
    m_loss.clear();
    m_rate.clear();
    m_places.clear();
    m_view->setArrangement({});
    m_view->setPlaces({});
    m_view->setLanes(run ? run->lanes() : nullptr);
    m_view->setPartners(opening ? opening->partners : nullptr);
    m_map->setLanes(run ? run->lanes() : nullptr);
    m_marks.open(opening ? opening->directory : std::filesystem::path());
    if (run) {
        m_memory.resize(std::size_t(run->plan().layout.ranks()));
        m_places.resize(m_memory.size());
    }
    refreshCounters();
    refreshSearchCount();
}

void TimelinePanel::take(const RunData& run, const RunUpdate& update)
{
    if (update.lanes) {
        m_view->setLanes(run.lanes());
        m_map->setLanes(run.lanes());
    } else if (!update.spans.empty()) {
        m_view->lanesGrown();
        m_map->lanesGrown();
    }
    bool placed = false;
    for (const HelloRecord& hello : update.hellos) {
        const auto rank = std::size_t(hello.rank.value);
        if (hello.rank.value < 0 || rank >= m_places.size())
            continue;
        m_places[rank] = placeOf(hello);
        placed = true;
    }
    if (placed)
        m_view->setPlaces(m_places);
    takeMemory(update);
    for (const StepResult& step : update.steps) {
        m_loss.emplace_back(step.begin, step.loss);
        m_rate.emplace_back(step.begin, step.seconds > 0 ? double(step.tokens) / step.seconds : 0);
    }
    if (!update.memory.empty() || !update.steps.empty())
        refreshCounters();
}

void TimelinePanel::takeMemory(const RunUpdate& update)
{
    for (const MemorySample& sample : update.memory) {
        const auto rank = std::size_t(sample.rank.value);
        if (sample.rank.value < 0 || rank >= m_memory.size())
            continue;
        auto& curve = m_memory[rank];
        // Samples of a rank come in order, but for a clock that was set right.
        if (curve.empty() || curve.back().first <= sample.time)
            curve.emplace_back(sample.time, sumOf(sample));
    }
}

void TimelinePanel::refreshCounters()
{
    if (m_counters->isHidden())
        return;
    std::vector<CounterStrip::Curve> curves;
    if (!m_memory.empty()) {
        const auto place = m_view->focusedSpan();
        const int rank =
            place && m_view->lanes() ? m_view->lanes()->ranks()[place->lane].rank.value : 0;
        if (std::size_t(rank) < m_memory.size())
            curves.push_back({QStringLiteral("memory of rank %1").arg(rank),
                              m_memory[std::size_t(rank)],
                              [](double v) { return toQString(units::bytes(std::int64_t(v))); }});
        curves.push_back({QStringLiteral("tokens/s"), m_rate,
                          [](double v) { return toQString(units::count(v)); }});
        curves.push_back(
            {QStringLiteral("loss"), m_loss, [](double v) { return lossText(v); }, false});
    }
    m_counters->setCurves(std::move(curves));
}

void TimelinePanel::align()
{
    const TimeMapping map = m_view->mapping();
    m_map->setPlot(map.left, map.width);
    m_counters->setPlot(map.left, map.width);
}

void TimelinePanel::refreshLegend()
{
    std::vector<LegendBar::Entry> entries;
    const auto axis = m_view->colourBy();
    if (axis && m_view->lanes()) {
        const int size = sizeOf(m_view->lanes()->layout(), *axis);
        constexpr int mostNames = 7;
        for (int i = 0; i < std::min(size, mostNames); ++i)
            entries.push_back(
                {memberInk(i), toQString(groupName(*axis, i)) +
                                   (i + mostNames < size ? QStringLiteral(" …") : QString())});
    } else {
        entries = {{Ink::Forward, QStringLiteral("forward")},
                   {Ink::Backward, QStringLiteral("backward")},
                   {Ink::WeightGradient, QStringLiteral("weight gradient")}};
    }
    entries.insert(entries.end(), {{Ink::Tensor, QStringLiteral("tensor")},
                                   {Ink::Pipeline, QStringLiteral("pipeline")},
                                   {Ink::Data, QStringLiteral("data")},
                                   {Ink::Optimizer, QStringLiteral("optimizer")},
                                   {Ink::Wait, QStringLiteral("wait")},
                                   {Ink::Idle, QStringLiteral("idle")}});
    m_legend->setEntries(std::move(entries));
}

void TimelinePanel::showSearch()
{
    m_searchBar->show();
    m_searchEdit->setFocus();
    m_searchEdit->selectAll();
    refreshSearchCount();
}

void TimelinePanel::search(const QString& text)
{
    m_searchBar->show();
    m_searchEdit->setText(text);
    searchOn(true);
}

void TimelinePanel::searchOn(bool forward)
{
    if (!m_view->lanes())
        return;
    if (m_searchEdit->text().trimmed().isEmpty()) {
        showSearch();
        return;
    }
    const SpanQuery query = parseSpanQuery(m_searchEdit->text().toStdString());
    auto from = m_view->focusedSpan();
    if (from && from->stream >= 0)
        from.reset();
    const double time = forward ? m_range.window().from : m_range.window().to;
    if (const auto found = findNext(*m_view->lanes(), query, from, time, forward))
        m_view->focusSpan(*found);
}

void TimelinePanel::refreshSearchCount()
{
    if (m_searchBar->isHidden())
        return;
    const SpanQuery query = parseSpanQuery(m_searchEdit->text().toStdString());
    if (query.empty() || !m_view->lanes()) {
        m_searchCount->setText({});
        return;
    }
    const std::size_t count = countMatches(*m_view->lanes(), query, mostCounted);
    m_searchCount->setText(
        count == mostCounted ? QStringLiteral("%1 matches and more").arg(wholeNumber(mostCounted))
        : count == 0         ? QStringLiteral("no match")
        : count == 1         ? QStringLiteral("1 match")
                             : wholeNumber(std::int64_t(count)) + QStringLiteral(" matches"));
}

void TimelinePanel::addMark()
{
    const auto selection = m_range.selection();
    TimeMark mark;
    if (selection)
        mark.range = *selection;
    else if (const auto place = m_view->focusedSpan()) {
        const Track& track = trackOf(*m_view->lanes(), *place);
        mark.range = {track.begin(place->index), track.end(place->index)};
    } else {
        const TimeWindow& window = m_range.window();
        const double at = m_range.cursor().value_or((window.from + window.to) / 2);
        mark.range = {at, at};
    }
    m_marks.add(mark);
    if (!m_marks.canChange())
        return;
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("markNote"));
    dialog->setWindowTitle(QStringLiteral("Mark"));
    dialog->setLabelText(QStringLiteral("Note"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this, mark](const QString& note) {
        const auto& all = m_marks.marks();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].range == mark.range && all[i].note.isEmpty()) {
                m_marks.setNote(i, note);
                return;
            }
        }
    });
    dialog->open();
}

void TimelinePanel::goToMark(int direction)
{
    const double time =
        m_range.cursor().value_or((m_range.window().from + m_range.window().to) / 2);
    const int index = m_marks.next(time, direction);
    if (index < 0)
        return;
    const TimeWindow at = m_marks.marks()[std::size_t(index)].range;
    const double half = m_range.window().span() / 2;
    const double middle = (at.from + at.to) / 2;
    if (at.from < m_range.window().from || at.to > m_range.window().to)
        m_range.show({middle - half, middle + half});
    m_range.setCursor(at.from);
}

void TimelinePanel::fillMarksMenu(QMenu& menu)
{
    menu.clear();
    qDeleteAll(menu.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    for (const char* name : {"mark", "nextMark", "previousMark"})
        menu.addAction(m_view->findChild<QAction*>(id(name), Qt::FindDirectChildrenOnly));
    if (m_marks.marks().empty())
        return;
    menu.addSeparator();
    for (std::size_t i = 0; i < m_marks.marks().size(); ++i) {
        const TimeMark& mark = m_marks.marks()[i];
        const QString note = mark.note.isEmpty() ? QStringLiteral("mark") : mark.note;
        QMenu* one = menu.addMenu(QStringLiteral("%1 · %2").arg(
            toQString(units::seconds(mark.range.from)), note.left(40)));
        connect(one->addAction(QStringLiteral("Go there")), &QAction::triggered, this,
                [this, range = mark.range] {
                    const double pad = std::max(range.span() * 0.5, m_range.window().span() * 0.1);
                    m_range.show({range.from - pad, range.to + pad});
                    m_range.setCursor(range.from);
                });
        connect(one->addAction(QStringLiteral("Edit the note…")), &QAction::triggered, this,
                [this, i, note = mark.note] {
                    bool done = false;
                    const QString changed =
                        QInputDialog::getText(this, QStringLiteral("Mark"), QStringLiteral("Note"),
                                              QLineEdit::Normal, note, &done);
                    if (done)
                        m_marks.setNote(i, changed);
                });
        connect(one->addAction(QStringLiteral("Remove")), &QAction::triggered, this,
                [this, i] { m_marks.remove(i); });
    }
}

void TimelinePanel::editKeys()
{
    ShortcutDialog dialog(this);
    if (dialog.exec() == QDialog::Accepted)
        refreshKeys(window());
}

} // namespace triaxis::ui
