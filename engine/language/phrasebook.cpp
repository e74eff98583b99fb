#include "engine/language/phrasebook.h"

#include "engine/core/embedded_text.h"
#include "engine/core/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace triaxis
{
namespace
{

constexpr int deepest = 5;
constexpr std::size_t sureLiterals =
    9; ///< bytes of a pattern that make it sure enough whatever stands between them
constexpr std::size_t longestText = 4096; ///< longer ones are no sentence

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isWordCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0;
}

/// The characters before the first blank: what a text is looked up by.
std::string_view firstWord(std::string_view text)
{
    return text.substr(0, text.find(' '));
}

bool isWhole(std::string_view text)
{
    return !text.empty() && isDigit(text.front()) && isDigit(text.back()) &&
           std::all_of(text.begin(), text.end(), [](char c) { return isDigit(c) || c == ','; });
}

long long wholeOf(std::string_view text)
{
    long long value = 0;
    for (const char c : text)
        if (isDigit(c))
            value = (value * 10 + (c - '0')) % 1'000'000'000'000;
    return value;
}

} // namespace

std::size_t pluralForm(std::string_view language, long long count)
{
    if (language != "ru")
        return count == 1 ? 0 : 1;
    const long long last = count % 10;
    const long long two = count % 100;
    if (last == 1 && two != 11)
        return 0;
    return last >= 2 && last <= 4 && (two < 12 || two > 14) ? 1 : 2;
}

Phrasebook Phrasebook::of(std::string_view language)
{
    if (language == "en")
        return {};
    const std::string name = "translations/engine_" + std::string(language);
    for (const EmbeddedText& text : embeddedTexts())
        if (text.name == name)
            return parse(text.text);
    throw Error("cannot speak the language", "\"" + std::string(language) + "\" is not known",
                "use en or ru");
}

Phrasebook Phrasebook::parse(std::string_view text)
{
    Phrasebook book;
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        book.m_language = json.at("language").get<std::string>();
        book.m_decimal = json.at("decimal").get<std::string>();
        book.m_group = json.at("group").get<std::string>();
        for (const auto& [unit, said] : json.at("units").items())
            book.m_units.emplace(unit, said.get<std::string>());
        for (const auto& [english, said] : json.at("phrases").items())
            book.add(english, said.is_array() ? said.get<std::vector<std::string>>()
                                              : std::vector<std::string>{said.get<std::string>()});
    } catch (const nlohmann::json::exception& error) {
        throw Error("cannot read the phrases of the language", error.what(),
                    "compare with resources/translations/engine_ru.json");
    }
    const auto longestFirst = [](const Pattern& a, const Pattern& b) {
        return a.literals > b.literals;
    };
    for (auto& [word, patterns] : book.m_byWord)
        std::stable_sort(patterns.begin(), patterns.end(), longestFirst);
    std::stable_sort(book.m_others.begin(), book.m_others.end(), longestFirst);
    return book;
}

void Phrasebook::add(const std::string& english, std::vector<std::string> said)
{
    Pattern pattern{piecesOf(english), std::move(said), 0};
    if (pattern.pieces.size() == 1 && pattern.said.size() == 1) {
        m_whole.emplace(english, pattern.said.front());
        return;
    }
    for (const Piece& piece : pattern.pieces)
        pattern.literals += piece.literal.size();
    const std::string& begin = pattern.pieces.front().literal;
    if (const std::size_t blank = begin.find(' '); blank != std::string::npos && blank > 0)
        m_byWord[begin.substr(0, blank)].push_back(std::move(pattern));
    else
        m_others.push_back(std::move(pattern));
}

std::vector<Phrasebook::Piece> Phrasebook::piecesOf(std::string_view english)
{
    std::vector<Piece> pieces(1);
    for (std::size_t i = 0; i < english.size(); ++i) {
        const char next = i + 1 < english.size() ? english[i + 1] : '\0';
        if (english[i] == '%' && (next == 'n' || (next >= '1' && next <= '9'))) {
            pieces.back().slot = next;
            pieces.emplace_back();
            ++i;
        } else {
            pieces.back().literal += english[i];
        }
    }
    return pieces;
}

