#pragma once

#include <string>

namespace triaxis
{

/// Numbers for files that programs read: '.' as decimal point whatever the locale says.

/// With this many decimals: "12.500".
std::string fixedText(double value, int decimals);
/// With at most this many decimals and no zeros at the end: "12.5".
std::string shortText(double value, int decimals);
/// The shortest text that reads back as the same double.
std::string exactText(double value);

} // namespace triaxis
