#pragma once

#include <string>

namespace triaxis
{

/// The style sheet of a report. `light` and `dark`: rules of the pictures in either theme; printing
/// is always light.
std::string reportStyle(const std::string& light, const std::string& dark);

} // namespace triaxis
