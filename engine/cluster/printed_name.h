#pragma once

#include <string>
#include <vector>

namespace triaxis
{

/// Words of a device's name as tables print it, in lower case: "8xH100-80GB (Selene)" → h100, 80gb,
/// selene.
using PrintedName = std::vector<std::string>;

PrintedName printedName(const std::string& text);
/// Every word of `words` is one of `text`.
bool containsWords(const PrintedName& text, const PrintedName& words);

} // namespace triaxis
