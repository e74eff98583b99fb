#include "app/cli/text_columns.h"

#include <algorithm>

namespace triaxis::cli
{

std::size_t textColumns(const std::string& text)
{
    return std::size_t(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string inColumn(const std::string& text, std::size_t width, bool right)
{
    const std::size_t own = textColumns(text);
    const std::string blanks(own < width ? width - own : 0, ' ');
    return right ? blanks + text : text + blanks;
}

} // namespace triaxis::cli
