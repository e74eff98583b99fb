#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace triaxis
{

/// A table with a header line, as spreadsheets and papers' supplements write it (RFC 4180): cells
/// in double quotes may hold commas, line breaks and doubled quotes; lines end with LF or CRLF; a
/// byte order mark is skipped; blanks around a cell are not part of it.
struct CsvTable
{
    struct Row
    {
        int line = 0;                   ///< in the file, from 1, where the row begins
        std::vector<std::string> cells; ///< may be fewer or more than the header has
    };

    std::vector<std::string> header;
    std::vector<Row> rows; ///< empty lines left out

    /// Index of a column; empty if there is none of that name.
    std::optional<std::size_t> column(std::string_view name) const;
};

/// Throws Error (on `source`) for an empty table, a quote that never closes, bytes that are no
/// text, a column named twice, or sizes beyond reason.
CsvTable parseCsvTable(std::string_view text, const std::string& source);

/// A cell as parseCsvTable() reads it back: quoted where it has to be.
std::string csvCell(const std::string& text);

} // namespace triaxis
