#pragma once

#include <QWidget>

#include <vector>

class QPainter;

namespace triaxis::ui
{

/// Layers of each stage as one bar with dividers to drag. Keyboard: Left and Right choose a
/// divider, with Shift they move it.
class LayerBar : public QWidget
{
    Q_OBJECT
public:
    explicit LayerBar(QWidget* parent = nullptr);

    /// Layers by stage; empty: nothing to show.
    void setLayers(std::vector<int> layers);
    const std::vector<int>& layers() const { return m_layers; }
    /// Below each stage: what it takes of a microbatch's time, relative to the slowest, and of its
    /// device's memory, 1: all of it. Empty: not known.
    void setCosts(std::vector<double> times, std::vector<double> memory);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    /// Left edge of divider `index` (between stage index and index + 1).
    double dividerX(int index) const;

signals:
    /// Moves of one drag carry the same gesture number.
    void splitRequested(const std::vector<int>& layers, int gesture);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int total() const;
    QRectF segment(int stage) const;
    int dividerAt(double x) const;
    void moveDivider(int index, int layersBefore);
    int layersBefore(int index) const;
    QString textOf(int stage, double width) const;
    void paintCosts(QPainter& painter, int stage) const;
    void say();

    std::vector<int> m_layers;
    std::vector<double> m_times, m_memory;
    int m_divider = 0; ///< the one that keys move
    int m_dragged = -1;
    int m_gesture = 1;
};

} // namespace triaxis::ui
