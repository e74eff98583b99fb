#pragma once

#include <string>

namespace triaxis::cli
{

/// Characters on screen: bytes of UTF-8 that begin one.
std::size_t textColumns(const std::string& text);
/// Filled with blanks to a width, at the left for `right`. Longer text stays as it is.
std::string inColumn(const std::string& text, std::size_t width, bool right);

} // namespace triaxis::cli
