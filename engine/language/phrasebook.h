#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace triaxis
{

/// What stands in another language for what the engine says.
///
/// The engine speaks one language, English: its records, plans, findings and the command line are
/// the same everywhere and can be compared. Where a person reads in another language, the window
/// and the reports put each text through a phrasebook. A phrase is a whole text or a pattern of
/// one: %1 … %9 stand for any text, which is put through the phrasebook in turn; %n stands for a
/// whole number and chooses the plural form. "%n attention heads cannot be split over %1 tensor
/// ranks" is said in Russian in three forms. Figures keep their value and take the marks and units
/// of the language ("1,234.5 ms" is "1 234,5 мс").
///
/// The phrases lie in resources/translations/engine_LANGUAGE.json.
class Phrasebook
{
public:
    /// {"language": "ru", "decimal": ",", "group": "\u202f", "units": {"ms": "мс"}, "phrases":
    /// {"…": "…" or ["…", "…", "…"]}}. Throws Error where the text is no such object.
    static Phrasebook parse(std::string_view json);
    /// "en": says everything as it is. "ru". Throws Error for other languages.
    static Phrasebook of(std::string_view language);

    const std::string& language() const { return m_language; }
    /// The text in the language of the book; unchanged as far as the book does not know it.
    std::string say(std::string_view english) const;
    /// Whether the book has this text or a pattern of it.
    bool knows(std::string_view english) const;

private:
    struct Piece
    {
        std::string literal;
        char slot = 0; ///< what follows the literal: '1' … '9', 'n'; 0 at the end
    };
    struct Pattern
    {
        std::vector<Piece> pieces;
        std::vector<std::string> said; ///< one, or one a plural form
        std::size_t literals = 0;      ///< bytes that must be there
    };
    using Slots = std::map<char, std::string>;

    void add(const std::string& english, std::vector<std::string> said);
    static std::vector<Piece> piecesOf(std::string_view english);
    bool speaks(const Slots& slots, int depth) const;
    static bool match(const Pattern& pattern, std::size_t piece, std::string_view rest,
                      Slots& slots);
    bool sayWhole(std::string_view english, int depth, std::string& said) const;
    bool sayPattern(std::string_view english, int depth, std::string& said) const;
    bool sayFigure(std::string_view english, std::string& said) const;
    bool sayError(std::string_view english, int depth, std::string& said) const;
    std::string sayParts(std::string_view english, int depth) const;
    std::string sayAt(std::string_view english, int depth) const;
    std::string fill(const Pattern& pattern, const Slots& slots, int depth) const;

    std::string m_language = "en";
    std::string m_decimal = ".";
    std::string m_group = ",";
    std::unordered_map<std::string, std::string> m_whole;
    std::map<std::string, std::string, std::less<>> m_units;
    std::map<std::string, std::vector<Pattern>, std::less<>>
        m_byWord;                  ///< by the first word of a pattern
    std::vector<Pattern> m_others; ///< those that begin with a slot
};

/// Which of a language's plural forms goes with `count`: in Russian 0 of "1 ранг", 1 of "2 ранга",
/// 2 of "5 рангов".
std::size_t pluralForm(std::string_view language, long long count);

} // namespace triaxis
