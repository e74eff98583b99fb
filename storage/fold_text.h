#pragma once

#include <string>
#include <vector>

namespace triaxis
{

/// The text as a search compares it: small letters of Latin, Greek and Cyrillic, × as x. Bytes that are no UTF-8 stay as they are.
std::string folded(const std::string& text);
/// The words of a search, folded.
std::vector<std::string> searchWords(const std::string& text);

} // namespace triaxis
