#include "ui/search/search_chart.h"

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plot_colours.h"

#include <QEvent>
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

} // namespace

SearchChart::SearchChart(QWidget* parent)
    : QWidget(parent), m_plot(new QCustomPlot(this)), m_points(nullptr), m_front(nullptr),
      m_thumb(nullptr), m_marked(nullptr), m_limit(nullptr)
{
    setObjectName(QStringLiteral("searchChart"));
    setAccessibleName(QStringLiteral("Step time against memory of the layouts found"));
    setMinimumSize(280, 180);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    m_plot->xAxis->setLabel(QStringLiteral("memory of the fullest rank, GiB"));
    m_plot->yAxis->setLabel(QStringLiteral("step, s"));
    m_front = m_plot->addGraph();
    m_front->setLineStyle(QCPGraph::lsStepLeft);
    m_points = m_plot->addGraph();
    m_thumb = m_plot->addGraph();
    m_marked = m_plot->addGraph();
    for (QCPGraph* graph : {m_points, m_thumb, m_marked})
        graph->setLineStyle(QCPGraph::lsNone);
    m_limit = new QCPItemLine(m_plot);
    m_limit->setClipToAxisRect(true);
    connect(m_plot, &QCustomPlot::mousePress, this,
            [this](QMouseEvent* event) { choose(event->position()); });
    colour();
}

void SearchChart::setRows(const std::vector<SearchRow>& rows, double capacity)
{
    m_places.clear();
    for (QCPGraph* graph : {m_points, m_front, m_thumb, m_marked})
        graph->data()->clear();
    double most = capacity / gib;
    double slowest = 0;
    double fastest = rows.empty() ? 0 : rows.front().priced.seconds;
    for (const SearchRow& row : rows) {
        const QPointF place(row.priced.memory / gib, row.priced.seconds);
        m_places.push_back(place);
        (row.thumb ? m_thumb : m_points)->addData(place.x(), place.y());
        if (row.onFront)
            m_front->addData(place.x(), place.y());
        most = std::max(most, place.x());
        slowest = std::max(slowest, place.y());
        fastest = std::min(fastest, place.y());
    }
    const double pad = std::max((slowest - fastest) * 0.08, slowest * 0.01);
    m_plot->xAxis->setRange(0, most * 1.05);
    m_plot->yAxis->setRange(std::max(0.0, fastest - pad), std::max(slowest + pad, 1e-9));
    m_limit->start->setCoords(capacity / gib, -1e9);
    m_limit->end->setCoords(capacity / gib, 1e9);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
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
    m_points->setScatterStyle(disc(theme.accent, 6));
    m_thumb->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(theme.warning, 2),
                                             QBrush(theme.panel), 10));
    m_marked->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.text, 2), Qt::NoBrush, 14));
    m_front->setPen(QPen(theme.muted, 1.2));
    m_limit->setPen(QPen(theme.danger, 1.4, Qt::DashLine));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void SearchChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        colour();
}

} // namespace triaxis::ui
