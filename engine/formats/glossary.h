#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace triaxis
{

/// A number that is shown somewhere, and what it is. The one place where it is defined: reports and
/// the glossary of the window say it from here.
struct GlossaryEntry
{
    std::string id; ///< "step-time"
    std::string term;
    std::string unit;    ///< "s, ms, µs"; "% of the step"; empty: none
    std::string formula; ///< empty where the definition says it all
    std::string definition;
};

/// In the order in which they build on each other.
const std::vector<GlossaryEntry>& glossary();
/// Throws Error for an id that there is not.
const GlossaryEntry& glossaryEntry(std::string_view id);
/// Term and definition, for a report.
std::pair<std::string, std::string> definedTerm(std::string_view id);

} // namespace triaxis
