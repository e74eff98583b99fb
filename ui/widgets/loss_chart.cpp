#include "ui/widgets/loss_chart.h"

#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plot_colours.h"
#include "ui/base/language.h"

#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis::ui
{
namespace
{

/// Round numbers, and the last step of the run whether it is round or not.
class StepTicker : public QCPAxisTicker
{
public:
    StepTicker() { setTickCount(4); }

protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override
    {
        QVector<double> ticks = QCPAxisTicker::createTickVector(tickStep, range);
        const double last = std::floor(range.upper);
        const double tooNear = range.size() * 0.12; // their numbers would touch
        ticks.erase(std::remove_if(ticks.begin(), ticks.end(),
                                   [&](double tick) { return tick > last - tooNear; }),
                    ticks.end());
        ticks.append(last);
        return ticks;
    }
};

} // namespace

LossChart::LossChart(QWidget* parent)
    : QWidget(parent), m_plot(new QCustomPlot(this)), m_loss(nullptr), m_bestLine(nullptr),
      m_bestLabel(nullptr), m_band(nullptr)
{
    setObjectName(QStringLiteral("lossChart"));
    setMinimumSize(160, 90);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    m_plot->setMinimumSize(0, 0);
    m_plot->setFocusPolicy(Qt::NoFocus); // it takes no keys
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->xAxis->setTicker(QSharedPointer<StepTicker>::create());
    m_plot->yAxis->ticker()->setTickCount(4);
    m_plot->xAxis->setLabel(tr("step"));
    m_plot->xAxis->setNumberFormat(QStringLiteral("f"));
    m_plot->xAxis->setNumberPrecision(0);
    m_plot->xAxis->setLabelPadding(2);
    m_plot->yAxis->setLabelPadding(4);
    m_band = new QCPItemRect(m_plot);
    m_band->setVisible(false);
    m_band->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_band->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_band->setLayer(QStringLiteral("grid"));
    m_loss = m_plot->addGraph();
    m_bestLine = m_plot->addGraph();
    m_bestLabel = new QCPItemText(m_plot);
    m_bestLabel->setText(tr("best reachable"));
    // At the left, where the loss is still far above the line.
    m_bestLabel->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    m_bestLabel->setPadding({4, 0, 0, 0});
    m_bestLabel->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    m_bestLabel->position->setTypeY(QCPItemPosition::ptPlotCoords);
    m_plot->installEventFilter(this);
    m_plot->setMouseTracking(true);
    begin(tr("nats per token"), -1, 1);
}

void LossChart::begin(const QString& lossName, double best, std::int64_t plannedSteps)
{
    m_lossName = lossName;
    m_best = best;
    m_planned = std::max<double>(2, double(plannedSteps));
    m_lowest = std::numeric_limits<double>::infinity();
    m_highest = -std::numeric_limits<double>::infinity();
    m_loss->data()->clear();
    m_bestLine->data()->clear();
    const bool hasBest = best >= 0;
    m_bestLabel->setVisible(hasBest);
    if (hasBest) {
        m_bestLine->setData({0, m_planned}, {best, best}, true);
        m_bestLabel->position->setCoords(0, best);
    }
    m_plot->yAxis->setLabel(lossName);
    setAccessibleName(tr("Loss in %1").arg(lossName));
    colour();
    fit();
}

void LossChart::setRange(double first, double last)
{
    m_band->setVisible(last >= first);
    m_band->topLeft->setCoords(first - 0.5, 0);
    m_band->bottomRight->setCoords(last + 0.5, 1);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LossChart::append(const QList<double>& steps, const QList<double>& losses)
{
    for (qsizetype i = 0; i < losses.size(); ++i) {
        if (!std::isfinite(losses[i]))
            continue;
        m_loss->addData(steps[i], losses[i]);
        m_lowest = std::min(m_lowest, losses[i]);
        m_highest = std::max(m_highest, losses[i]);
    }
    if (!steps.isEmpty()) {
        m_planned = std::max(m_planned, steps.last());
        setAccessibleDescription(
            tr("step %1: %2").arg(steps.last()).arg(lossText(losses.last())));
    }
    fit();
}

void LossChart::fit()
{
    double low = m_lowest;
    double high = m_highest;
    if (!(low <= high))
        low = 0, high = 1;
    if (m_best >= 0)
        low = std::min(low, m_best);
    const double pad = std::max(0.05, (high - low) * 0.08);
    // Half of the last number lies beyond the end of the axis.
    const QFontMetrics metrics(m_plot->xAxis->tickLabelFont());
    const int beyond = metrics.horizontalAdvance(decimalText(m_planned, 0)) / 2 + 4;
    m_plot->axisRect()->setMinimumMargins({0, 6, std::max(16, beyond), 0});
    m_plot->xAxis->setRange(0, m_planned);
    m_plot->yAxis->setRange(std::max(0.0, low - pad), high + pad);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LossChart::colour()
{
    const Theme& theme = themeOf(palette());
    colourAxes(*m_plot, theme);
    m_plot->xAxis->grid()->setVisible(false);
    m_loss->setPen(QPen(theme.accent, 1.8));
    QColor band = theme.accent;
    band.setAlphaF(0.14F);
    m_band->setPen(Qt::NoPen);
    m_band->setBrush(band);
    QPen dashed(theme.tensor, 1.4);
    dashed.setDashPattern({4, 3});
    m_bestLine->setPen(dashed);
    m_bestLabel->setColor(theme.tensor);
    m_bestLabel->setFont(fontOf(FontRole::Tiny));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LossChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        colour();
}

bool LossChart::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseMove)
        showReading(static_cast<QMouseEvent*>(event)->position());
    return QWidget::eventFilter(watched, event);
}

void LossChart::showReading(const QPointF& position)
{
    const auto& data = *m_loss->data();
    const double step = m_plot->xAxis->pixelToCoord(position.x());
    if (data.isEmpty() || step < 0 || step > data.at(data.size() - 1)->key + 1) {
        m_plot->setToolTip({});
        return;
    }
    const auto at = data.findBegin(std::round(step), false);
    const auto point = at == data.constEnd() ? data.constEnd() - 1 : at;
    m_plot->setToolTip(tr("step %1: %2 %3")
                           .arg(point->key)
                           .arg(lossText(point->value), m_lossName));
}

} // namespace triaxis::ui
