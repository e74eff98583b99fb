#pragma once

#include <functional>

class QWidget;

namespace triaxis::ui
{

/// Calls `apply` now and again whenever the text size of the window has changed, for sizes that are
/// set in pixels. Ends with `widget`, whose font must be the application's.
void followTextSize(QWidget* widget, std::function<void()> apply);

} // namespace triaxis::ui
