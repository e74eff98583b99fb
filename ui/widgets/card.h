#pragma once

class QPainter;
class QRect;

namespace triaxis::ui
{

struct Theme;

/// The rounded surface of a card. `dirty`: what of it is to be painted; little is done inside of
/// it.
void paintCard(QPainter& painter, const QRect& card, const QRect& dirty, const Theme& theme);

} // namespace triaxis::ui
