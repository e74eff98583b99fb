#include "ui/plan/floor_view.h"

#include "engine/core/units.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <limits>

namespace triaxis::ui
{

/// What the parts of one repaint share.
struct FloorView::Picture
{
    QPainter& painter;
    const Theme& theme;
    FloorGeometry geometry;
    QRectF visible;
};

FloorView::FloorView(QWidget* parent) : QAbstractScrollArea(parent)
{
    setObjectName(QStringLiteral("floor"));
    setAccessibleName(QStringLiteral("Ranks of the cluster"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setAutoFillBackground(false);
    viewport()->setMouseTracking(true);
    setMinimumHeight(120);
}

void FloorView::showLayout(const Layout& layout, std::vector<RankShare> shares, int cores)
{
    m_layout = layout;
    m_shares = std::move(shares);
    m_cores = cores;
    m_fullest = 1;
    for (const RankShare& share : m_shares)
        m_fullest = std::max(m_fullest, share.totalBytes());
    const auto outside = [&](const std::optional<Coordinates>& at) {
        return at && (at->data >= layout.dp || at->tensor >= layout.tp ||
                      at->pipeline >= layout.pp);
    };
    if (outside(m_selected))
        m_selected.reset();
    if (outside(m_hovered))
        m_hovered.reset();
    updateScrollBars();
    viewport()->update();
    emit shownChanged();
}

void FloorView::select(std::optional<Coordinates> at)
{
    m_selected = at;
    if (at) {
        const Rank rank = rankOf(m_layout, *at);
        setAccessibleDescription(
            QStringLiteral("rank %1, %2").arg(rank.value).arg(toQString(toText(*at))));
    }
    viewport()->update();
    emit shownChanged();
}

void FloorView::hover(std::optional<Coordinates> at)
{
    if (at == m_hovered)
        return;
    m_hovered = at;
    viewport()->update();
    emit shownChanged();
}

FloorGeometry FloorView::floor() const
{
    return {m_layout, QSizeF(viewport()->size()) - QSizeF(1, 1), fontScale()};
}

QSize FloorView::sizeHint() const
{
    return {600, 300};
}

QPointF FloorView::offset() const
{
    const QSizeF size = floor().size();
    const double spare = std::max(0.0, (viewport()->width() - size.width()) / 2);
    const double below = std::max(0.0, (viewport()->height() - size.height()) / 2);
    return {spare - horizontalScrollBar()->value(), below - verticalScrollBar()->value()};
}

void FloorView::updateScrollBars()
{
    const QSizeF size = floor().size();
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setRange(0, std::max(0, int(size.width()) + 1 - viewport()->width()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, int(size.height()) + 1 - viewport()->height()));
}

bool FloorView::isRelated(const Coordinates& at) const
{
    const auto centre = shown();
    if (!centre)
        return true;
    const int same = int(at.data == centre->data) + int(at.tensor == centre->tensor) +
                     int(at.pipeline == centre->pipeline);
    return same >= 2;
}

void FloorView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF shift = offset();
    painter.translate(shift);
    const Picture picture{painter, themeOf(palette()), floor(),
                          QRectF(viewport()->rect()).translated(-shift)};
    paintNode(picture);
    paintLinks(picture);
    for (int replica = 0; replica < m_layout.dp; ++replica) {
        for (int stage = 0; stage < m_layout.pp; ++stage) {
            if (picture.geometry.group(replica, stage).intersects(picture.visible))
                paintGroup(picture, replica, stage);
        }
    }
}

void FloorView::paintNode(const Picture& picture) const
{
    QPainter& painter = picture.painter;
    const QRectF frame = picture.geometry.node().adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(picture.theme.line, 1));
    painter.setBrush(picture.theme.raised);
    painter.drawRoundedRect(frame, 8, 8);
    painter.setFont(fontOf(FontRole::Small));
    painter.setPen(picture.theme.muted);
    const QRectF header = QRectF(frame.left(), frame.top(), frame.width(), 26 * fontScale())
                              .adjusted(12, 0, -12, 0);
    const QString left = QStringLiteral("this machine");
    const QString right = QStringLiteral("%1 on %2").arg(
        counted(m_layout.ranks(), QStringLiteral("CPU rank")),
        counted(m_cores, QStringLiteral("core")));
    painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter, left);
    const QFontMetrics metrics = painter.fontMetrics();
    if (metrics.horizontalAdvance(left + right) + 20 < header.width())
        painter.drawText(header, Qt::AlignRight | Qt::AlignVCenter, right);
}

