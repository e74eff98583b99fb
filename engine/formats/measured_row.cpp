#include "engine/formats/measured_row.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double largestNumber = 1e30;
constexpr double largestCount = 1e8;

/// The number at the front; a unit may follow a blank: "8192 (default)".
std::optional<double> leadingNumber(const std::string& text)
{
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || !std::isfinite(value) || (rest != end && *rest != ' '))
        return std::nullopt;
    return value;
}

} // namespace

std::string lowerCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return text;
}

std::string MeasuredRow::textOr(std::string_view column, const std::string& otherwise) const
{
    const std::optional<std::size_t> index = m_table.column(column);
    if (!index || *index >= m_row.cells.size())
        return otherwise;
    const std::string& cell = m_row.cells[*index];
    const bool nothing = cell.empty() || cell == "-" || lowerCase(cell) == "n/a";
    return nothing ? otherwise : cell;
}

std::string MeasuredRow::text(std::string_view column) const
{
    std::string text = textOr(column, "");
    if (text.empty())
        throw RowProblem("the row does not state " + std::string(column));
    return text;
}

bool MeasuredRow::contains(std::string_view column, std::string_view part) const
{
    return lowerCase(textOr(column, "")).find(lowerCase(std::string(part))) != std::string::npos;
}

double MeasuredRow::number(std::string_view column) const
{
    const std::string cell = text(column);
    const std::optional<double> value = leadingNumber(cell);
    if (!value || *value <= 0 || *value > largestNumber)
        throw RowProblem(std::string(column) + " is \"" + cell.substr(0, 40) +
                         "\", not a positive number");
    return *value;
}

std::optional<double> MeasuredRow::numberIf(std::string_view column) const
{
    return has(column) ? std::optional(number(column)) : std::nullopt;
}

int MeasuredRow::count(std::string_view column) const
{
    const double value = number(column);
    if (value != std::floor(value) || value > largestCount)
        throw RowProblem(std::string(column) + " is \"" + text(column).substr(0, 40) +
                         "\", not a whole number from 1 to 100 million");
    return int(value);
}

int MeasuredRow::countOr(std::string_view column, int otherwise) const
{
    return has(column) ? count(column) : otherwise;
}

bool MeasuredRow::yes(std::string_view column) const
{
    const std::string word = lowerCase(textOr(column, ""));
    return word == "1" || word.rfind("yes", 0) == 0 || word.rfind("true", 0) == 0;
}

SoftwareProfile MeasuredRow::profile(const std::string& name) const
{
    for (const SoftwareProfile& profile : m_profiles) {
        if (profile.name == name)
            return profile;
    }
    return softwareProfile(name);
}

std::optional<int> namedNumber(const std::string& text, const std::string& name)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        if (at > 0 && isLetter(text[at - 1]))
            continue;
        std::size_t digits = at + name.size();
        if (digits < text.size() && text[digits] == '=')
            ++digits;
        int value = 0;
        const auto [rest, error] =
            std::from_chars(text.data() + digits, text.data() + text.size(), value);
        if (error == std::errc() && rest != text.data() + digits)
            return value;
    }
    return std::nullopt;
}

} // namespace triaxis
