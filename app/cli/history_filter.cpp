#include "app/cli/history_filter.h"

#include "engine/core/error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

namespace triaxis::cli
{
namespace
{

constexpr const char* filtering = "cannot filter the history";

RunState stateOf(const std::string& text)
{
    if (const auto state = runStateFromText(text))
        return *state;
    throw Error(filtering, "'" + text + "' is no state of a run",
                "use draft, starting, running, stopping, finished, failed or stopped");
}

RunKind kindOf(const std::string& text)
{
    if (const auto kind = runKindFromText(text))
        return *kind;
    throw Error(filtering, "'" + text + "' is no kind of run", "use measured, paced or imported");
}

/// A beginning of 2026-02-14T15:30:12Z.
std::string dateOf(const std::string& text)
{
    constexpr std::string_view form = "0000-00-00T00:00:00Z";
    bool fits = text.size() >= 4 && text.size() <= form.size() && text.back() != '-';
    for (std::size_t i = 0; fits && i < text.size(); ++i)
        fits = form[i] == '0' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i];
    if (!fits)
        throw Error(filtering, "'" + text + "' is no date", "write it as 2026-02-14, 2026-02 or 2026-02-14T15:30");
    return text;
}

int rankNumber(const std::string& all, std::string_view text)
{
    int number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || end != text.data() + text.size() || number < 1)
        throw Error(filtering, "'" + all + "' is no number of ranks", "write 4, 2-8 or 2-");
    return number;
}

void readRanks(const std::string& text, RunQuery& query)
{
    if (text.empty())
        return;
    const auto dash = text.find('-');
    query.leastRanks = rankNumber(text, std::string_view(text).substr(0, dash));
    if (dash == std::string::npos)
        query.mostRanks = query.leastRanks;
    else if (dash + 1 < text.size())
        query.mostRanks = rankNumber(text, std::string_view(text).substr(dash + 1));
}

} // namespace

void addFilterOptions(CLI::App& command, HistoryFilter& filter)
{
    constexpr const char* group = "Which runs";
    command.add_option("text", filter.text, "Only runs with these words in id, label, model, layout, schedule, note or tags");
    const auto list = [&](const char* name, std::vector<std::string>& values, const char* help) {
        command.add_option(name, values, help)->expected(1)->take_all()->group(group);
    };
    list("--state", filter.states, "Only in this state: running, finished, failed, stopped, …");
    list("--kind", filter.kinds,
         "Only measured by this machine as fast as it goes, paced as another device, or imported");
    list("--model", filter.models, "Only of this model");
    list("--layout", filter.layouts, "Only in this layout: 2x2x1, data × tensor × pipeline");
    list("--schedule", filter.schedules, "Only with this schedule");
    list("--tag", filter.tags, "Only with this tag; given again: with all of them");
    command.add_option("--dp", filter.dp, "Only with so many replicas")->check(CLI::PositiveNumber)->group(group);
    command.add_option("--tp", filter.tp, "Only with so many tensor ranks")->check(CLI::PositiveNumber)->group(group);
    command.add_option("--pp", filter.pp, "Only with so many stages")->check(CLI::PositiveNumber)->group(group);
    command.add_option("--ranks", filter.ranks, "Only on so many ranks: 4, 2-8 or 2-")->group(group);
    command.add_option("--since", filter.since, "Only started at or after this date, UTC: 2026-02-14")->group(group);
    command.add_option("--until", filter.until, "Only started before the end of this date")->group(group);
    command.add_flag("--starred", filter.starred, "Only with a star")->group(group);
}

RunQuery queryOf(const HistoryFilter& filter)
{
    RunQuery query;
    query.text = filter.text;
    for (const std::string& state : filter.states)
        query.states.push_back(stateOf(state));
    for (const std::string& kind : filter.kinds)
        query.kinds.push_back(kindOf(kind));
    query.models = filter.models;
    query.layouts = filter.layouts;
    query.schedules = filter.schedules;
    query.tags = filter.tags;
    const auto size = [](int value) { return value > 0 ? std::optional<int>(value) : std::nullopt; };
    query.dp = size(filter.dp);
    query.tp = size(filter.tp);
    query.pp = size(filter.pp);
    readRanks(filter.ranks, query);
    query.since = filter.since.empty() ? "" : dateOf(filter.since);
    query.until = filter.until.empty() ? "" : dateOf(filter.until);
    query.starred = filter.starred;
    return query;
}

} // namespace triaxis::cli
