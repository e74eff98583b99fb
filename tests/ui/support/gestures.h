#pragma once

#include <QPoint>

class QWidget;

namespace triaxis::tests
{

/// Press, two moves and release with the left button held, which Qt Test of 6.4 has no call for.
void drag(QWidget* widget, const QPoint& from, const QPoint& to,
          Qt::MouseButton button = Qt::LeftButton);
/// One notch up (> 0) or down (< 0).
void wheel(QWidget* widget, const QPoint& at, int notches,
           Qt::KeyboardModifiers modifiers = Qt::NoModifier);

} // namespace triaxis::tests
