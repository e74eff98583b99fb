#pragma once

#include <QColor>
#include <QIcon>
#include <QRectF>

class QPainter;

namespace triaxis::ui
{

/// Icons are SVG drawings in the resources that use currentColor; they are painted in any colour and size.
void paintIcon(QPainter& painter, const QRectF& where, const QString& name, const QColor& colour);
/// An icon for buttons, `colour` normally and `disabled` when disabled.
QIcon iconOf(const QString& name, const QColor& colour, const QColor& disabled);

} // namespace triaxis::ui
