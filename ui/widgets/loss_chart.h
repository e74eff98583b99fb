#pragma once

#include <QWidget>

class QCPGraph;
class QCPItemRect;
class QCPItemText;
class QCustomPlot;

namespace triaxis::ui
{

/// Loss over steps with the best reachable loss as a dashed line.
class LossChart : public QWidget
{
    Q_OBJECT
public:
    explicit LossChart(QWidget* parent = nullptr);

    /// `lossName` names the unit: "nats per byte". `best` < 0: not known. `plannedSteps` is where the axis ends.
    void begin(const QString& lossName, double best, std::int64_t plannedSteps);
    /// Steps in ascending order, after those appended before.
    /// The steps that are looked at, as a band; none where last < first.
    void setRange(double first, double last);
    void append(const QList<double>& steps, const QList<double>& losses);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void colour();
    void fit();
    void showReading(const QPointF& position);

    QCustomPlot* m_plot;
    QCPGraph* m_loss;
    QCPGraph* m_bestLine;
    QCPItemText* m_bestLabel;
    QCPItemRect* m_band;
    QString m_lossName;
    double m_best = -1;
    double m_lowest = 0;
    double m_highest = 0;
    double m_planned = 1;
};

} // namespace triaxis::ui
