#include "ui/history/filter_bar.h"

#include "engine/schedule/generators.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/history/chip_button.h"
#include "ui/history/days_dialog.h"
#include "ui/history/history_text.h"
#include "ui/run/run_figures.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/flow_layout.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int typingMilliseconds = 150;
constexpr int mostOffered = 24; ///< values of one filter in its menu

template <class T>
bool contains(const std::vector<T>& list, const T& value)
{
    return std::find(list.begin(), list.end(), value) != list.end();
}

/// What is set but has no run is offered as well: it must be possible to take it away.
std::vector<RunFacet> withSet(const std::vector<RunFacet>& facets,
                              const std::vector<std::string>& set)
{
    std::vector<RunFacet> all(
        facets.begin(),
        facets.begin() + std::min<std::ptrdiff_t>(mostOffered, std::ptrdiff_t(facets.size())));
    for (const std::string& value : set)
        if (std::none_of(all.begin(), all.end(),
                         [&](const RunFacet& facet) { return facet.value == value; }))
            all.push_back({value, 0});
    return all;
}

int countOf(const std::vector<RunFacet>& facets, const std::string& value)
{
    for (const RunFacet& facet : facets)
        if (facet.value == value)
            return facet.count;
    return 0;
}

} // namespace

FilterBar::FilterBar(QWidget* parent)
    : QWidget(parent), m_search(new QLineEdit), m_row(new QHBoxLayout),
      m_starred(new QPushButton(QStringLiteral("★"))), m_chipArea(new QWidget),
      m_chips(new FlowLayout(6, m_chipArea))
{
    setObjectName(QStringLiteral("historyFilters"));
    m_search->setObjectName(QStringLiteral("historySearch"));
    m_search->setPlaceholderText(tr("Search label, tags, notes, model, layout"));
    m_search->setAccessibleName(tr("Search the history"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    followTextSize(this, [this] {
        m_search->setMinimumWidth(scaled(150));
        m_search->setMaximumWidth(scaled(320));
    });
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(6);
    m_row->addWidget(m_search, 1);
    addFilter("filterState", tr("State"), tr("Only runs in these states"), &FilterBar::fillStates);
    addFilter("filterKind", tr("Kind"), tr("Only measured, paced or imported runs"),
              &FilterBar::fillKinds);
    addFilter("filterModel", tr("Model"), tr("Only runs of these models"), &FilterBar::fillModels);
    addFilter("filterLayout", tr("Layout"), tr("Only runs in these layouts, or of these sizes"),
              &FilterBar::fillLayouts);
    addFilter("filterSchedule", tr("Schedule"), tr("Only runs with these schedules"),
              &FilterBar::fillSchedules);
    addFilter("filterTag", tr("Tag"), tr("Only runs with all of these tags"), &FilterBar::fillTags);
    addFilter("filterStarted", tr("Started"), tr("Only runs of these days"),
              &FilterBar::fillStarted);
    m_starred->setObjectName(QStringLiteral("filterStarred"));
    m_starred->setCheckable(true);
    m_starred->setAccessibleName(tr("Only runs with a star"));
    m_starred->setToolTip(tr("Only runs with a star"));
    followTextSize(m_starred, [this] { m_starred->setFixedWidth(scaled(34)); });
    m_row->addWidget(m_starred);
    m_row->addStretch(1);
    m_chipArea->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(m_row);
    layout->addWidget(m_chipArea);
    m_delay.setSingleShot(true);
    m_delay.setInterval(typingMilliseconds);
    connect(m_search, &QLineEdit::textChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(&m_delay, &QTimer::timeout, this, &FilterBar::takeWords);
    connect(m_starred, &QPushButton::clicked, this,
            [this](bool only) { change([only](RunChoice& choice) { choice.starred = only; }); });
}

QPushButton* FilterBar::addFilter(const char* name, const QString& text, const QString& hint,
                                  void (FilterBar::*fill)(QMenu&))
{
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setProperty("look", "filter");
    button->setToolTip(hint);
    button->setAccessibleName(text);
    button->setAccessibleDescription(hint);
    auto* menu = new QMenu(button);
    connect(menu, &QMenu::aboutToShow, this, [this, menu, fill] {
        menu->clear();
        (this->*fill)(*menu);
    });
    button->setMenu(menu);
    m_row->addWidget(button);
    m_filters << button;
    return button;
}

void FilterBar::offer(QMenu& menu, const QString& text, int count, bool set,
                      std::function<void(RunChoice&)> how)
{
    QString shown = text;
    shown.replace(QLatin1Char('&'), QLatin1String("&&"));
    QAction* action =
        menu.addAction(count < 0 ? shown : tr("%1 (%2)").arg(shown, wholeNumber(count)));
    action->setCheckable(true);
    action->setChecked(set);
    connect(action, &QAction::triggered, this, [this, how = std::move(how)] { change(how); });
}

void FilterBar::offerNothing(QMenu& menu, const QString& why)
{
    menu.addAction(why)->setEnabled(false);
}

void FilterBar::fillStates(QMenu& menu)
{
    for (const RunState state :
         {RunState::Finished, RunState::Failed, RunState::Stopped, RunState::Running,
          RunState::Starting, RunState::Stopping, RunState::Draft}) {
        const int count = countOf(m_facets.states, toText(state));
        const bool set = contains(m_choice.states, state);
        if (count > 0 || set)
            offer(menu, stateText(state), count, set,
                  [state](RunChoice& choice) { toggle(choice.states, state); });
    }
    if (menu.isEmpty())
        offerNothing(menu, tr("There are no runs"));
}

void FilterBar::fillKinds(QMenu& menu)
{
    for (const RunKind kind : {RunKind::Measured, RunKind::Paced, RunKind::Imported}) {
        offer(menu, tr("%1: %2").arg(kindText(kind), kindHint(kind)),
              countOf(m_facets.kinds, toText(kind)), contains(m_choice.kinds, kind),
              [kind](RunChoice& choice) { toggle(choice.kinds, kind); });
    }
}

void FilterBar::fillModels(QMenu& menu)
{
    for (const RunFacet& facet : withSet(m_facets.models, m_choice.models))
        offer(menu, toQString(facet.value), facet.count, contains(m_choice.models, facet.value),
              [value = facet.value](RunChoice& choice) { toggle(choice.models, value); });
    if (menu.isEmpty())
        offerNothing(menu, tr("There are no runs"));
}

void FilterBar::fillSizes(QMenu& menu, const QString& title, const std::vector<RunFacet>& facets,
                          std::optional<int> RunChoice::*size)
{
    QMenu* sizes = menu.addMenu(title);
    std::vector<RunFacet> sorted = facets;
    std::sort(sorted.begin(), sorted.end(), [](const RunFacet& a, const RunFacet& b) {
        return std::atoi(a.value.c_str()) < std::atoi(b.value.c_str());
    });
    const std::optional<int> set = m_choice.*size;
    for (const RunFacet& facet : sorted) {
        const int value = std::atoi(facet.value.c_str());
        offer(*sizes, toQString(facet.value), facet.count, set == value,
              [size, value](RunChoice& choice) {
                  choice.*size = choice.*size == value ? std::nullopt : std::optional<int>(value);
              });
    }
    sizes->setEnabled(!sorted.empty());
}

void FilterBar::fillLayouts(QMenu& menu)
{
    fillSizes(menu, tr("Data parallel"), m_facets.dp, &RunChoice::dp);
    fillSizes(menu, tr("Tensor parallel"), m_facets.tp, &RunChoice::tp);
    fillSizes(menu, tr("Pipeline parallel"), m_facets.pp, &RunChoice::pp);
    menu.addSeparator();
    for (const RunFacet& facet : withSet(m_facets.layouts, m_choice.layouts))
        offer(menu, toQString(facet.value), facet.count, contains(m_choice.layouts, facet.value),
              [value = facet.value](RunChoice& choice) { toggle(choice.layouts, value); });
}

void FilterBar::fillSchedules(QMenu& menu)
{
    for (const RunFacet& facet : withSet(m_facets.schedules, m_choice.schedules))
        offer(menu, spoken(scheduleTitle(facet.value)), facet.count,
              contains(m_choice.schedules, facet.value),
              [value = facet.value](RunChoice& choice) { toggle(choice.schedules, value); });
    if (menu.isEmpty())
        offerNothing(menu, tr("There are no runs"));
}

void FilterBar::fillTags(QMenu& menu)
{
    for (const RunFacet& facet : withSet(m_facets.tags, m_choice.tags))
        offer(menu, toQString(facet.value), facet.count, contains(m_choice.tags, facet.value),
              [value = facet.value](RunChoice& choice) { toggle(choice.tags, value); });
    if (menu.isEmpty())
        offerNothing(menu, tr("No tags yet: add one in the details of a run"));
}

void FilterBar::fillStarted(QMenu& menu)
{
    using Started = RunChoice::Started;
    for (const Started started :
         {Started::Any, Started::Today, Started::Week, Started::Month, Started::Year})
        offer(menu, startedText(started), -1, m_choice.started == started,
              [started](RunChoice& choice) {
                  choice.started = started;
                  choice.from = choice.to = {};
              });
    menu.addSeparator();
    QAction* between = menu.addAction(startedText(Started::Between));
    between->setCheckable(true);
    between->setChecked(m_choice.started == Started::Between);
    connect(between, &QAction::triggered, this, &FilterBar::askDays);
}

void FilterBar::askDays()
{
    DaysDialog dialog(m_choice.from, m_choice.to, window());
    if (dialog.exec() != QDialog::Accepted)
        return;
    change([&](RunChoice& choice) {
        choice.from = dialog.from();
        choice.to = dialog.to();
        choice.started = choice.from.isValid() || choice.to.isValid() ? RunChoice::Started::Between
                                                                      : RunChoice::Started::Any;
    });
}

void FilterBar::change(const std::function<void(RunChoice&)>& how)
{
    RunChoice wanted = m_choice;
    wanted.text = m_search->text();
    how(wanted);
    setChoice(wanted);
    emit choiceChanged(m_choice);
}

void FilterBar::takeWords()
{
    if (m_choice.text == m_search->text())
        return;
    m_choice.text = m_search->text();
    emit choiceChanged(m_choice);
}

void FilterBar::setChoice(const RunChoice& choice)
{
    m_choice = choice;
    if (m_search->text() != choice.text)
        m_search->setText(choice.text);
    m_delay.stop();
    refresh();
}

void FilterBar::clear()
{
    change([](RunChoice& choice) { choice = {}; });
}

void FilterBar::refresh()
{
    const bool set[] = {!m_choice.states.empty(),
                        !m_choice.kinds.empty(),
                        !m_choice.models.empty(),
                        !m_choice.layouts.empty() || m_choice.dp || m_choice.tp || m_choice.pp,
                        !m_choice.schedules.empty(),
                        !m_choice.tags.empty(),
                        m_choice.started != RunChoice::Started::Any};
    for (int i = 0; i < m_filters.size(); ++i) {
        m_filters[i]->setProperty("set", set[i]);
        m_filters[i]->style()->polish(m_filters[i]);
    }
    m_starred->setChecked(m_choice.starred);
    refreshChips();
}

void FilterBar::refreshChips()
{
    // A chip that was pressed lives until its click has ended.
    while (QLayoutItem* item = m_chips->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    const std::vector<ChoiceChip> chips = chipsOf(m_choice);
    for (const ChoiceChip& chip : chips) {
        QPushButton* button = chipButton(chip.text, tr("Take this filter away: %1").arg(chip.text));
        button->setObjectName(QStringLiteral("filterChip"));
        connect(button, &QPushButton::clicked, this, [this, without = chip.without] {
            change([&](RunChoice& choice) {
                const QString text = choice.text;
                choice = without;
                choice.text = text;
            });
            m_search->setFocus();
        });
        m_chips->insertWidget(m_chips->count(), button);
    }
    if (!chips.empty()) {
        auto* all = new QPushButton(tr("Clear all"));
        all->setObjectName(QStringLiteral("clearFilters"));
        all->setProperty("look", "plain");
        connect(all, &QPushButton::clicked, this, [this] {
            clear();
            m_search->setFocus();
        });
        m_chips->insertWidget(m_chips->count(), all);
    }
    m_chipArea->setVisible(!chips.empty());
    updateGeometry();
}

void FilterBar::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void FilterBar::addTrailing(QWidget* widget)
{
    m_row->addWidget(widget);
}

bool FilterBar::eventFilter(QObject* object, QEvent* event)
{
    if (object != m_search || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(object, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape && !m_search->text().isEmpty()) {
        m_search->clear();
        return true;
    }
    if (key == Qt::Key_Escape || key == Qt::Key_Down || key == Qt::Key_Return ||
        key == Qt::Key_Enter) {
        m_delay.stop();
        takeWords();
        emit leaveRequested();
        return true;
    }
    return QWidget::eventFilter(object, event);
}

} // namespace triaxis::ui