void FloorView::paintLinks(const Picture& picture) const
{
    QPainter& painter = picture.painter;
    const auto centre = shown();
    const auto link = [&](const QRectF& box, QColor colour, bool lit) {
        if (!box.intersects(picture.visible))
            return;
        if (!lit)
            colour = mixed(picture.theme.raised, colour, 0.25);
        painter.fillRect(box, colour);
    };
    for (int replica = 0; replica < m_layout.dp; ++replica) {
        for (int stage = 0; stage < m_layout.pp; ++stage) {
            if (stage + 1 < m_layout.pp)
                link(picture.geometry.pipelineLink(replica, stage), picture.theme.pipeline,
                     !centre || centre->data == replica);
            if (replica + 1 < m_layout.dp)
                link(picture.geometry.dataLink(replica, stage), picture.theme.data,
                     !centre || centre->pipeline == stage);
        }
    }
}

void FloorView::paintGroup(const Picture& picture, int replica, int stage) const
{
    QPainter& painter = picture.painter;
    const auto centre = shown();
    const bool lit = !centre || (centre->data == replica && centre->pipeline == stage);
    const QRectF group = picture.geometry.group(replica, stage);
    painter.setFont(fontOf(FontRole::Small));
    painter.setPen(picture.theme.muted);
    const QRectF title(group.left() + 2, group.top(), group.width() - 4,
                       picture.geometry.titleHeight() - 2);
    const QString full = QStringLiteral("stage %1 · replica %2").arg(stage).arg(replica);
    const bool fits = painter.fontMetrics().horizontalAdvance(full) <= title.width();
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                     fits ? full : QStringLiteral("s%1 · r%2").arg(stage).arg(replica));
    QPen dashed(lit ? picture.theme.tensor
                    : mixed(picture.theme.raised, picture.theme.tensor, 0.35),
                1.4);
    dashed.setDashPattern({3.2, 2.4});
    painter.setPen(dashed);
    painter.setBrush(picture.theme.panel);
    painter.drawRoundedRect(picture.geometry.outline(replica, stage).adjusted(0.7, 0.7, -0.7, -0.7),
                            6, 6);
    for (int tensor = 0; tensor < m_layout.tp; ++tensor)
        paintCell(picture, {replica, tensor, stage});
}

