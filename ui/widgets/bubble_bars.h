#pragma once

#include "engine/timeline/bubble_phases.h"

#include <QWidget>

#include <vector>

class QPainter;

namespace triaxis::ui
{

/// The step of each pipeline stage as one bar of its phases, with the bubble and its closed form beside it.
class BubbleBars : public QWidget
{
    Q_OBJECT
public:
    explicit BubbleBars(QWidget* parent = nullptr);

    void setStages(std::vector<StagePhases> stages, const ClosedForm& closedForm);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    double rowHeight() const;
    double rowsHeight() const { return rowHeight() * double(m_stages.size()); }
    void paintStage(QPainter& painter, std::size_t row) const;
    /// Places of the legend's entries in a width; the last y is its height.
    std::vector<QPointF> legendPlaces(double width, double& height) const;
    void paintLegend(QPainter& painter) const;

    std::vector<StagePhases> m_stages;
    std::vector<double> m_closed; ///< beside the stages
};

} // namespace triaxis::ui
