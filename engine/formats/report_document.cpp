#include "engine/formats/report_document.h"

#include "engine/core/csv_table.h"
#include "engine/core/error.h"
#include "engine/timeline/move_down.h"

#include <algorithm>

namespace triaxis
{
namespace
{

template <class Block>
std::vector<const Block*> blocksOf(const ReportDocument& report)
{
    std::vector<const Block*> found;
    for (const ReportSection& section : report.sections)
        for (const ReportBlock& block : section.blocks)
            if (const auto* wanted = std::get_if<Block>(&block); wanted && !wanted->id.empty())
                found.push_back(wanted);
    return found;
}

template <class Block>
const Block& blockOf(const ReportDocument& report, const std::string& id, const char* what)
{
    std::string names;
    for (const Block* block : blocksOf<Block>(report)) {
        if (block->id == id)
            return *block;
        names += (names.empty() ? "" : ", ") + block->id;
    }
    throw Error("cannot export the " + std::string(what), "there is no \"" + id + "\" in it",
                names.empty() ? "nothing was recorded of it" : "ask for one of: " + names);
}

} // namespace

std::vector<const ReportPicture*> picturesOf(const ReportDocument& report)
{
    return blocksOf<ReportPicture>(report);
}

std::vector<const ReportTable*> tablesOf(const ReportDocument& report)
{
    return blocksOf<ReportTable>(report);
}

const ReportPicture& pictureOf(const ReportDocument& report, const std::string& id)
{
    return blockOf<ReportPicture>(report, id, "view");
}

const ReportTable& tableOf(const ReportDocument& report, const std::string& id)
{
    return blockOf<ReportTable>(report, id, "table");
}

std::string tableCsv(const ReportTable& table)
{
    std::string csv;
    const auto line = [&csv](std::size_t cells, auto&& textOf) {
        for (std::size_t i = 0; i < cells; ++i)
            csv += (i > 0 ? "," : "") + csvCell(textOf(i));
        csv += '\n';
    };
    line(table.columns.size(), [&](std::size_t i) { return table.columns[i].id; });
    for (const std::vector<ReportCell>& row : table.rows)
        line(row.size(), [&](std::size_t i) {
            return row[i].value.empty() && !table.columns[i].number ? row[i].text : row[i].value;
        });
    return csv;
}

DisplayList stacked(std::vector<DisplayList> lists, double gap)
{
    DisplayList whole;
    for (DisplayList& list : lists) {
        if (!whole.items.empty())
            whole.height += gap;
        whole.width = std::max(whole.width, list.width);
        for (DisplayItem& item : list.items) {
            moveDown(item, whole.height);
            whole.items.push_back(std::move(item));
        }
        whole.height += list.height;
    }
    return whole;
}

} // namespace triaxis
