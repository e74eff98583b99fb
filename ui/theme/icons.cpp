#include "ui/theme/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <cmath>

namespace triaxis::ui
{
namespace
{

QPixmap render(const QString& name, const QColor& colour, const QSize& pixels)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name().toUtf8());
    QSvgRenderer renderer(svg);
    QPixmap pixmap(pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(QPointF(), QSizeF(pixels)));
    return pixmap;
}

QPixmap cached(const QString& name, const QColor& colour, const QSize& pixels)
{
    const QString key = QStringLiteral("triaxis/%1/%2/%3x%4")
                            .arg(name, colour.name())
                            .arg(pixels.width())
                            .arg(pixels.height());
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        pixmap = render(name, colour, pixels);
        QPixmapCache::insert(key, pixmap);
    }
    return pixmap;
}

} // namespace

void paintIcon(QPainter& painter, const QRectF& where, const QString& name, const QColor& colour)
{
    const double ratio = painter.device()->devicePixelRatioF();
    const QSize pixels(int(std::ceil(where.width() * ratio)),
                       int(std::ceil(where.height() * ratio)));
    painter.drawPixmap(where, cached(name, colour, pixels), QRectF(QPointF(), QSizeF(pixels)));
}

QIcon iconOf(const QString& name, const QColor& colour, const QColor& disabled)
{
    QIcon icon;
    for (const int size : {16, 32, 48}) {
        icon.addPixmap(cached(name, colour, {size, size}), QIcon::Normal);
        icon.addPixmap(cached(name, disabled, {size, size}), QIcon::Disabled);
    }
    return icon;
}

} // namespace triaxis::ui
