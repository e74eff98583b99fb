#pragma once

#include <QPushButton>

namespace triaxis::ui
{

/// A small rounded button that stands for something set, and takes it away: "failed ✕".
QPushButton* chipButton(const QString& text, const QString& hint);

} // namespace triaxis::ui
