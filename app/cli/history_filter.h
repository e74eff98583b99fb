#pragma once

#include "storage/run_summary.h"

namespace CLI
{
class App;
}

namespace triaxis::cli
{

/// The options by which commands choose among the stored runs.
struct HistoryFilter
{
    std::string text;
    std::vector<std::string> states, kinds;
    std::vector<std::string> models, layouts, schedules, tags;
    int dp = 0, tp = 0, pp = 0; ///< 0: any
    std::string ranks;          ///< "4" or "2-8"
    std::string since, until;
    bool starred = false;
};

void addFilterOptions(CLI::App& command, HistoryFilter& filter);
/// Throws Error for what is no state, no date, no range.
RunQuery queryOf(const HistoryFilter& filter);

} // namespace triaxis::cli