bool Phrasebook::match(const Pattern& pattern, std::size_t at, std::string_view rest, Slots& slots)
{
    const Piece& piece = pattern.pieces[at];
    if (!rest.starts_with(piece.literal))
        return false;
    rest.remove_prefix(piece.literal.size());
    if (piece.slot == 0)
        return rest.empty();
    const std::string& next = pattern.pieces[at + 1].literal;
    const bool last = pattern.pieces[at + 1].slot == 0;
    // The shortest text that lets the rest match; at the end of the pattern the place is known.
    std::size_t length = 1;
    if (last) {
        if (rest.size() <= next.size() || !rest.ends_with(next))
            return false;
        length = rest.size() - next.size();
    }
    for (; length <= rest.size(); ++length) {
        if (!last && !next.empty()) {
            length = rest.find(next, length);
            if (length == std::string_view::npos)
                return false;
        }
        const std::string_view taken = rest.substr(0, length);
        if (piece.slot == 'n' && !isWhole(taken)) {
            if (!isDigit(taken.front()) || last)
                return false;
            continue;
        }
        if (match(pattern, at + 1, rest.substr(length), slots)) {
            slots[piece.slot] = taken;
            return true;
        }
        if (last)
            return false;
    }
    return false;
}

std::string Phrasebook::fill(const Pattern& pattern, const Slots& slots, int depth) const
{
    std::size_t form = 0;
    if (const auto counted = slots.find('n'); counted != slots.end() && pattern.said.size() > 1)
        form = std::min(pluralForm(m_language, wholeOf(counted->second)), pattern.said.size() - 1);
    std::string text;
    for (const Piece& piece : piecesOf(pattern.said[form])) {
        text += piece.literal;
        if (piece.slot != 0)
            if (const auto slot = slots.find(piece.slot); slot != slots.end())
                text += sayAt(slot->second, depth + 1);
    }
    return text;
}

/// "1,234.5" or "217 ms": a number, with a unit behind a blank or without; nothing else.
bool Phrasebook::sayFigure(std::string_view english, std::string& said) const
{
    static constexpr std::string_view thin = "\u202f";
    static constexpr std::string_view minus = "\u2212";
    std::size_t at = 0;
    while (at < english.size() && !isDigit(english[at])) {
        const std::string_view rest = english.substr(at);
        const std::size_t sign =
            rest.starts_with(minus)                                                   ? minus.size()
            : rest[0] == '-' || rest[0] == '+' || rest[0] == '~'                      ? 1
            : rest.starts_with("±") || rest.starts_with("×")                          ? 2
            : rest.starts_with("≈") || rest.starts_with("≤") || rest.starts_with("≥") ? 3
                                                                                      : 0;
        if (sign == 0)
            return false;
        said += rest.substr(0, sign);
        at += sign;
    }
    bool any = false;
    int points = 0;
    for (;
         at < english.size() && (isDigit(english[at]) || english[at] == ',' || english[at] == '.');
         ++at) {
        const bool inside = at + 1 < english.size() && isDigit(english[at + 1]);
        if (english[at] == '.') {
            if (!inside || ++points > 1)
                return false;
            said += m_decimal;
        } else if (english[at] == ',') {
            if (!inside)
                return false;
            said += m_group;
        } else {
            said += english[at];
            any = true;
        }
    }
    std::string_view unit = english.substr(at);
    const std::size_t blank = unit.starts_with(thin) ? thin.size() : unit.starts_with(" ") ? 1 : 0;
    said += unit.substr(0, blank);
    unit.remove_prefix(blank);
    if (unit.empty())
        return any && blank == 0;
    if (const std::size_t end = unit.find(' '); end != std::string_view::npos) { // "2 min 11 s"
        const auto known = m_units.find(unit.substr(0, end));
        if (known == m_units.end())
            return false;
        said += known->second + " ";
        return any && sayFigure(unit.substr(end + 1), said);
    }
    // "1.24 B" are billions, "312 B" bytes: those are never broken.
    const auto broken = points > 0 ? m_units.find("." + std::string(unit)) : m_units.end();
    const auto known = broken != m_units.end() ? broken : m_units.find(unit);
    if (known == m_units.end())
        return false;
    said += known->second;
    return any;
}

