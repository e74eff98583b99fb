#include "ui/widgets/display_list_view.h"

#include "ui/report/save_part.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QPaintEvent>
#include <QPainter>

#include <cmath>

namespace triaxis::ui
{

DisplayListView::DisplayListView(QWidget* parent) : QWidget(parent)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    addAction(savePictureAction(this, QStringLiteral("Triaxis"), QStringLiteral("picture"),
                                [this] { return m_list; }));
}

void DisplayListView::setList(DisplayList list)
{
    m_list = std::move(list);
    m_picture = {};
    setFixedSize(sizeHint());
    update();
}

QSize DisplayListView::sizeHint() const
{
    return {int(std::ceil(m_list.width * fontScale())),
            int(std::ceil(m_list.height * fontScale()))};
}

void DisplayListView::repaintPicture(const QRect& shown)
{
    const double ratio = devicePixelRatioF();
    const Theme& theme = themeOf(palette());
    m_shown = shown;
    m_theme = &theme;
    m_picture = QImage(shown.size() * ratio, QImage::Format_RGB32);
    m_picture.setDevicePixelRatio(ratio);
    m_picture.fill(theme.panel);
    const double scale = fontScale();
    QPainter painter(&m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(-shown.topLeft());
    painter.scale(scale, scale);
    m_player.play(painter, m_list, theme.painted,
                  QRectF(QPointF(shown.topLeft()) / scale, QSizeF(shown.size()) / scale));
}

void DisplayListView::paintEvent(QPaintEvent* event)
{
    const QRect wanted = event->rect();
    if (m_picture.isNull() || m_theme != &themeOf(palette()) ||
        m_picture.devicePixelRatio() != devicePixelRatioF() || !m_shown.contains(wanted))
        repaintPicture(visibleRegion().boundingRect() | wanted);
    QPainter(this).drawImage(m_shown.topLeft(), m_picture);
}

void DisplayListView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    m_picture = {};
    update();
}

} // namespace triaxis::ui
