#include "engine/language/translate_html.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace triaxis
{
namespace
{

constexpr std::array<std::pair<std::string_view, char>, 5> entities{
    {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}}};
constexpr std::array<std::string_view, 4> keptElements{"style", "script", "pre", "code"};
constexpr std::array<std::string_view, 4> spokenAttributes{" title=\"", " alt=\"", " aria-label=\"",
                                                           " placeholder=\""};

std::string plain(std::string_view text)
{
    std::string decoded;
    for (std::size_t i = 0; i < text.size();) {
        bool isEntity = false;
        for (const auto& [entity, character] : entities)
            if (text.substr(i).starts_with(entity)) {
                decoded += character;
                i += entity.size();
                isEntity = true;
                break;
            }
        if (!isEntity)
            decoded += text[i++];
    }
    return decoded;
}

std::string escaped(std::string_view text)
{
    std::string encoded;
    for (const char c : text) {
        std::string_view entity;
        for (const auto& [name, character] : entities)
            if (c == character && c != '\'')
                entity = name;
        if (entity.empty())
            encoded += c;
        else
            encoded += entity;
    }
    return encoded;
}

/// Blanks around a text belong to the page.
std::string sayText(std::string_view text, const Phrasebook& book)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos)
        return std::string(text);
    const std::size_t end = text.find_last_not_of(blanks) + 1;
    const std::string english = plain(text.substr(begin, end - begin));
    const std::string said = book.say(english);
    if (said == english)
        return std::string(text);
    return std::string(text.substr(0, begin)) + escaped(said) + std::string(text.substr(end));
}

std::string sayTag(std::string_view tag, const Phrasebook& book)
{
    std::string said(tag);
    for (const std::string_view attribute : spokenAttributes) {
        const std::size_t at = said.find(attribute);
        if (at == std::string::npos)
            continue;
        const std::size_t begin = at + attribute.size();
        const std::size_t end = said.find('"', begin);
        if (end != std::string::npos)
            said.replace(begin, end - begin,
                         sayText(std::string_view(said).substr(begin, end - begin), book));
    }
    if (said.starts_with("<html"))
        if (const std::size_t at = said.find("lang=\"en\""); at != std::string::npos)
            said.replace(at, 9, "lang=\"" + book.language() + "\"");
    return said;
}

std::string_view nameOf(std::string_view tag)
{
    std::size_t end = 1;
    while (end < tag.size() && std::isalnum(static_cast<unsigned char>(tag[end])) != 0)
        ++end;
    return tag.substr(1, end - 1);
}

/// Where the element that `tag` opens is to be left alone: the end of its content.
std::size_t keptUntil(std::string_view html, std::size_t from, std::string_view tag)
{
    for (const std::string_view name : keptElements)
        if (nameOf(tag) == name && !tag.ends_with("/>")) {
            const std::size_t end = html.find("</" + std::string(name), from);
            return end == std::string_view::npos ? html.size() : end;
        }
    return from;
}

} // namespace

std::string translateHtml(std::string_view html, const Phrasebook& book)
{
    if (book.language() == "en")
        return std::string(html);
    std::string page;
    page.reserve(html.size() + html.size() / 8);
    std::size_t at = 0;
    while (at < html.size()) {
        const std::size_t open = std::min(html.find('<', at), html.size());
        page += sayText(html.substr(at, open - at), book);
        if (open == html.size())
            break;
        const bool isRemark = html.substr(open).starts_with("<!--");
        const std::size_t close = isRemark ? html.find("-->", open) : html.find('>', open);
        if (close == std::string_view::npos) {
            page += html.substr(open);
            break;
        }
        const std::size_t end = close + (isRemark ? 3 : 1);
        const std::string_view tag = html.substr(open, end - open);
        page += isRemark ? std::string(tag) : sayTag(tag, book);
        at = keptUntil(html, end, tag);
        page += html.substr(end, at - end);
    }
    return page;
}

} // namespace triaxis