void FloorView::paintCell(const Picture& picture, const Coordinates& at) const
{
    QPainter& painter = picture.painter;
    const QRectF cell = picture.geometry.cell(at);
    const auto centre = shown();
    QColor fill = picture.theme.stage(at.pipeline);
    if (!isRelated(at))
        fill = mixed(picture.theme.panel, fill, 0.4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(cell, 5, 5);
    if (centre && isRelated(at) && at != *centre) {
        const QColor ring = at.pipeline != centre->pipeline ? picture.theme.pipeline
                            : at.data != centre->data       ? picture.theme.data
                                                            : picture.theme.tensor;
        painter.setPen(QPen(ring, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(cell.adjusted(1, 1, -1, -1), 5, 5);
    }
    if (centre && at == *centre) {
        painter.setPen(QPen(picture.theme.text, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(cell.adjusted(0, 0, 0, 0), 5, 5);
    }
    const QColor ink = labelOn(fill);
    painter.setPen(ink);
    painter.setFont(fontOf(FontRole::SmallBold));
    const QString label = QStringLiteral("%1·%2·%3").arg(at.data).arg(at.tensor).arg(at.pipeline);
    if (painter.fontMetrics().horizontalAdvance(label) > cell.width() - 4)
        return;
    const double line = painter.fontMetrics().height();
    const bool withRank = cell.height() >= 2 * line + 12;
    const double top = cell.top() + (withRank ? 4 : cell.height() >= line + 12 ? 3 : 0);
    const double height = cell.height() >= line + 12 ? line : cell.height();
    painter.drawText(QRectF(cell.left(), top, cell.width(), height), Qt::AlignCenter, label);
    if (withRank) {
        painter.setFont(fontOf(FontRole::Tiny));
        painter.drawText(QRectF(cell.left(), top + line - 1, cell.width(), line), Qt::AlignCenter,
                         QStringLiteral("rank %1").arg(rankOf(m_layout, at).value));
    }
    if (cell.height() >= line + 12)
        paintMemoryBar(picture, cell, at, ink);
}

void FloorView::paintMemoryBar(const Picture& picture, const QRectF& cell, const Coordinates& at,
                               const QColor& ink) const
{
    if (m_shares.empty())
        return;
    const double share =
        double(shareOf(m_shares, m_layout, at).totalBytes()) / double(m_fullest);
    const QRectF track(cell.left() + 6, cell.bottom() - 9, cell.width() - 12, 5);
    QColor empty = ink;
    empty.setAlphaF(0.14F);
    QColor full = ink;
    full.setAlphaF(0.5F);
    picture.painter.setPen(Qt::NoPen);
    picture.painter.setBrush(empty);
    picture.painter.drawRoundedRect(track, 2.5, 2.5);
    picture.painter.setBrush(full);
    picture.painter.drawRoundedRect(
        QRectF(track.left(), track.top(), std::max(3.0, track.width() * share), track.height()),
        2.5, 2.5);
}

void FloorView::resizeEvent(QResizeEvent*)
{
    updateScrollBars();
}

bool FloorView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        hover(std::nullopt);
    return QAbstractScrollArea::viewportEvent(event);
}

void FloorView::mouseMoveEvent(QMouseEvent* event)
{
    hover(floor().cellAt(event->position() - offset()));
}

void FloorView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        select(floor().cellAt(event->position() - offset()));
}

void FloorView::moveSelection(int across, int down)
{
    if (!m_selected) {
        select(Coordinates{});
        return;
    }
    const FloorGeometry picture = floor();
    const QPointF from = picture.cell(*m_selected).center();
    double nearest = std::numeric_limits<double>::infinity();
    Coordinates best = *m_selected;
    for (int rank = 0; rank < m_layout.ranks(); ++rank) {
        const Coordinates at = coordinatesOf(m_layout, Rank(rank));
        const QPointF step = picture.cell(at).center() - from;
        const double along = step.x() * across + step.y() * down;
        const double aside = std::abs(step.x() * down) + std::abs(step.y() * across);
        if (along <= 1)
            continue;
        const double distance = along + 4 * aside;
        if (distance < nearest) {
            nearest = distance;
            best = at;
        }
    }
    select(best);
    const QRectF cell = picture.cell(best).translated(offset());
    if (cell.left() < 0 || cell.right() > viewport()->width())
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() +
                                        int(cell.center().x() - viewport()->width() / 2));
    if (cell.top() < 0 || cell.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                      int(cell.center().y() - viewport()->height() / 2));
}

void FloorView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        moveSelection(-1, 0);
        return;
    case Qt::Key_Right:
        moveSelection(1, 0);
        return;
    case Qt::Key_Up:
        moveSelection(0, -1);
        return;
    case Qt::Key_Down:
        moveSelection(0, 1);
        return;
    case Qt::Key_Escape:
        select(std::nullopt);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void FloorView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (!m_selected && event->reason() != Qt::MouseFocusReason &&
        event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::OtherFocusReason)
        select(Coordinates{});
}

void FloorView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void FloorView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        updateScrollBars();
        viewport()->update();
    }
}

} // namespace triaxis::ui
