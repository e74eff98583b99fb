#include "engine/timeline/svg_writer.h"

#include <cstdint>

namespace triaxis
{
namespace
{

constexpr const char* replacement = "\uFFFD";

/// Bytes of the UTF-8 letter at `at`, 0 if what stands there is none (broken, overlong, a
/// surrogate, beyond U+10FFFF).
std::size_t letterLength(const std::string& text, std::size_t at)
{
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const unsigned first = byte(at);
    if (first < 0x80)
        return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    std::uint32_t code = first & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (byte(at + i) & 0x3F);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < least[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

const char* entityOf(char letter)
{
    switch (letter) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return nullptr;
    }
}

/// XML 1.0 has no control characters but tab and line ends.
bool isForbidden(char letter)
{
    const auto code = static_cast<unsigned char>(letter);
    return (code < 0x20 && letter != '\n' && letter != '\t' && letter != '\r') || code == 0x7F;
}

} // namespace

std::string escapedXml(const std::string& text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = letterLength(text, at);
        if (length == 0)
            result += replacement;
        else if (const char* entity = entityOf(text[at]))
            result += entity;
        else if (!isForbidden(text[at]))
            result.append(text, at, length);
        at += length == 0 ? 1 : length;
    }
    return result;
}

} // namespace triaxis
