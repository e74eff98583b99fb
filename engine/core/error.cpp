#include "engine/core/error.h"

#include <utility>

namespace triaxis
{
namespace
{

/// What comes from a file or a person may hold anything; in a message control characters are written out.
std::string printable(const std::string& text)
{
    std::string shown;
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if ((code < 0x20 && letter != '\n') || code == 0x7f) {
            constexpr const char* digits = "0123456789abcdef";
            shown += "\\x";
            shown += digits[code >> 4];
            shown += digits[code & 15];
        } else {
            shown += letter;
        }
    }
    return shown;
}

std::string sentence(const std::string& tried, const std::string& object, const std::string& remedy)
{
    std::string text = tried;
    if (!object.empty())
        text += ": " + object;
    if (!remedy.empty())
        text += "; " + remedy;
    return text;
}

} // namespace

Error::Error(std::string tried, std::string object, std::string remedy)
    : std::runtime_error(printable(sentence(tried, object, remedy))), m_tried(std::move(tried)),
      m_object(printable(object)), m_remedy(std::move(remedy))
{
}

} // namespace triaxis
