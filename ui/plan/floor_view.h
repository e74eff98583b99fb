#pragma once

#include "ui/plan/floor_geometry.h"
#include "ui/plan/rank_share.h"
#include "ui/theme/theme.h"

#include <QAbstractScrollArea>

namespace triaxis::ui
{

/// Picture of the cluster: a cell a rank, coloured by stage, with the groups of the rank under the cursor, or else of the
/// selected one, lit up. Arrow keys select, Escape clears.
class FloorView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit FloorView(QWidget* parent = nullptr);

    /// `shares` empty: memory bars are left out.
    void showLayout(const Layout& layout, std::vector<RankShare> shares, int cores);
    std::optional<Coordinates> selected() const { return m_selected; }
    /// The cell under the cursor, or else the selected one.
    std::optional<Coordinates> shown() const { return m_hovered ? m_hovered : m_selected; }
    void select(std::optional<Coordinates> at);
    FloorGeometry floor() const;

    QSize sizeHint() const override;

signals:
    void shownChanged();

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    bool viewportEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Picture;
    QPointF offset() const;
    void updateScrollBars();
    void hover(std::optional<Coordinates> at);
    void moveSelection(int across, int down);
    bool isRelated(const Coordinates& at) const;
    void paintNode(const Picture& picture) const;
    void paintLinks(const Picture& picture) const;
    void paintGroup(const Picture& picture, int replica, int stage) const;
    void paintCell(const Picture& picture, const Coordinates& at) const;
    void paintMemoryBar(const Picture& picture, const QRectF& cell, const Coordinates& at,
                        const QColor& ink) const;

    Layout m_layout;
    std::vector<RankShare> m_shares;
    std::int64_t m_fullest = 1;
    int m_cores = 1;
    std::optional<Coordinates> m_selected;
    std::optional<Coordinates> m_hovered;
};

} // namespace triaxis::ui
