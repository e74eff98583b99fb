#pragma once

#include <string>

namespace triaxis
{

/// A panel with its title at the left and a remark at the right; `body` is HTML, the rest is text.
std::string panel(const std::string& title, const std::string& remark, const std::string& body);
std::string paragraph(const std::string& text, const char* kind = nullptr);

} // namespace triaxis
