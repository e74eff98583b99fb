#include "ui/timeline/timeline_panel.h"

#include "ui/base/text.h"
#include "ui/run/run_data.h"
#include "ui/run/straggler.h"
#include "ui/timeline/key_commands.h"
#include "ui/timeline/mark_menu.h"
#include "ui/timeline/minimap.h"
#include "ui/timeline/shortcut_dialog.h"
#include "ui/timeline/span_panel.h"
#include "ui/timeline/span_search_bar.h"
#include "ui/timeline/timeline_legend.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/lane_view.h"
#include "ui/widgets/legend_bar.h"

#include <QAction>
#include <QMenu>
#include <QSettings>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace triaxis::ui
{
namespace
{

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

} // namespace

TimelinePanel::TimelinePanel(ViewRange& range, QWidget* parent)
    : Panel(tr("Timeline"), parent), m_range(range), m_view(new LaneView),
      m_map(new Minimap(m_range)), m_counters(new CounterStrip(m_range)),
      m_legend(new LegendBar({})), m_search(new SpanSearchBar(*m_view)),
      m_markMenu(new MarkMenu(*m_view, m_marks, this)), m_arrangements(*m_view)
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
    body()->addWidget(m_search);
    body()->addWidget(split, 1);
    body()->addWidget(m_legend);
    setMinimumSize(360, 160);
    addCommands();
    buildMenu();
    restoreSwitches();
    refreshLegend();
    align();
    connect(m_view, &LaneView::plotMoved, this, &TimelinePanel::align);
    connect(m_view, &LaneView::arrangementChanged, this, &TimelinePanel::refreshLegend);
    connect(m_view, &LaneView::predictionChanged, this, &TimelinePanel::refreshLegend);
    connect(m_view, &LaneView::focusChanged, this, &TimelinePanel::refreshCounters);
    connect(&m_marks, &MarkStore::changed, this, [this] { m_view->setMarks(m_marks.marks()); });
    connect(&m_marks, &MarkStore::failed, this,
            [this](const QString& message) { emit problem(tr("The marks of this run"), message); });
    connect(&m_arrangements, &ArrangementStore::failed, this,
            [this](const QString& message) { emit problem(tr("The lanes of this run"), message); });
}

TimelinePanel::~TimelinePanel() = default;

