#include "storage/fold_text.h"

#include <sstream>

namespace triaxis
{
namespace
{

/// Of the two-byte forms of UTF-8, which hold all of the alphabets named.
unsigned small(unsigned letter)
{
    if (letter == 0xd7)
        return 'x';
    if (letter >= 0xc0 && letter <= 0xde)
        return letter + 0x20;
    if ((letter >= 0x100 && letter <= 0x137) || (letter >= 0x14a && letter <= 0x177))
        return letter | 1;
    if (letter >= 0x391 && letter <= 0x3a9 && letter != 0x3a2)
        return letter + 0x20;
    if (letter >= 0x400 && letter <= 0x40f)
        return letter + 0x50;
    if (letter >= 0x410 && letter <= 0x42f)
        return letter + 0x20;
    return letter;
}

} // namespace

std::string folded(const std::string& text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto first = static_cast<unsigned char>(text[i]);
        const auto second =
            i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : static_cast<unsigned char>(0);
        if (first >= 'A' && first <= 'Z') {
            result += char(first + 0x20);
        } else if (first >= 0xc3 && first <= 0xdf && (second & 0xc0) == 0x80) {
            const unsigned letter = small((first & 0x1fu) << 6 | (second & 0x3fu));
            if (letter < 0x80) {
                result += char(letter);
            } else {
                result += char(0xc0 | letter >> 6);
                result += char(0x80 | (letter & 0x3f));
            }
            ++i;
        } else {
            result += char(first);
        }
    }
    return result;
}

std::vector<std::string> searchWords(const std::string& text)
{
    std::vector<std::string> words;
    std::istringstream in(folded(text));
    for (std::string word; in >> word;)
        words.push_back(word);
    return words;
}

} // namespace triaxis
