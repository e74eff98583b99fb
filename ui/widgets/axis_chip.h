#pragma once

#include "engine/layout/layout.h"

#include <QWidget>

class QFontMetrics;
class QPainter;

namespace triaxis::ui
{

/// One parallel axis: its colour, its size with − and +, and what travels on it. Keyboard: arrows,
/// + and −, digits; Return takes the mend that is offered.
class AxisChip : public QWidget
{
    Q_OBJECT
public:
    AxisChip(Axis axis, QWidget* parent = nullptr);

    Axis axis() const { return m_axis; }
    int value() const { return m_value; }
    void setValue(int value);
    /// Empty: the size is fine; else it is shown in place of what travels on the axis.
    void setProblem(const QString& problem);
    QString problem() const { return m_problem; }
    /// Worth knowing about the size; a mark beside the name, and the hint says it. Empty: nothing.
    void setNote(const QString& note);
    QString note() const { return m_note; }
    /// The change that a button offers beside the problem; empty: none.
    void setMend(const QString& change);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// The person asks for another size; the chip shows it once setValue is called.
    void valueRequested(int value);
    void mendRequested();

protected:
    void paintEvent(QPaintEvent*) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Part { None, Less, More, Mend };
    QRectF button(Part part) const;
    Part partAt(const QPointF& position) const;
    void request(int value);
    void describe();
    bool offersMend() const;
    QString firstLine(const QFontMetrics& metrics) const;
    void paintFirstLine(QPainter& painter) const;
    void paintButton(QPainter& painter, Part part, const QColor& colour) const;

    Axis m_axis;
    int m_value = 1;
    QString m_problem;
    QString m_note;
    QString m_mend;
    QString m_typed;
    Part m_hovered = Part::None;
};

} // namespace triaxis::ui
