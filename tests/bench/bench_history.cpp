// bench_history [RUNS]: what a page asks of a history of 10,000 runs, in milliseconds; fails above 100.

#include "storage/history.h"
#include "storage/schema.h"
#include "storage/sqlite.h"
#include "tests/bench/bench_timer.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <unistd.h>

using namespace triaxis;
namespace fs = std::filesystem;

namespace
{

constexpr double mostMilliseconds = 100;

/// Runs as years of work leave them: a dozen models, layouts up to 64 ranks, notes on a third.
class Generator
{
public:
    explicit Generator(sqlite::Database& database)
        : m_run(database, "INSERT INTO runs (id, label, started, ended, state, reason, model, layout, dp, tp, pp, schedule, "
                          "ranks, complete, starred, deleted, bytes, spans, prunable, kept_step, search, note) VALUES "
                          "(?1, ?2, ?3, ?3, ?4, '', ?5, ?6, ?7, ?8, ?9, ?10, ?11, 1, ?12, ?13, ?14, ?15, ?16, 5, ?17, ?18)"),
          m_document(database, "INSERT INTO documents (run, plan, environment) VALUES (?, ?, '{}')"),
          m_summary(database, "INSERT INTO summaries VALUES (?, ?, ?, ?, ?, ?, ?)"),
          m_tag(database, "INSERT OR IGNORE INTO tags (run, tag) VALUES (?, ?)"),
          m_step(database, "INSERT INTO steps VALUES (?, ?, 1.5, 1, ?, 0.1, 1000)")
    {
    }

    void add(int number)
    {
        char id[32];
        std::snprintf(id, sizeof id, "2026%02d%02d-%06d-%04x", 1 + number / 900 % 12, 1 + number / 30 % 28, number, number & 0xffff);
        const int dp = 1 << below(4), tp = 1 << below(3), pp = 1 << below(4);
        const std::string model = "model-" + std::to_string(below(12));
        const std::string layout = std::to_string(dp) + "×" + std::to_string(tp) + "×" + std::to_string(pp);
        const std::string schedule = std::string(below(2) ? "1f1b" : "zb-") + std::to_string(below(5));
        const std::string label = "experiment " + std::to_string(below(3000));
        const std::string note = below(3) == 0 ? std::string(400, 'n') + " overlap of " + label : "";
        static const char* const states[] = {"finished", "finished", "finished", "failed", "stopped"};
        char started[32];
        std::snprintf(started, sizeof started, "2026-%02d-%02dT%02d:%02d:00Z", 1 + number / 900 % 12, 1 + number / 30 % 28,
                      number % 24, number % 60);
        m_run.bind(1, std::string(id)).bind(2, label).bind(3, std::string(started)).bind(4, std::string(states[below(5)]));
        m_run.bind(5, model).bind(6, layout).bind(7, dp).bind(8, tp).bind(9, pp).bind(10, schedule).bind(11, dp * tp * pp);
        m_run.bind(12, int(below(20) == 0)).bind(13, std::string(below(50) == 0 ? started : ""));
        m_run.bind(14, below(1 << 28)).bind(15, below(1 << 22)).bind(16, below(1 << 27));
        m_run.bind(17, std::string(id) + '\n' + label + '\n' + model + '\n' + layout + '\n' + schedule + '\n' + note).bind(18, note);
        m_run.run();
        m_document.bind(1, std::string(id)).bind(2, std::string(2500, '{')).run();
        m_summary.bind(1, std::string(id)).bind(2, 100 + below(900)).bind(3, below(4000) / 1000.0).bind(4, below(1000) / 1000.0);
        m_summary.bind(5, double(below(100000))).bind(6, below(1000) / 1000.0).bind(7, below(1 << 30)).run();
        for (int tag = below(4); tag > 0; --tag)
            m_tag.bind(1, std::string(id)).bind(2, "tag-" + std::to_string(below(40))).run();
        for (int step = 1; step <= 20; ++step)
            m_step.bind(1, std::string(id)).bind(2, step).bind(3, double(step)).run();
    }

private:
    int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(m_random); }

    std::mt19937 m_random{1};
    sqlite::Statement m_run, m_document, m_summary, m_tag, m_step;
};

void fill(const fs::path& home, int runs)
{
    History{home};
    sqlite::Database database(home / "history.db");
    sqlite::Transaction transaction(database);
    Generator generator(database);
    for (int i = 0; i < runs; ++i)
        generator.add(i);
    transaction.commit();
}

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
        fill(home, runs);
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
