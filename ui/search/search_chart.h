#pragma once

#include "ui/search/search_rows.h"

#include <QPointF>
#include <QWidget>

#include <utility>

class QCPGraph;
class QCPItemLine;
class QCPItemText;
class QCustomPlot;
class QLabel;

namespace triaxis::ui
{

/// Layouts as points, step time against memory, with the Pareto front as a line and the device's
/// memory as a limit, or as a mark at the edge where it lies far off. A click chooses the nearest
/// point. Layouts that are many times slower than the fastest lie above the picture, so that the
/// front can be read.
class SearchChart : public QWidget
{
    Q_OBJECT
public:
    explicit SearchChart(QWidget* parent = nullptr);

    /// `capacity`: bytes of a device.
    void setRows(const std::vector<SearchRow>& rows, double capacity);
    /// The row that is selected; −1: none.
    void mark(int row);
    /// Layouts that are too slow for the picture.
    int beyond() const { return m_beyond; }
    /// Slowest step that the picture shows, seconds.
    double slowestShown() const { return m_slowest; }
    /// From least to most memory that the picture shows, bytes.
    std::pair<double, double> memoryShown() const;

signals:
    void chosen(int row);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Unit
    {
        double seconds = 1;
        QString name;
    };
    void setRanges(const std::vector<SearchRow>& rows, double capacity);
    void setMemoryRange(double least, double most, double capacity);
    void colour();
    void choose(const QPointF& position);
    QPointF placeOf(const SearchRow& row) const;

    QCustomPlot* m_plot;
    QLabel* m_legend;
    QCPGraph* m_others;
    QCPGraph* m_front;
    QCPGraph* m_thumb;
    QCPGraph* m_drawn;
    QCPGraph* m_marked;
    QCPItemLine* m_limit;
    QCPItemText* m_farLimit; ///< at the right edge, where the limit is beyond it
    Unit m_unit; ///< of the vertical axis
    double m_slowest = 0;
    int m_beyond = 0;
    std::vector<QPointF> m_places; ///< [row] memory in GiB, time in the axis's unit
};

} // namespace triaxis::ui
