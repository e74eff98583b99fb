#include "engine/cluster/printed_name.h"

#include <algorithm>
#include <cctype>

namespace triaxis
{
namespace
{

/// "8xh100" → "h100": a count in front of a device is not part of its name.
std::string withoutCount(const std::string& word)
{
    const std::size_t digits = word.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string::npos || word[digits] != 'x')
        return word;
    return digits + 1 < word.size() ? word.substr(digits + 1) : word;
}

} // namespace

PrintedName printedName(const std::string& text)
{
    PrintedName words;
    std::string word;
    const auto finish = [&] {
        if (!word.empty())
            words.push_back(withoutCount(word));
        word.clear();
    };
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (std::isalnum(code))
            word += char(std::tolower(code));
        else
            finish();
    }
    finish();
    return words;
}

bool containsWords(const PrintedName& text, const PrintedName& words)
{
    return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::find(text.begin(), text.end(), word) != text.end();
    });
}

} // namespace triaxis
