#pragma once

#include <QString>

namespace triaxis::ui
{

/// "2.61 M", "406 B": a count in short, three significant digits, in the language of the window.
QString countText(double count);

} // namespace triaxis::ui
