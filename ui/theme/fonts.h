#pragma once

#include <QFont>

class QPainter;
class QPointF;
class QString;
class QWidget;

namespace triaxis::ui
{

/// Sizes in pixels at a text size of 100 %; every role follows the text size of the application font.
enum class FontRole {
    Body,      ///< 12
    BodyBold,
    Small,     ///< 11
    SmallBold,
    Tiny,      ///< 10
    PageTitle, ///< 14, semibold
    Figure,    ///< 19, semibold
    ChipValue  ///< 15, bold
};

/// The application font: Inter where it is installed, else the system's sans.
QFont applicationFont(double scale);
/// Text size of the window against 100 %.
double fontScale();
QFont fontOf(FontRole role);
/// `pixels` at 100 %, whole.
int scaled(double pixels);

/// Draws with digits of equal width, so that changing figures do not jitter. Returns the width.
double drawTabular(QPainter& painter, const QPointF& baseline, const QString& text);

} // namespace triaxis::ui
