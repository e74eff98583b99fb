#pragma once

#include "ui/theme/theme.h"

#include <QString>

namespace triaxis::ui
{

/// Look of the standard controls: buttons, fields, tables, menus. Widgets choose a variant with the dynamic
/// property "look" (primary, danger, quiet) and a text rank with "role" (title, page, muted, small).
QString styleSheetOf(const Theme& theme);

} // namespace triaxis::ui