void TimelinePanel::addCommands()
{
    const auto add = [this](const char* name, auto act) {
        QAction* action = addCommand(m_view, id(name));
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    add("search", [this] { m_search->open(); });
    add("searchNext", [this] { m_search->searchOn(true); });
    add("searchPrevious", [this] { m_search->searchOn(false); });
    add("mark", [this] { m_markMenu->add(); });
    add("nextMark", [this] { m_markMenu->go(1); });
    add("previousMark", [this] { m_markMenu->go(-1); });
    const auto addSwitch = [&](const char* name, QWidget* what) {
        QAction* action = add(name, [what](bool shown) { what->setVisible(shown); });
        action->setCheckable(true);
        return action;
    };
    addSwitch("details", m_details);
    QAction* curves = addSwitch("counters", m_counters);
    connect(curves, &QAction::triggered, this, &TimelinePanel::refreshCounters);
    addSwitch("minimap", m_map);
}

QAction* TimelinePanel::command(const char* name) const
{
    return m_view->findChild<QAction*>(id(name), Qt::FindDirectChildrenOnly);
}

/// What is shown beside the lanes is as it was when the window was last open.
void TimelinePanel::restoreSwitches()
{
    const auto restore = [this](const char* name, bool usual, auto show) {
        const QString setting = QStringLiteral("timeline/") + QLatin1String(name);
        QAction* action = command(name);
        const bool on = QSettings().value(setting, usual).toBool();
        action->setChecked(on);
        show(on);
        connect(action, &QAction::triggered, this,
                [setting](bool shown) { QSettings().setValue(setting, shown); });
    };
    restore("details", false, [this](bool on) { m_details->setVisible(on); });
    restore("counters", false, [this](bool on) { m_counters->setVisible(on); });
    restore("minimap", true, [this](bool on) { m_map->setVisible(on); });
    restore("flows", true, [this](bool on) { m_view->setFlowsShown(on); });
    restore("path", false, [this](bool on) { m_view->setPathShown(on); });
    const QString width = QStringLiteral("timeline/names");
    m_view->setHeaderWidth(QSettings().value(width, m_view->headerWidth()).toDouble());
    connect(m_view, &LaneView::plotMoved, this, [this, width] {
        if (QSettings().value(width).toDouble() != m_view->headerWidth())
            QSettings().setValue(width, m_view->headerWidth());
    });
}

void TimelinePanel::buildMenu()
{
    m_menu = new QMenu(this);
    m_menu->setObjectName(QStringLiteral("timelineMenu"));
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
    section(tr("Range"),
            {"zoomIn", "zoomOut", "earlier", "later", "", "fitAll", "fitSelection", "follow", "",
             "back", "forward", "", "selectSpan", "cursorEarlier", "cursorLater", "clear"});
    section(tr("Spans"), {"nextSpan", "previousSpan", "laneUp", "laneDown", "nextFlow",
                          "previousFlow", "", "search", "searchNext", "searchPrevious"});
    section(tr("Lanes"), {"pin", "hide", "showAll", "", "collapse", "collapseAll", "group",
                          "colour", "streams"});
    const auto filled = [this](const QString& title, auto fill) {
        QMenu* menu = m_menu->addMenu(title);
        connect(menu, &QMenu::aboutToShow, this, [this, menu, fill] { (m_view->*fill)(*menu); });
    };
    filled(tr("Group"), &LaneView::fillGroupMenu);
    filled(tr("Colour"), &LaneView::fillColourMenu);
    filled(tr("Show only"), &LaneView::fillFilterMenu);
    QMenu* marks = m_menu->addMenu(tr("Marks"));
    connect(marks, &QMenu::aboutToShow, this, [this, marks] { m_markMenu->fill(*marks); });
    m_markMenu->fill(*marks);
    m_menu->addSeparator();
    for (const char* name :
         {"details", "path", "flows", "prediction", "scalePrediction", "counters", "minimap"})
        m_menu->addAction(command(name));
    m_menu->addSeparator();
    m_menu->addAction(command("export"));
    m_menu->addSeparator();
    QAction* keys = m_menu->addAction(tr("Keyboard shortcuts…"));
    keys->setObjectName(QStringLiteral("editShortcuts"));
    connect(keys, &QAction::triggered, this, &TimelinePanel::editKeys);

    auto* view = new QToolButton;
    view->setObjectName(QStringLiteral("timelineView"));
    view->setText(tr("View"));
    view->setAccessibleName(tr("All actions of the timeline"));
    view->setToolTip(tr("All actions of the timeline, with their keys"));
    view->setPopupMode(QToolButton::InstantPopup);
    view->setMenu(m_menu);
    addHeaderWidget(buildScaleButton());
    struct Shown
    {
        const char* icon;
        const char* name;
    };
    for (const Shown& one :
         {Shown{"search", "search"}, Shown{"zoom-out", "zoomOut"}, Shown{"zoom-in", "zoomIn"},
          Shown{"fit", "fitAll"}, Shown{"follow", "follow"}})
        addHeaderWidget(new IconButton(QLatin1String(one.icon), *command(one.name)));
    addHeaderWidget(view);
}

/// There while a prediction lies over the lanes.
QToolButton* TimelinePanel::buildScaleButton()
{
    QAction* action = command("scalePrediction");
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("predictionScaled"));
    button->setAccessibleName(action->text());
    button->setCheckable(true);
    const auto refresh = [this, button, action] {
        button->setVisible(m_view->isPredictionShown());
        button->setChecked(action->isChecked());
        button->setText(action->isChecked() ? tr("Scaled to the step ✓") : tr("Scale to the step"));
        const QString keys = keysText(action->shortcuts());
        button->setToolTip(keys.isEmpty() ? action->toolTip()
                                          : QStringLiteral("%1 (%2)").arg(action->toolTip(), keys));
    };
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::changed, button, refresh);
    connect(m_view, &LaneView::predictionChanged, button, refresh);
    refresh();
    return button;
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
    m_curves.begin(run ? run->plan().layout.ranks() : 0);
    m_places.clear();
    m_view->setFlags({});
    m_view->setPlaces({});
    m_view->setLanes(run ? run->lanes() : nullptr);
    m_view->setPartners(opening ? opening->partners : nullptr);
    m_map->setLanes(run ? run->lanes() : nullptr);
    const std::filesystem::path directory = opening ? opening->directory : std::filesystem::path();
    m_marks.open(directory);
    m_arrangements.open(directory, run ? run->plan().layout : Layout{});
    if (run)
        m_places.resize(std::size_t(run->plan().layout.ranks()));
    refreshCounters();
    refreshLegend();
    m_search->refreshCount();
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
    m_curves.take(update);
    if (!update.shares.empty())
        flagStragglers(run);
    if (!update.memory.empty() || !update.steps.empty())
        refreshCounters();
}

void TimelinePanel::flagStragglers(const RunData& run)
{
    std::map<Rank, QString> flags;
    for (const Straggler& straggler : stragglers(run))
        flags.emplace(straggler.rank, text(straggler));
    m_view->setFlags(std::move(flags));
}

void TimelinePanel::refreshCounters()
{
    if (m_counters->isHidden())
        return;
    const auto place = m_view->focusedSpan();
    m_counters->setCurves(m_curves.of(
        place && m_view->lanes() ? m_view->lanes()->ranks()[place->lane].rank.value : 0));
}

void TimelinePanel::align()
{
    const TimeMapping map = m_view->mapping();
    m_map->setPlot(map.left, map.width);
    m_counters->setPlot(map.left, map.width);
}

void TimelinePanel::refreshLegend()
{
    m_legend->setEntries(legendOf(*m_view));
}

void TimelinePanel::search(const QString& text)
{
    m_search->search(text);
}

void TimelinePanel::editKeys()
{
    ShortcutDialog dialog(this);
    if (dialog.exec() == QDialog::Accepted)
        refreshKeys(window());
}

} // namespace triaxis::ui
