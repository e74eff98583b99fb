#pragma once

#include "engine/core/csv_table.h"
#include "engine/formats/measured_table.h"

#include <optional>
#include <stdexcept>

namespace triaxis
{

/// Why a row cannot be priced. Never leaves the readers.
class RowProblem : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// The row states what is needed, the model lacks it.
class NotModelled : public RowProblem
{
public:
    using RowProblem::RowProblem;
};

/// A row of a table of measured runs: cells by the names of their columns. Empty cells and "n/a"
/// count as not stated. What is asked for and missing or no such number throws RowProblem.
class MeasuredRow
{
public:
    MeasuredRow(const CsvTable& table, const CsvTable::Row& row,
                const std::vector<SoftwareProfile>& profiles)
        : m_table(table), m_row(row), m_profiles(profiles)
    {
    }

    int line() const { return m_row.line; }
    bool has(std::string_view column) const { return !textOr(column, "").empty(); }
    std::string text(std::string_view column) const;
    std::string textOr(std::string_view column, const std::string& otherwise) const;
    bool contains(std::string_view column, std::string_view part) const; ///< in either case

    double number(std::string_view column) const; ///< positive
    std::optional<double> numberIf(std::string_view column) const;
    int count(std::string_view column) const; ///< whole, 1 … 100 million
    int countOr(std::string_view column, int otherwise) const;
    bool yes(std::string_view column) const; ///< 1, yes, true

    /// From the profiles given for this reading, else the preset.
    SoftwareProfile profile(const std::string& name) const;

private:
    const CsvTable& m_table;
    const CsvTable::Row& m_row;
    const std::vector<SoftwareProfile>& m_profiles;
};

/// A whole number within a text: "8" of "tp=8", with `name` "tp"; empty where it is not there.
std::optional<int> namedNumber(const std::string& text, const std::string& name);

std::string lowerCase(std::string text);

} // namespace triaxis
