#include "engine/core/csv_table.h"

#include "engine/core/error.h"

#include <algorithm>
#include <set>

namespace triaxis
{
namespace
{

constexpr std::size_t mostRows = 2'000'000;
constexpr std::size_t mostColumns = 4096;

/// Walks once over the text.
class CsvReader
{
public:
    CsvReader(std::string_view text, const std::string& source) : m_text(text), m_source(source) {}

    std::vector<CsvTable::Row> rows()
    {
        std::vector<CsvTable::Row> rows;
        while (m_at < m_text.size()) {
            CsvTable::Row row = readRow();
            const bool empty = row.cells.size() == 1 && row.cells.front().empty();
            if (empty)
                continue;
            if (rows.size() == mostRows)
                refuse("more than " + std::to_string(mostRows) + " rows", "split the table");
            rows.push_back(std::move(row));
        }
        return rows;
    }

    [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const
    {
        throw Error("cannot read the table", m_source + ": " + what, remedy);
    }

private:
    CsvTable::Row readRow()
    {
        CsvTable::Row row;
        row.line = m_line;
        bool more = true;
        while (more) {
            if (row.cells.size() == mostColumns)
                refuse("line " + std::to_string(row.line) + " has more than " +
                           std::to_string(mostColumns) + " cells",
                       "give a table with commas between its columns");
            row.cells.push_back(readCell(more));
        }
        return row;
    }

    /// Reads up to the next comma or line end; `more`: a comma stood there.
    std::string readCell(bool& more)
    {
        std::string cell;
        skipBlanks();
        if (m_at < m_text.size() && m_text[m_at] == '"')
            readQuoted(cell);
        more = false;
        while (m_at < m_text.size()) {
            const char next = m_text[m_at++];
            if (next == ',') {
                more = true;
                break;
            }
            if (next == '\n') {
                ++m_line;
                break;
            }
            if (next == '\0')
                refuse("line " + std::to_string(m_line) + " holds a zero byte", "give a text file");
            cell += next;
        }
        while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t' || cell.back() == '\r'))
            cell.pop_back();
        return cell;
    }

    void readQuoted(std::string& cell)
    {
        const int opened = m_line;
        ++m_at;
        while (true) {
            if (m_at == m_text.size())
                refuse("the quote opened in line " + std::to_string(opened) + " never closes",
                       "close it");
            const char next = m_text[m_at++];
            if (next == '"') {
                if (m_at == m_text.size() || m_text[m_at] != '"')
                    return;
                ++m_at;
            } else if (next == '\n') {
                ++m_line;
            }
            cell += next;
        }
    }

    void skipBlanks()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t'))
            ++m_at;
    }

    std::string_view m_text;
    const std::string& m_source;
    std::size_t m_at = 0;
    int m_line = 1;
};

} // namespace

std::optional<std::size_t> CsvTable::column(std::string_view name) const
{
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end())
        return std::nullopt;
    return std::size_t(found - header.begin());
}

CsvTable parseCsvTable(std::string_view text, const std::string& source)
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.substr(0, mark.size()) == mark)
        text.remove_prefix(mark.size());
    CsvReader reader(text, source);
    CsvTable table;
    table.rows = reader.rows();
    if (table.rows.empty())
        reader.refuse("the table is empty", "give a header line and rows");
    table.header = std::move(table.rows.front().cells);
    table.rows.erase(table.rows.begin());
    std::set<std::string> names;
    for (const std::string& name : table.header) {
        if (!name.empty() && !names.insert(name).second)
            reader.refuse("two columns are named \"" + name + "\"", "name every column once");
    }
    return table;
}

std::string csvCell(const std::string& text)
{
    const bool plain = text.find_first_of(",\"\r\n") == std::string::npos && !text.empty() &&
                       text.front() != ' ' && text.back() != ' ';
    if (plain || text.empty())
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string(2, c) : std::string(1, c);
    return quoted + "\"";
}

} // namespace triaxis
