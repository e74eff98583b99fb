#pragma once

#include "engine/timeline/display_list.h"

#include <functional>
#include <string>

namespace triaxis
{

/// Puts every text of a picture through `say`. Legends are laid anew, since their names get other
/// widths; a legend that needs more lines makes the picture taller.
void sayPicture(DisplayList& picture, const std::function<std::string(const std::string&)>& say);

} // namespace triaxis
