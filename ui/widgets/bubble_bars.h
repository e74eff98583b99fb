#pragma once

#include <QWidget>

#include <vector>

class QPainter;

namespace triaxis::ui
{

/// Idle share of each pipeline stage, split by its reason, against the closed form.
class BubbleBars : public QWidget
{
    Q_OBJECT
public:
    /// Shares of the step without its tail; they sum to the stage's bubble.
    struct Stage
    {
        double warmUp = 0;
        double peerWait = 0;    ///< waiting for a peer, and idle between for other reasons
        double transfer = 0;    ///< exposed transfers
        double coolDown = 0;
        double bubble() const { return warmUp + peerWait + transfer + coolDown; }
        bool operator==(const Stage&) const = default;
    };
    explicit BubbleBars(QWidget* parent = nullptr);

    /// `closedForm` < 0: none for this schedule.
    void setStages(std::vector<Stage> stages, double closedForm);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    double rowHeight() const;
    double legendHeight() const;
    void paintStage(QPainter& painter, int stage, double scale) const;
    void paintLegend(QPainter& painter) const;

    std::vector<Stage> m_stages;
    double m_closedForm = -1;
};

} // namespace triaxis::ui
