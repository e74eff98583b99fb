#include "tests/ui/support/gestures.h"

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>

namespace triaxis::tests
{
namespace
{

void send(QWidget* widget, QEvent::Type type, const QPoint& at, Qt::MouseButton button,
          Qt::MouseButtons held)
{
    QMouseEvent event(type, QPointF(at), QPointF(widget->mapToGlobal(at)), button, held,
                      Qt::NoModifier);
    QApplication::sendEvent(widget, &event);
}

} // namespace

void drag(QWidget* widget, const QPoint& from, const QPoint& to, Qt::MouseButton button)
{
    send(widget, QEvent::MouseButtonPress, from, button, button);
    send(widget, QEvent::MouseMove, (from + to) / 2, Qt::NoButton, button);
    send(widget, QEvent::MouseMove, to, Qt::NoButton, button);
    send(widget, QEvent::MouseButtonRelease, to, button, Qt::NoButton);
}

void wheel(QWidget* widget, const QPoint& at, int notches, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(QPointF(at), QPointF(widget->mapToGlobal(at)), {}, {0, notches * 120},
                      Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

} // namespace triaxis::tests
