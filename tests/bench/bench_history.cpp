// bench_history [RUNS]: what a page asks of a history of 10,000 runs, in milliseconds; fails above 100.

#include "storage/history.h"
#include "tests/bench/bench_timer.h"
#include "tests/bench/history_runs.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

using namespace triaxis;
namespace fs = std::filesystem;

namespace
{

constexpr double mostMilliseconds = 100;

class Report
{
public:
    template <class Call>
    void measure(const std::string& what, Call&& call)
    {
        const double milliseconds = 1000 * bench::fastest(0.05, call);
        std::printf("%7.2f ms  %s\n", milliseconds, what.c_str());
        m_worst = std::max(m_worst, milliseconds);
    }
    double worst() const { return m_worst; }

private:
    double m_worst = 0;
};

RunQuery withText(const std::string& text)
{
    RunQuery query;
    query.text = text;
    return query;
}

void measureQueries(const History& history, int runs, Report& report)
{
    const auto page = [&](const std::string& what, RunQuery query) {
        report.measure(what + " (" + std::to_string(history.count(query)) + ")", [&] {
            history.runs(query);
            history.count(query);
        });
        report.measure(what + ": counts of all filters", [&] { history.facets(query); });
    };
    page("all", {});
    page("search for two words", withText("experiment 1f1b"));
    page("search in notes", withText("overlap 77"));
    page("search for nothing", withText("nowhere to be found"));
    RunQuery query;
    query.tags = {"tag-3", "tag-7"};
    page("two tags", query);
    query = {};
    query.models = {"model-1", "model-2"};
    query.tp = 2;
    query.states = {RunState::Failed};
    page("models, tensor size and state", query);
    query = {};
    query.since = "2026-03";
    query.until = "2026-05";
    query.starred = true;
    page("dates and stars", query);
    query = {};
    query.kinds = {RunKind::Paced};
    page("kind", query);
    query = {};
    query.offset = runs / 10 * 9;
    page("a page far down", query);
    for (const std::string& order : runOrders()) {
        RunQuery sorted;
        sorted.orderBy = order;
        report.measure("by " + order, [&] { history.runs(sorted); });
    }
    report.measure("storage", [&] { history.storage(); });
    report.measure("what pruning would free", [&] { history.prunePlan({.olderThanSeconds = 86400}); });
}

} // namespace

int main(int argc, char** argv)
{
    const int runs = argc > 1 ? std::atoi(argv[1]) : 10000;
    const fs::path home = fs::temp_directory_path() / ("bench-history-" + std::to_string(::getpid()));
    Report report;
    try {
        bench::fillHistory(home, runs);
        std::printf("%d runs, a page of 100 with its total\n", runs);
        measureQueries(History(home), runs, report);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    std::error_code ignored;
    fs::remove_all(home, ignored);
    std::printf("worst: %.2f ms; at most %.0f are allowed\n", report.worst(), mostMilliseconds);
    return report.worst() > mostMilliseconds;
}
