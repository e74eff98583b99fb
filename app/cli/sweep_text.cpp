#include "app/cli/sweep_text.h"

#include "app/cli/text_columns.h"
#include "engine/core/units.h"
#include "engine/sweep/sweep_layouts.h"
#include "engine/timeline/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace triaxis::cli
{
namespace
{

constexpr int barColumns = 40;

std::string secondsText(double value)
{
    return std::isfinite(value) ? units::seconds(value) : "–";
}

std::string bytesText(double value)
{
    return std::isfinite(value) ? units::bytes(std::int64_t(value)) : "–";
}

std::string timesText(double value)
{
    return std::isfinite(value) ? "×" + fixedText(value, 2) : "–";
}

struct Column
{
    const char* name;
    std::size_t width;
};

constexpr Column columns[] = {{"layout", 8},         {"ranks", 6},        {"tokens/s", 10},
                              {"step", 10},          {"middle half", 19}, {"memory/rank", 13},
                              {"communication", 15}, {"bubble", 9},       {"speed-up", 10},
                              {"efficiency", 12}};

void printCells(const std::vector<std::string>& cells)
{
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
        line += inColumn(cells[i], columns[i].width, i > 0);
    std::printf("%s\n", line.c_str());
}

void printRow(const SweepRow& row)
{
    std::vector<std::string> cells{sizesText(row.layout), std::to_string(row.layout.ranks())};
    if (!row.measured()) {
        std::printf("%s%s  %s\n", inColumn(cells[0], columns[0].width, false).c_str(),
                    inColumn(cells[1], columns[1].width, true).c_str(), row.reason.c_str());
        return;
    }
    cells.push_back(units::count(row.tokensPerSecond));
    cells.push_back(secondsText(row.stepSeconds));
    cells.push_back(secondsText(row.fastest) + " – " + secondsText(row.slowest));
    cells.push_back(bytesText(row.memoryBytes));
    cells.push_back(columnShare(row.communication.total()));
    cells.push_back(columnShare(row.bubble));
    cells.push_back(timesText(row.speedUp));
    cells.push_back(columnShare(row.efficiency));
    printCells(cells);
}

void printBars(const SweepTable& table)
{
    double most = 0;
    for (const SweepRow& row : table.rows)
        if (std::isfinite(row.speedUp))
            most = std::max(most, row.speedUp);
    if (most <= 0)
        return;
    std::printf("\nspeed-up over %s\n",
                sizesText(table.rows[std::size_t(table.base)].layout).c_str());
    for (const SweepRow& row : table.rows) {
        if (!std::isfinite(row.speedUp))
            continue;
        std::string bar;
        for (int i = 0; i < int(std::lround(row.speedUp / most * barColumns)); ++i)
            bar += "█";
        std::printf("%s %s %s\n", inColumn(sizesText(row.layout), columns[0].width, false).c_str(),
                    bar.c_str(), timesText(row.speedUp).c_str());
    }
}

} // namespace

void printSweep(const SweepTable& table)
{
    std::printf("\n%s\n", table.title.c_str());
    for (const std::string& note : table.notes)
        std::printf("%s\n", note.c_str());
    std::printf("\n");
    std::vector<std::string> names;
    for (const Column& column : columns)
        names.push_back(column.name);
    printCells(names);
    for (const SweepRow& row : table.rows)
        printRow(row);
    printBars(table);
}

} // namespace triaxis::cli