/// Whether the book can say what stands in every slot, or there is nothing to say in it: "%1 of %2"
/// is no phrase of any sentence that has an "of".
bool Phrasebook::speaks(const Slots& slots, int depth) const
{
    return std::all_of(slots.begin(), slots.end(), [&](const auto& slot) {
        std::string said;
        return std::none_of(slot.second.begin(), slot.second.end(), isWordCharacter) ||
               (depth < deepest && sayWhole(slot.second, depth + 1, said));
    });
}

bool Phrasebook::sayPattern(std::string_view english, int depth, std::string& said) const
{
    const auto tryAll = [&](const std::vector<Pattern>& patterns) {
        for (const Pattern& pattern : patterns) {
            Slots slots;
            if (pattern.literals < english.size() && match(pattern, 0, english, slots) &&
                (pattern.literals >= sureLiterals || speaks(slots, depth))) {
                said = fill(pattern, slots, depth);
                return true;
            }
        }
        return false;
    };
    const auto known = m_byWord.find(firstWord(english));
    return (known != m_byWord.end() && tryAll(known->second)) || tryAll(m_others);
}

bool Phrasebook::sayWhole(std::string_view english, int depth, std::string& said) const
{
    if (const auto whole = m_whole.find(std::string(english)); whole != m_whole.end()) {
        said = whole->second;
        return true;
    }
    if (std::string figure; sayFigure(english, figure)) {
        said = figure;
        return true;
    }
    return sayPattern(english, depth, said);
}

/// Sentences, lines and clauses that the book knows one by one.
std::string Phrasebook::sayParts(std::string_view english, int depth) const
{
    for (const std::string_view between : {"\n", ". ", "; ", " · ", ": ", ", "}) {
        const std::size_t cut = english.find(between);
        if (cut == std::string_view::npos || cut == 0 || cut + between.size() >= english.size())
            continue;
        return sayAt(english.substr(0, cut), depth + 1) + std::string(between) +
               sayAt(english.substr(cut + between.size()), depth);
    }
    return std::string(english);
}

/// "tried: object; remedy" as an Error puts it, each by itself: a path may look like any phrase.
bool Phrasebook::sayError(std::string_view english, int depth, std::string& said) const
{
    const std::size_t cut = english.find(": ");
    if (!english.starts_with("cannot ") || cut == std::string_view::npos ||
        !sayWhole(english.substr(0, cut), depth + 1, said))
        return false;
    const std::string_view rest = english.substr(cut + 2);
    const std::size_t end = std::min(rest.find("; "), rest.size());
    said += ": " + sayAt(rest.substr(0, end), depth + 1);
    if (end < rest.size())
        said += "; " + sayAt(rest.substr(end + 2), depth + 1);
    return true;
}

std::string Phrasebook::sayAt(std::string_view english, int depth) const
{
    std::string said;
    if (depth <= deepest && sayError(english, depth, said))
        return said;
    if (english.empty() || depth > deepest || sayWhole(english, depth, said))
        return said.empty() ? std::string(english) : said;
    // A text may close with a mark that the phrase lacks.
    if (english.size() > 1 &&
        std::string_view(".:,;").find(english.back()) != std::string_view::npos &&
        sayWhole(english.substr(0, english.size() - 1), depth, said))
        return said + english.back();
    return sayParts(english, depth);
}

std::string Phrasebook::say(std::string_view english) const
{
    const bool speaks = std::any_of(english.begin(), english.end(), isWordCharacter);
    if (m_language == "en" || !speaks || english.size() > longestText)
        return std::string(english);
    return sayAt(english, 0);
}

bool Phrasebook::knows(std::string_view english) const
{
    std::string said;
    return m_language == "en" || sayWhole(english, 0, said);
}

} // namespace triaxis
