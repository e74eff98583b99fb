#include "engine/timeline/number_text.h"

#include <charconv>

namespace triaxis
{
namespace
{

// The longest fixed text of a double: 309 digits, sign, point and up to 20 decimals.
constexpr std::size_t longest = 340;

} // namespace

std::string fixedText(double value, int decimals)
{
    char text[longest];
    const auto result =
        std::to_chars(text, text + longest, value, std::chars_format::fixed, decimals);
    return std::string(text, result.ptr);
}

std::string shortText(double value, int decimals)
{
    std::string text = fixedText(value, decimals);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
            text.pop_back();
    }
    return text == "-0" ? "0" : text;
}

std::string exactText(double value)
{
    char text[longest];
    const auto result = std::to_chars(text, text + longest, value);
    return std::string(text, result.ptr);
}

} // namespace triaxis
