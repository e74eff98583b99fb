#pragma once

#include <QString>
#include <QWidget>

#include <vector>

class QPainter;

namespace triaxis::ui
{

/// Layers of each virtual stage as one bar with dividers to drag, and below each what it takes of
/// time and memory. Keyboard: Left, Right, Home and End choose a divider, Shift with Left or Right
/// moves it.
class LayerBar : public QWidget
{
    Q_OBJECT
public:
    explicit LayerBar(QWidget* parent = nullptr);

    /// How the virtual stages lie.
    struct Shape
    {
        std::vector<int> stageOf;    ///< pipeline stage by virtual stage; empty: each is one
        bool endsMayBeEmpty = false; ///< embedding and head may fill a virtual stage of their own
        bool operator==(const Shape&) const = default;
    };
    /// Layers by virtual stage; empty: nothing to show.
    void setLayers(std::vector<int> layers, Shape shape);
    void setLayers(std::vector<int> layers) { setLayers(std::move(layers), Shape{}); }
    const std::vector<int>& layers() const { return m_layers; }

    struct Cost
    {
        double share = 0; ///< of what a full bar stands for; above 1: too much
        QString text;     ///< "41.2 ms a microbatch, 98 % of the slowest"
        bool operator==(const Cost&) const = default;
    };
    /// Below each: time by virtual stage, memory by pipeline stage. Empty: not known.
    void setCosts(std::vector<Cost> times, std::vector<Cost> memory);

    /// Only the virtual stages of one chunk, with their neighbours paler; −1: all of them.
    void showChunk(int chunk);
    /// What each pipeline stage holds in all; nothing can be moved there.
    void showSums();
    bool showsSums() const { return m_sums; }
    int chunk() const { return m_chunk; }
    int chunks() const;
    /// Segments that are shown.
    int count() const { return m_count; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// Pixels that a segment needs to be read.
    static int leastSegment();
    /// Left edge of divider `index` of the shown ones (between segments index and index + 1).
    double dividerX(int index) const;

signals:
    /// Moves of one drag carry the same gesture number.
    void splitRequested(const std::vector<int>& layers, int gesture);
    /// The divider that keys move is at `x` now.
    void dividerChosen(int x);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void arrange();
    int pipelineStages() const;
    int stageAt(int segment) const;
    int layersAt(int segment) const;
    bool isNeighbour(int segment) const; ///< of the chunk that is shown
    double leastShare() const;           ///< pixels that every segment has besides its layers
    double pixelsOfLayer() const;
    double leftOf(int segment) const;
    QRectF box(int segment) const;
    int segmentAt(double x) const;
    int dividerAt(double x) const;
    void moveDivider(int index, int layersBefore);
    void chooseDivider(int index);
    QString textOf(int segment, double width) const;
    QString describe(int segment) const;
    void paintSegment(QPainter& painter, int segment) const;
    void paintCosts(QPainter& painter, int segment) const;
    void paintDividers(QPainter& painter) const;
    void say();

    std::vector<int> m_layers;
    Shape m_shape;
    std::vector<Cost> m_times, m_memory;
    int m_chunk = -1;
    bool m_sums = false;
    int m_first = 0; ///< virtual stage of the first segment
    int m_count = 0;
    int m_divider = 0; ///< the one that keys move
    int m_dragged = -1;
    double m_keptShare = -1; ///< leastShare() while something is dragged
    int m_gesture = 1;
};

} // namespace triaxis::ui
