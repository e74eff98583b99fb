#include "ui/sweep/sweep_view.h"

#include "engine/core/units.h"
#include "engine/formats/glossary.h"
#include "engine/sweep/sweep_layouts.h"
#include "ui/base/count_text.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/panels/figure_table.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/display_list_view.h"
#include "ui/widgets/panel.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double leastChart = 320;
constexpr double mostChart = 900;

QString secondsText(double seconds)
{
    return std::isfinite(seconds) ? spoken(units::seconds(seconds)) : QStringLiteral("–");
}

QString shareText(double share)
{
    return spoken(columnShare(share));
}

QString speedUpText(double speedUp)
{
    return std::isfinite(speedUp) ? QStringLiteral("×") + decimalText(speedUp, 2)
                                  : QStringLiteral("–");
}

std::vector<FigureTable::Name> columnNames()
{
    const auto defined = [](const char* id) { return spoken(glossaryEntry(id).definition); };
    return {{Words::tr("Ranks")},
            {Words::tr("Tokens/s"), defined("tokens-per-second")},
            {Words::tr("Step"), defined("step-time")},
            {Words::tr("Memory a rank"), defined("memory")},
            {Words::tr("Communication"), defined("communication-share")},
            {Words::tr("Bubble"), defined("bubble")},
            {Words::tr("Speed-up"), defined("speed-up")},
            {Words::tr("Efficiency"), defined("efficiency")}};
}

std::vector<FigureTable::Cell> cellsOf(const SweepRow& row)
{
    std::vector<FigureTable::Cell> cells{{QString::number(row.layout.ranks())}};
    if (!row.measured()) {
        cells.resize(columnNames().size(), {QStringLiteral("–"), spoken(row.reason)});
        return cells;
    }
    const bool finite = std::isfinite(row.memoryBytes);
    const QString warning = spoken(memoryWarning(row));
    const CommunicationShare& share = row.communication;
    cells.push_back({countText(row.tokensPerSecond), {}, Tone::Plain, true});
    cells.push_back({secondsText(row.stepSeconds),
                     Words::tr("middle half of %1: %2 – %3")
                         .arg(counted(std::int64_t(row.steps), QStringLiteral("step")),
                              secondsText(row.fastest), secondsText(row.slowest))});
    cells.push_back(
        {finite ? spoken(units::bytes(std::int64_t(row.memoryBytes))) : QStringLiteral("–"),
         warning, warning.isEmpty() ? Tone::Plain : Tone::Warning});
    cells.push_back(
        {shareText(share.total()),
         Words::tr("tensor %1 · pipeline %2 · data %3")
             .arg(shareText(share.tensor), shareText(share.pipeline), shareText(share.data))});
    cells.push_back({shareText(row.bubble)});
    cells.push_back({speedUpText(row.speedUp), {}, Tone::Plain, true});
    cells.push_back({shareText(row.efficiency)});
    return cells;
}

QString reasonsOf(const SweepTable& table)
{
    QStringList lines;
    for (const SweepRow& row : table.rows)
        if (!row.measured())
            lines << Words::tr("%1 was not measured: %2")
                         .arg(toQString(sizesText(row.layout)), spoken(row.reason));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

FigureTable sweepFigures(const SweepTable& table, const Layout* running)
{
    FigureTable figures;
    figures.columns = columnNames();
    for (const SweepRow& row : table.rows) {
        figures.rows.push_back(
            {toQString(sizesText(row.layout)), Words::tr("data × tensor × pipeline ranks")});
        figures.cells.push_back(cellsOf(row));
    }
    if (running) {
        figures.rows.push_back({toQString(sizesText(*running)), Words::tr("runs now")});
        std::vector<FigureTable::Cell> cells(figures.columns.size(), {QStringLiteral("…")});
        cells.front().text = QString::number(running->ranks());
        figures.cells.push_back(std::move(cells));
    }
    return figures;
}

SweepView::SweepView(QWidget* parent)
    : QWidget(parent), m_hint(new QLabel(tr("Press Start: the layouts run one after the other, "
                                            "and each is a row here when it has ended."))),
      m_column(new QVBoxLayout(this))
{
    m_hint->setProperty("role", "muted");
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    m_column->setContentsMargins(0, 0, 4, 0);
    m_column->setSpacing(12);
    m_column->addWidget(m_hint, 1);
    m_column->addStretch(0);
}

SweepView::Form& SweepView::form(std::size_t index)
{
    while (m_forms.size() <= index) {
        Form made{new Panel(QString()),
                  new FigureTableView(QStringLiteral("sweepTable%1").arg(m_forms.size()),
                                      tr("Layouts of the sweep")),
                  new DisplayListView, new QLabel};
        made.chart->setObjectName(QStringLiteral("sweepChart%1").arg(m_forms.size()));
        made.chart->setAccessibleName(tr("Speed-up by layout"));
        made.notes->setWordWrap(true);
        made.notes->setProperty("role", "hint");
        made.notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
        auto* content = new QWidget;
        auto* column = new QVBoxLayout(content);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(12);
        column->addWidget(made.table);
        column->addWidget(made.chart);
        column->addWidget(made.notes);
        column->addStretch(1);
        made.panel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
        made.panel->setContent(content);
        m_column->insertWidget(int(m_forms.size()), made.panel);
        m_forms.push_back(made);
    }
    return m_forms[index];
}

void SweepView::show(const std::vector<SweepTable>& tables, const Layout* running)
{
    m_tables = tables;
    m_hint->setVisible(tables.empty());
    for (std::size_t i = 0; i < std::max(tables.size(), m_forms.size()); ++i) {
        Form& shown = form(i);
        shown.panel->setVisible(i < tables.size());
        if (i >= tables.size())
            continue;
        const SweepTable& table = tables[i];
        const bool last = i + 1 == tables.size();
        shown.panel->setTitle(spoken(table.title));
        shown.table->setTable(sweepFigures(table, last ? running : nullptr));
        shown.table->setVisible(!table.rows.empty() || (last && running));
        QStringList notes;
        if (const QString reasons = reasonsOf(table); !reasons.isEmpty())
            notes << reasons;
        for (const std::string& note : table.notes)
            notes << spoken(note);
        shown.notes->setText(notes.join(QLatin1Char('\n')));
        shown.notes->setVisible(!notes.isEmpty());
        QStringList speedUps;
        for (const SweepRow& row : table.rows)
            if (std::isfinite(row.speedUp))
                speedUps << tr("%1: %2, efficiency %3")
                                .arg(toQString(sizesText(row.layout)), speedUpText(row.speedUp),
                                     shareText(row.efficiency));
        shown.chart->setAccessibleDescription(speedUps.join(QStringLiteral("; ")));
    }
    drawCharts();
}

void SweepView::drawCharts()
{
    for (std::size_t i = 0; i < m_tables.size(); ++i) {
        DisplayListView* chart = m_forms[i].chart;
        chart->setVisible(m_tables[i].base >= 0);
        const double room = (width() - 40) / fontScale();
        if (m_tables[i].base >= 0)
            chart->setList(drawScaling(m_tables[i], std::clamp(room, leastChart, mostChart)));
    }
}

void SweepView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    drawCharts();
}

} // namespace triaxis::ui
