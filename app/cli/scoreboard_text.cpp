#include "app/cli/text_columns.h"
#include "app/cli/validation_text.h"
#include "engine/core/units.h"
#include "engine/timeline/number_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace triaxis::cli
{
namespace
{

struct Line
{
    std::string name;
    std::string cells[10];
};

constexpr const char* titles[] = {"priced", "skipped", "share", "error",  "limit",
                                  "bias",   "order",   "pick",  "halves", "baseline"};

std::string shareText(const std::optional<double>& share)
{
    return share ? units::percent(*share) : "-";
}

Line lineOf(const std::string& name, int rows, int skipped, int stating, const Score& model,
            const ErrorScore& baseline, const std::string& limit, const std::string& halves)
{
    const bool scored = model.error.values > 0;
    return {name,
            {std::to_string(rows), std::to_string(skipped), shareText(pricedShare(rows, stating)),
             scored ? units::percent(model.error.mean) : "-", limit,
             scored ? signedPercent(model.error.bias) : "-", shareText(model.rank),
             shareText(model.pick), halves,
             baseline.values > 0 ? units::percent(baseline.mean) : "-"}};
}

Line tableLine(const Validation& table)
{
    return lineOf(table.table.name, table.rows, table.skipped, table.stating, table.model,
                  table.baseline.error, shareText(limitOf(table.table.name)),
                  table.halves ? fixedText(table.halves->apart() * 100, 1) : "-");
}

Line totalLine(const ScoreTotal& total)
{
    const auto of = [](int part, int all) {
        return std::to_string(part) + " of " + std::to_string(all);
    };
    return lineOf("total", total.rows, total.skipped, total.stating, total.model, total.baseline,
                  of(total.withinLimits, total.limits), of(total.halvesAgree, total.halved));
}

std::string textOf(const Line& line, std::size_t widest)
{
    std::string text = inColumn(line.name, widest, false);
    for (const std::string& cell : line.cells)
        text += inColumn(cell, 10, true);
    return text + "\n";
}

} // namespace

std::string scoreboardText(const Scoreboard& board)
{
    std::size_t widest = 5;
    for (const Validation& table : board.tables)
        widest = std::max(widest, textColumns(table.table.name));
    Line header{"table", {}};
    std::copy(std::begin(titles), std::end(titles), std::begin(header.cells));
    std::string text = textOf(header, widest);
    for (const Validation& table : board.tables)
        text += textOf(tableLine(table), widest);
    text += textOf(totalLine(totalOf(board)), widest);
    text +=
        "\nshare: priced of the rows that state what is needed; halves: points between the mean "
        "errors of the rows fitted on and those kept back (tables of " +
        std::to_string(halvesFrom) + " rows and more; total: within " +
        fixedText(halvesApart * 100, 0) + ")\n";
    if (!board.unscored.empty())
        text += "\nleft out, no tables of training runs:\n";
    for (const UnscoredTable& table : board.unscored)
        text += "  " + table.name + ": " + table.reason + "\n";
    return text;
}

std::string scoreboardSummaryJson(const Scoreboard& board)
{
    const ScoreTotal total = totalOf(board);
    const auto percent = [](const std::optional<double>& share) {
        return share ? nlohmann::ordered_json(*share * 100) : nlohmann::ordered_json(nullptr);
    };
    const ErrorScore& error = total.model.error;
    const nlohmann::ordered_json json{
        {"tables", board.tables.size()},
        {"rows", total.rows},
        {"mape", percent(error.values ? std::optional(error.mean) : std::nullopt)},
        {"bias", percent(error.values ? std::optional(error.bias) : std::nullopt)},
        {"rank", percent(total.model.rank)},
        {"pick", percent(total.model.pick)},
        {"skipped", total.skipped}};
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace triaxis::cli
