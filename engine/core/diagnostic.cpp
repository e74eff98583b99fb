#include "engine/core/diagnostic.h"

#include <algorithm>

namespace triaxis
{
namespace
{

const char* name(Severity severity)
{
    switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
    }
    return "";
}

} // namespace

bool hasErrors(const std::vector<Diagnostic>& diagnostics)
{
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

std::string toText(const Diagnostic& diagnostic)
{
    std::string text = std::string(name(diagnostic.severity)) + ": " + diagnostic.what;
    if (!diagnostic.where.empty())
        text += " (" + diagnostic.where + ")";
    if (!diagnostic.mend.empty())
        text += "; " + diagnostic.mend;
    return text;
}

} // namespace triaxis
