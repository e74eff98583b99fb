#pragma once

#include <string>
#include <vector>

namespace triaxis
{

enum class Severity { Note, Warning, Error };

/// One finding about a plan that a person can mend. A bad layout is no exception but a list of these.
struct Diagnostic
{
    Severity severity = Severity::Error;
    std::string what;  ///< the finding: "12 attention heads cannot be split over 5 tensor ranks"
    std::string where; ///< the setting it concerns, as a field path: "layout.tp", "training.microbatch"
    std::string why;   ///< the rule behind it, for people who learn
    std::string mend;  ///< the smallest change that helps: "use a tensor-parallel size of 1, 2, 3, 4, 6 or 12"
};

/// True if any finding is an error, that is, if the plan cannot run.
bool hasErrors(const std::vector<Diagnostic>& diagnostics);

/// "error: what (where): mend", one line.
std::string toText(const Diagnostic& diagnostic);

} // namespace triaxis
