#include "ui/history/history_list.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/history/filter_bar.h"
#include "ui/history/history_table.h"
#include "ui/history/history_text.h"
#include "ui/history/run_details.h"
#include "ui/models/history_model.h"
#include "ui/pages/layout_helpers.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/panel.h"

#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace triaxis::ui
{
namespace
{

constexpr int facetsMilliseconds = 120;
const QString choiceSetting = QStringLiteral("history/choice");
const QString detailsSetting = QStringLiteral("history/details");
const QString splitterSetting = QStringLiteral("history/splitter");

} // namespace

HistoryList::HistoryList(HistoryService& service, QWidget* parent)
    : QWidget(parent), m_service(service), m_model(new HistoryModel(service, this)),
      m_filters(new FilterBar), m_table(new HistoryTable(*m_model)), m_details(new RunDetails),
      m_stack(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("history"), {}, {}))
{
    setObjectName(QStringLiteral("historyList"));
    build();
    m_facetsDelay.setSingleShot(true);
    m_facetsDelay.setInterval(facetsMilliseconds);
    connect(&m_facetsDelay, &QTimer::timeout, this, &HistoryList::askFacets);
    connect(m_filters, &FilterBar::choiceChanged, this, &HistoryList::takeChoice);
    connect(m_filters, &FilterBar::leaveRequested, m_table, qOverload<>(&QWidget::setFocus));
    connect(m_details, &RunDetails::leaveRequested, m_table, qOverload<>(&QWidget::setFocus));
    connect(m_model, &HistoryModel::loaded, this, [this] {
        m_facetsDelay.start();
        refresh();
    });
    connect(m_table, &HistoryTable::selectionMoved, this, &HistoryList::refresh);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &HistoryList::refresh);
    restoreState();
    refresh();
}

HistoryList::~HistoryList()
{
    // The table goes before its model, and tells nobody.
    m_table->disconnect(this);
    m_details->disconnect(this);
    delete m_splitter;
}

void HistoryList::build()
{
    auto* panel = new Panel({});
    panel->body()->setContentsMargins(6, 0, 6, 6);
    panel->setContent(m_table);
    auto* details = new Panel({});
    details->setContent(m_details);
    m_detailsPanel = details;
    m_splitter = panelSplitter(Qt::Vertical);
    m_splitter->addWidget(panel);
    m_splitter->addWidget(details);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setSizes({1000, 176});
    buildEmpty();
    m_stack->addWidget(m_splitter);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(m_filters);
    layout->addWidget(m_stack, 1);
}

void HistoryList::buildEmpty()
{
    m_toPlan = m_empty->addButton(tr("Go to Plan"), true);
    m_toPlan->setObjectName(QStringLiteral("emptyToPlan"));
    m_toImport = m_empty->addButton(tr("Import a bundle…"), false);
    m_toImport->setObjectName(QStringLiteral("emptyImport"));
    m_toAll = m_empty->addButton(tr("Clear search and filters"), true);
    m_toAll->setObjectName(QStringLiteral("emptyClear"));
    m_toRuns = m_empty->addButton(tr("Back to all runs"), false);
    m_toRuns->setObjectName(QStringLiteral("emptyToRuns"));
    connect(m_toPlan, &QPushButton::clicked, this, &HistoryList::planRequested);
    connect(m_toImport, &QPushButton::clicked, this, &HistoryList::importRequested);
    connect(m_toAll, &QPushButton::clicked, this, &HistoryList::clearFilters);
    connect(m_toRuns, &QPushButton::clicked, this, &HistoryList::leaveTrashRequested);
}

void HistoryList::restoreState()
{
    const QSettings settings;
    m_filters->setChoice(choiceFromSettings(settings.value(choiceSetting).toMap()));
    m_splitter->restoreState(settings.value(splitterSetting).toByteArray());
    m_splitter->setChildrenCollapsible(false);
    m_detailsPanel->setVisible(settings.value(detailsSetting, true).toBool());
    takeChoice();
}

void HistoryList::saveState() const
{
    QSettings settings;
    settings.setValue(choiceSetting, toSettings(m_trash ? m_outside : m_filters->choice()));
    settings.setValue(detailsSetting, areDetailsShown());
    settings.setValue(splitterSetting, m_splitter->saveState());
    m_table->saveColumns();
}

void HistoryList::takeChoice()
{
    RunQuery query = queryOf(m_filters->choice(), QDate::currentDate());
    query.deleted = m_trash;
    m_model->setQuery(query);
    refresh();
}

