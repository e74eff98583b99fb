#pragma once

#include "storage/history.h"
#include "storage/schema.h"
#include "storage/sqlite.h"

#include <cstdio>
#include <filesystem>
#include <random>
#include <string>

namespace triaxis::bench
{

/// Runs as years of work leave them: a dozen models, layouts up to 64 ranks, notes on a third.
class Generator
{
public:
    explicit Generator(sqlite::Database& database)
        : m_run(database, "INSERT INTO runs (id, label, started, ended, state, reason, model, layout, dp, tp, pp, schedule, "
                          "ranks, complete, starred, deleted, bytes, spans, prunable, kept_step, search, note, kind) VALUES "
                          "(?1, ?2, ?3, ?3, ?4, '', ?5, ?6, ?7, ?8, ?9, ?10, ?11, 1, ?12, ?13, ?14, ?15, ?16, 5, ?17, ?18, ?19)"),
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
        static const char* const kinds[] = {"measured", "measured", "paced", "imported"};
        m_run.bind(19, std::string(kinds[below(4)])).run();
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

/// Rows of so many runs; no directories.
inline void fillHistory(const std::filesystem::path& home, int runs)
{
    History{home};
    sqlite::Database database(home / "history.db");
    sqlite::Transaction transaction(database);
    Generator generator(database);
    for (int i = 0; i < runs; ++i)
        generator.add(i);
    transaction.commit();
}

} // namespace triaxis::bench
