#include "app/cli/text_columns.h"
#include "app/cli/validation_text.h"
#include "engine/core/units.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace triaxis::cli
{
namespace
{

struct Line
{
    std::string name;
    std::string cells[8];
};

constexpr const char* titles[] = {"priced", "skipped", "error", "limit",
                                  "bias",   "order",   "pick",  "baseline"};

std::string shareText(const std::optional<double>& share)
{
    return share ? units::percent(*share) : "-";
}

Line lineOf(const std::string& name, int rows, int skipped, const Score& model,
            const ErrorScore& baseline, const std::string& limit)
{
    const bool scored = model.error.values > 0;
    return {name,
            {std::to_string(rows), std::to_string(skipped),
             scored ? units::percent(model.error.mean) : "-", limit,
             scored ? signedPercent(model.error.bias) : "-", shareText(model.rank),
             shareText(model.pick), baseline.values > 0 ? units::percent(baseline.mean) : "-"}};
}

Line tableLine(const Validation& table)
{
    return lineOf(table.table.name, table.rows, table.skipped, table.model, table.baseline.error,
                  shareText(limitOf(table.table.name)));
}

Line totalLine(const ScoreTotal& total)
{
    return lineOf("total", total.rows, total.skipped, total.model, total.baseline,
                  std::to_string(total.withinLimits) + " of " + std::to_string(total.limits));
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
