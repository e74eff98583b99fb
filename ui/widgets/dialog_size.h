#pragma once

class QSize;
class QWidget;

namespace triaxis::ui
{

/// Gives a dialog its first size: `wanted` at a text size of 100 %, no more than its screen holds.
void resizeWithinScreen(QWidget& dialog, const QSize& wanted);

} // namespace triaxis::ui
