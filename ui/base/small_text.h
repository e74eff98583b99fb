#pragma once

#include <QString>

namespace triaxis::ui
{

/// "6.2·10⁻⁹", "0": two significant digits of a small share.
QString smallText(double share);

} // namespace triaxis::ui
