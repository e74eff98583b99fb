#pragma once

#include "ui/search/search_model.h"

#include <QWidget>

class QCPGraph;
class QCPItemLine;
class QCustomPlot;

namespace triaxis::ui
{

/// Layouts as points, step time against memory, with the Pareto front as a line and the device's
/// memory as a limit. A click chooses the nearest point.
class SearchChart : public QWidget
{
    Q_OBJECT
public:
    explicit SearchChart(QWidget* parent = nullptr);

    /// `capacity`: bytes of a device.
    void setRows(const std::vector<SearchRow>& rows, double capacity);
    void mark(int row);

signals:
    void chosen(int row);

protected:
    void changeEvent(QEvent* event) override;

private:
    void colour();
    void choose(const QPointF& position);

    QCustomPlot* m_plot;
    QCPGraph* m_points;
    QCPGraph* m_front;
    QCPGraph* m_thumb;
    QCPGraph* m_marked;
    QCPItemLine* m_limit;
    std::vector<QPointF> m_places; ///< [row] memory in GiB, seconds
};

} // namespace triaxis::ui
