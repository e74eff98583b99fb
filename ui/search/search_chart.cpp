#include "ui/search/search_chart.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plot_colours.h"

#include <QEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double gib = double(1 << 30);
constexpr double grabDistance = 14;
constexpr double mostTimesFastest = 3; ///< of what the picture shows

QString legendEntry(const QString& sign, const QColor& colour, const QString& text)
{
    return QStringLiteral("<span style='color:%1'>%2</span>&nbsp;%3")
        .arg(colour.name(), sign, text);
}

} // namespace

SearchChart::SearchChart(QWidget* parent)
    : QWidget(parent), m_plot(new QCustomPlot(this)), m_legend(new QLabel)
{
    setObjectName(QStringLiteral("searchChart"));
    setAccessibleName(tr("Step time against memory of the layouts found"));
    setMinimumSize(280, 160);
    m_legend->setProperty("role", "small");
    m_legend->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_legend);
    m_plot->xAxis->setLabel(tr("memory of the fullest rank, GiB"));
    m_front = m_plot->addGraph();
    m_front->setLineStyle(QCPGraph::lsStepLeft);
    m_others = m_plot->addGraph();
    m_thumb = m_plot->addGraph();
    m_drawn = m_plot->addGraph();
    m_marked = m_plot->addGraph();
    for (QCPGraph* graph : {m_others, m_thumb, m_drawn, m_marked})
        graph->setLineStyle(QCPGraph::lsNone);
    m_limit = new QCPItemLine(m_plot);
    m_limit->setClipToAxisRect(true);
    m_limit->setVisible(false);
    m_farLimit = new QCPItemText(m_plot);
    m_farLimit->setVisible(false);
    m_farLimit->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
    m_farLimit->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_farLimit->position->setCoords(1, 0);
    connect(m_plot, &QCustomPlot::mousePress, this,
            [this](QMouseEvent* event) { choose(event->position()); });
    colour();
}

QPointF SearchChart::placeOf(const SearchRow& row) const
{
    return {row.priced.memory / gib, row.priced.seconds / m_unit.seconds};
}

void SearchChart::setRows(const std::vector<SearchRow>& rows, double capacity)
{
    setRanges(rows, capacity);
    m_places.clear();
    for (QCPGraph* graph : {m_others, m_front, m_thumb, m_drawn, m_marked})
        graph->data()->clear();
    for (const SearchRow& row : rows) {
        const QPointF place = placeOf(row);
        m_places.push_back(place);
        (row.onFront ? m_front : m_others)->addData(place.x(), place.y());
        if (row.thumb)
            m_thumb->addData(place.x(), place.y());
        if (row.drawn)
            m_drawn->addData(place.x(), place.y());
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

/// From a little below the fastest to a few times as slow, farther only for the plan that is drawn.
void SearchChart::setRanges(const std::vector<SearchRow>& rows, double capacity)
{
    double least = capacity;
    double most = 0;
    double fastest = rows.empty() ? 1 : rows.front().priced.seconds;
    double slowest = fastest;
    double drawn = 0;
    for (const SearchRow& row : rows) {
        fastest = std::min(fastest, row.priced.seconds);
        slowest = std::max(slowest, row.priced.seconds);
        if (row.drawn)
            drawn = row.priced.seconds;
    }
    m_slowest = std::min(slowest, std::max(mostTimesFastest * fastest, drawn));
    m_beyond = 0;
    for (const SearchRow& row : rows) {
        if (row.priced.seconds > m_slowest) {
            ++m_beyond;
            continue;
        }
        least = std::min(least, row.priced.memory);
        most = std::max(most, row.priced.memory);
    }
    m_unit = m_slowest < 1    ? Unit{1e-3, tr("ms")}
             : fastest >= 300 ? Unit{60, tr("min")}
                              : Unit{1, tr("s")};
    const double pad = std::max((m_slowest - fastest) * 0.08, m_slowest * 0.01);
    m_plot->yAxis->setLabel(tr("step, ") + m_unit.name);
    m_plot->yAxis->setRange(std::max(0.0, fastest - pad) / m_unit.seconds,
                            (m_slowest + pad) / m_unit.seconds);
    setMemoryRange(least, most, capacity);
}

/// The range of the layouts; with the device's memory where that does not squeeze them.
void SearchChart::setMemoryRange(double least, double most, double capacity)
{
    const double near = most + std::max(0.5 * (most - least), 0.1 * most);
    const bool isFar = most > 0 && capacity > near;
    const double right = isFar ? most : std::max(most, capacity);
    const double pad = std::max(0.06 * (right - least), 0.02 * right);
    m_plot->xAxis->setRange(std::max(0.0, least - pad) / gib, (right + pad) / gib);
    m_limit->start->setCoords(capacity / gib, -1e9);
    m_limit->end->setCoords(capacity / gib, 1e9);
    m_limit->setVisible(!isFar);
    m_farLimit->setText(spoken(units::bytes(std::int64_t(capacity))) + QStringLiteral(" ▸"));
    m_farLimit->setVisible(isFar);
}

std::pair<double, double> SearchChart::memoryShown() const
{
    return {m_plot->xAxis->range().lower * gib, m_plot->xAxis->range().upper * gib};
}

void SearchChart::mark(int row)
{
    m_marked->data()->clear();
    if (row >= 0 && row < int(m_places.size()))
        m_marked->addData(m_places[std::size_t(row)].x(), m_places[std::size_t(row)].y());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void SearchChart::choose(const QPointF& position)
{
    int nearest = -1;
    double distance = grabDistance;
    for (std::size_t row = 0; row < m_places.size(); ++row) {
        const double x = m_plot->xAxis->coordToPixel(m_places[row].x()) - position.x();
        const double y = m_plot->yAxis->coordToPixel(m_places[row].y()) - position.y();
        if (std::hypot(x, y) < distance) {
            distance = std::hypot(x, y);
            nearest = int(row);
        }
    }
    if (nearest >= 0)
        emit chosen(nearest);
}

void SearchChart::colour()
{
    const Theme& theme = themeOf(palette());
    colourAxes(*m_plot, theme);
    const auto disc = [](const QColor& colour, double size) {
        return QCPScatterStyle(QCPScatterStyle::ssDisc, colour, colour, size);
    };
    m_others->setScatterStyle(disc(theme.muted, 5));
    m_front->setScatterStyle(disc(theme.accent, 7));
    m_thumb->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(theme.warning, 2),
                                             QBrush(theme.panel), 11));
    m_drawn->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssSquare, QPen(theme.good, 2), QBrush(theme.panel), 10));
    m_marked->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.text, 2), Qt::NoBrush, 16));
    m_front->setPen(QPen(theme.accent, 1.2));
    m_limit->setPen(QPen(theme.danger, 1.4, Qt::DashLine));
    m_farLimit->setColor(theme.danger);
    m_farLimit->setFont(fontOf(FontRole::Small));
    m_legend->setText(
        QStringList{legendEntry(QStringLiteral("●"), theme.accent, tr("on the front")),
                    legendEntry(QStringLiteral("●"), theme.muted, tr("other")),
                    legendEntry(QStringLiteral("◇"), theme.warning, tr("rule of thumb")),
                    legendEntry(QStringLiteral("□"), theme.good, tr("this plan")),
                    legendEntry(QStringLiteral("┆ ▸"), theme.danger, tr("the device's memory"))}
            .join(QStringLiteral("&nbsp;&nbsp; ")));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void SearchChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        colour();
}

} // namespace triaxis::ui
