#pragma once

#include "engine/timeline/display_list.h"

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>

class QPainter;
class QTextLayout;

namespace triaxis::ui
{

/// Weights and pitches of text on paper.
enum class PrintFont { Plain, Bold, Fixed };

/// Paints for paper and picture files, in pixels of 1/96 inch that the device's resolution turns
/// into its own: letters are placed where the device can, not where a screen would. Colours are
/// light ones, sizes and fonts always the same, whatever the window's theme and text size.
class PrintCanvas
{
public:
    /// `scale`: device units a pixel.
    PrintCanvas(QPainter& painter, double scale);

    /// Everything after is moved by this.
    void setOrigin(const QPointF& origin) { m_origin = origin; }
    const QPointF& origin() const { return m_origin; }

    void fill(const QRectF& rect, const QColor& colour, double radius = 0);
    void line(const QPointF& from, const QPointF& to, const QColor& colour, double thickness = 1,
              bool dashed = false);
    /// `anchor`: on the vertical middle of the line.
    void write(const QPointF& anchor, const QString& text, PrintFont font, double size,
               const QColor& colour, Align align = Align::Left);
    /// Only what lies within `part` of the picture, whose top left comes to `at`.
    void play(const DisplayList& list, const QPointF& at, double scale, const QRectF& part);

    /// A paragraph, its lines broken at `width`.
    double paragraphHeight(const QString& text, PrintFont font, double size, double width) const;
    void paragraph(const QPointF& at, const QString& text, PrintFont font, double size,
                   double width, const QColor& colour, Align align = Align::Left);
    double textWidth(const QString& text, PrintFont font, double size) const;

private:
    class ListPlayer;
    QFont fontOf(PrintFont font, double size) const;
    double layOut(QTextLayout& layout, double width, Align align) const;
    QPointF device(const QPointF& point) const;
    QRectF device(const QRectF& rect) const;

    QPainter& m_painter;
    double m_scale;
    QPointF m_origin;
};

/// Colours of paper.
QColor printInk(Ink ink);

} // namespace triaxis::ui