void HistoryList::reload()
{
    m_model->reload();
}

void HistoryList::askFacets()
{
    const int request = ++m_facetsRequest;
    m_service.ask(
        this, [this, request, query = m_model->query()](History& history) -> Background::Delivery {
            return [this, request, facets = history.facets(query), storage = history.storage()] {
                if (request != m_facetsRequest)
                    return;
                m_storage = storage;
                m_filters->setFacets(facets);
                QStringList tags;
                for (const RunFacet& tag : facets.tags)
                    tags << toQString(tag.value);
                m_details->setKnownTags(tags);
                emit changed();
            };
        });
}

void HistoryList::setTrash(bool trash)
{
    if (m_trash == trash)
        return;
    m_details->flush();
    saveState();
    m_trash = trash;
    if (trash)
        m_outside = m_filters->choice();
    m_filters->setChoice(trash ? RunChoice() : m_outside);
    m_table->setTrash(trash);
    takeChoice();
    m_table->setFocus();
}

bool HistoryList::areDetailsShown() const
{
    return !m_detailsPanel->isHidden();
}

void HistoryList::showDetails(bool shown)
{
    if (!shown && m_detailsPanel->isAncestorOf(focusWidget()))
        m_table->setFocus();
    m_detailsPanel->setVisible(shown);
    emit changed();
}

bool HistoryList::isNarrowed() const
{
    return m_filters->choice() != RunChoice();
}

void HistoryList::clearFilters()
{
    m_filters->clear();
    m_table->setFocus();
}

void HistoryList::setStarredOnly(bool only)
{
    RunChoice choice = m_filters->choice();
    choice.starred = only;
    m_filters->setChoice(choice);
    takeChoice();
}

QString HistoryList::totalsLine() const
{
    if (!m_model->isLoaded())
        return {};
    const RunTotals& totals = m_model->totals();
    const int all = m_trash ? m_storage.deletedRuns : m_storage.runs;
    if (!isNarrowed() || all <= totals.runs)
        return totals.runs == 0 ? QString() : totalsText(totals);
    return tr("%1 of %2 · %3")
        .arg(wholeNumber(totals.runs), runsText(all), spoken(units::bytes(totals.bytes)));
}

void HistoryList::refresh()
{
    m_details->setRuns(m_table->selectedRuns());
    refreshEmpty();
    emit changed();
}

void HistoryList::refreshEmpty()
{
    const bool none = m_model->isLoaded() && m_model->total() == 0;
    const bool narrowed = isNarrowed();
    m_toAll->setVisible(narrowed);
    m_toPlan->setVisible(!narrowed && !m_trash);
    m_toImport->setVisible(!narrowed && !m_trash);
    m_toRuns->setVisible(m_trash);
    const QString words = m_filters->choice().text.trimmed();
    if (narrowed && !words.isEmpty())
        m_empty->setTexts(
            tr("No run matches"),
            isFiltered(m_filters->choice())
                ? tr("No run within these filters has “%1” in its label, tags, notes, "
                     "model, layout or schedule.")
                      .arg(words)
                : tr("Nothing in labels, tags, notes, models, layouts and schedules "
                     "contains “%1”.")
                      .arg(words));
    else if (narrowed)
        m_empty->setTexts(tr("No run matches"),
                          tr("No run meets all of these filters. Take one of them away."));
    else if (m_trash)
        m_empty->setTexts(tr("The trash is empty"),
                          tr("Deleted runs lie here until they are deleted for good."));
    else
        m_empty->setTexts(
            tr("No runs yet"),
            tr("Every run is kept here with its settings, losses and timelines, also "
               "those from the command line. Bundles that others hand on can be dropped "
               "here."));
    showEmpty(none);
}

void HistoryList::showEmpty(bool empty)
{
    if (m_stack->currentIndex() == int(empty))
        return;
    // The keys of the list work on after its last run has gone, and when one is back.
    const QWidget* left = m_stack->currentWidget();
    const bool focused = left->isAncestorOf(focusWidget()) || left == focusWidget();
    m_stack->setCurrentIndex(int(empty));
    if (!focused)
        return;
    if (!empty) {
        m_table->setFocus();
        return;
    }
    for (QPushButton* button : {m_toAll, m_toRuns, m_toPlan})
        if (!button->isHidden()) {
            button->setFocus();
            return;
        }
}

} // namespace triaxis::ui
