#include "engine/schedule/schedule_csv.h"

#include "engine/core/error.h"
#include "engine/schedule/compute_program.h"
#include "engine/schedule/whole_program.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>

namespace triaxis
{
namespace
{

/// A step with the number that stands in the file: virtual stage, those of replica 1 counted on.
struct FileStep
{
    Kind kind = Kind::Forward;
    int number = 0;
    int microbatch = 0;
    bool withNext = false;
};

struct FileRow
{
    int line = 0; ///< in the file, from 1
    std::vector<FileStep> steps;
};

[[noreturn]] void refuse(const std::string& what, const std::string& remedy)
{
    throw Error("cannot read the schedule's CSV", what, remedy);
}

std::string_view trimmed(std::string_view text)
{
    const char* blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

/// Takes a number from the front of `text`; empty if none stands there or it is beyond `most`.
std::optional<int> takeNumber(std::string_view& text, int most)
{
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0 || number > most || text.front() == '-')
        return std::nullopt;
    text.remove_prefix(end - text.data());
    return number;
}

/// Largest numbers that a file may name.
constexpr int largestVirtualStage = 1 << 20;

std::optional<Kind> kindOf(std::string_view letter)
{
    for (const Kind kind :
         {Kind::Forward, Kind::Backward, Kind::BackwardInput, Kind::BackwardWeight})
        if (letter == shortName(kind))
            return kind;
    return std::nullopt;
}

/// Actions that the passes add themselves.
bool isLeftOut(std::string_view action)
{
    for (const std::string_view name :
         {"SEND_F", "RECV_F", "SEND_B", "RECV_B", "UNSHARD", "RESHARD", "REDUCE_GRAD"})
        if (action == name)
            return true;
    return false;
}

/// One action such as 2F0; empty where it is left out, or where it is none: `sound` tells these
/// apart.
std::optional<FileStep> readAction(std::string_view text, bool& sound)
{
    sound = false;
    const std::optional<int> number = takeNumber(text, largestVirtualStage);
    if (!number)
        return std::nullopt;
    const std::size_t letters = std::min(text.find_first_of("0123456789"), text.size());
    const std::string_view action = text.substr(0, letters);
    text.remove_prefix(letters);
    if (isLeftOut(action)) {
        sound = text.empty() || (takeNumber(text, maximumMicrobatches) && text.empty());
        return std::nullopt;
    }
    const std::optional<Kind> kind = kindOf(action);
    const std::optional<int> microbatch = takeNumber(text, maximumMicrobatches - 1);
    if (!kind || !microbatch || !text.empty())
        return std::nullopt;
    sound = true;
    return FileStep{*kind, *number, *microbatch};
}

/// "(0F7;7B3)OVERLAP_F_B".
bool readPair(std::string_view text, std::vector<FileStep>& steps)
{
    const std::string_view suffix = ")OVERLAP_F_B";
    if (text.size() < suffix.size() + 1 || text.substr(text.size() - suffix.size()) != suffix)
        return false;
    const auto parts = split(text.substr(1, text.size() - suffix.size() - 1), ';');
    if (parts.size() != 2)
        return false;
    bool sound[2] = {false, false};
    std::optional<FileStep> first = readAction(trimmed(parts[0]), sound[0]);
    const std::optional<FileStep> second = readAction(trimmed(parts[1]), sound[1]);
    if (!first || !second)
        return false;
    const bool forwardFirst = first->kind == Kind::Forward && second->kind == Kind::Backward;
    const bool backwardFirst = first->kind == Kind::Backward && second->kind == Kind::Forward;
    if (!forwardFirst && !backwardFirst)
        return false;
    first->withNext = true;
    steps.push_back(*first);
    steps.push_back(*second);
    return true;
}

FileRow readRow(std::string_view text, int line)
{
    FileRow row{line, {}};
    int column = 0;
    for (std::string_view cell : split(text, ',')) {
        ++column;
        cell = trimmed(cell);
        if (cell.empty())
            continue;
        bool sound = false;
        if (cell.front() == '(') {
            sound = readPair(cell, row.steps);
        } else if (const std::optional<FileStep> step = readAction(cell, sound)) {
            row.steps.push_back(*step);
        }
        if (!sound)
            refuse("line " + std::to_string(line) + ", cell " + std::to_string(column) + ": \"" +
                       std::string(cell.substr(0, 60)) + "\"",
                   "write virtual stage, letter (F, B, I or W) and microbatch, such as 2F0, or "
                   "(0F7;7B3)OVERLAP_F_B");
    }
    return row;
}

/// Rows of the file without trailing empty lines; the first line may give the replicas.
std::vector<FileRow> readRows(const std::string& text, int& replicas)
{
    std::vector<std::string_view> lines = split(text, '\n');
    while (!lines.empty() && trimmed(lines.back()).empty())
        lines.pop_back();
    std::vector<FileRow> rows;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::string_view line = trimmed(lines[i]);
        if (i == 0 && !line.empty() && line.front() == '#') {
            const std::string_view mark = "# replicas ";
            if (line.substr(0, mark.size()) == mark)
                line.remove_prefix(mark.size());
            const std::optional<int> number = takeNumber(line, maximumChunks);
            if (!number || *number < 1 || !line.empty())
                refuse("line 1: a remark that is no number of replicas",
                       "write \"# replicas 2\", or leave the line out");
            replicas = *number;
            continue;
        }
        rows.push_back(readRow(line, int(i) + 1));
    }
    if (rows.empty())
        refuse("an empty file", "write one row a stage");
    return rows;
}

std::string lineText(const FileRow& row)
{
    return "line " + std::to_string(row.line);
}

/// Numbers of the virtual stages that a row names, ascending.
std::vector<int> numbersOf(const FileRow& row)
{
    std::set<int> numbers;
    for (const FileStep& step : row.steps)
        numbers.insert(step.number);
    return {numbers.begin(), numbers.end()};
}

/// Places chunks by the virtual stages that the rows name.
void placeChunks(ComputeProgram& program, const std::vector<FileRow>& rows)
{
    std::size_t steps = 0;
    for (const FileRow& row : rows)
        steps += row.steps.size();
    const std::size_t inFirst = numbersOf(rows.front()).size();
    if (inFirst == 0 || inFirst > steps / rows.size() ||
        inFirst % std::size_t(program.replicas) != 0)
        refuse(std::to_string(rows.size()) + " rows, of which the first names " +
                   std::to_string(inFirst) + " virtual stages, for " +
                   std::to_string(program.replicas) + " replicas",
               "give every row the same number of virtual stages, as many of each replica");
    program.chunks = int(inFirst);
    const int count = program.stages * program.chunks;
    std::vector<int> holder(count, -1);
    for (int stage = 0; stage < program.stages; ++stage) {
        const std::vector<int> numbers = numbersOf(rows[stage]);
        if (int(numbers.size()) != program.chunks)
            refuse(lineText(rows[stage]) + " names " + std::to_string(numbers.size()) +
                       " virtual stages, the first row " + std::to_string(program.chunks),
                   "give every row the same number of virtual stages");
        program.virtualStage.emplace_back();
        program.replica.emplace_back();
        for (const int number : numbers) {
            if (number >= count)
                refuse(lineText(rows[stage]) + ": virtual stage " + std::to_string(number) +
                           ", but the rows name " + std::to_string(count) + " in all",
                       "number the virtual stages from 0 without a gap");
            if (holder[number] >= 0)
                refuse(lineText(rows[stage]) + ": virtual stage " + std::to_string(number) +
                           " is in line " + std::to_string(rows[holder[number]].line) + " too",
                       "give every virtual stage to one row");
            holder[number] = stage;
            const int positions = count / program.replicas;
            program.virtualStage.back().push_back(number % positions);
            program.replica.back().push_back(number / positions);
        }
    }
}

void addSteps(ComputeProgram& program, const FileRow& row)
{
    const std::vector<int> numbers = numbersOf(row);
    std::vector<ComputeStep>& order = program.order.emplace_back();
    for (const FileStep& step : row.steps) {
        const auto chunk = std::lower_bound(numbers.begin(), numbers.end(), step.number);
        order.push_back({step.kind, Chunk(int(chunk - numbers.begin())),
                         Microbatch(step.microbatch), step.withNext});
    }
}

} // namespace

ComputeProgram programFromCsv(const std::string& text, const std::string& name)
{
    ComputeProgram program;
    program.schedule = name;
    constexpr const char* byteOrderMark = "\xef\xbb\xbf"; // some editors begin a file with it
    const std::vector<FileRow> rows =
        readRows(text.starts_with(byteOrderMark) ? text.substr(3) : text, program.replicas);
    program.stages = int(rows.size());
    placeChunks(program, rows);
    program.microbatches = 1;
    for (const FileRow& row : rows) {
        addSteps(program, row);
        for (const FileStep& step : row.steps)
            program.microbatches = std::max(program.microbatches, step.microbatch + 1);
    }
    std::vector<int> lines;
    for (const FileRow& row : rows)
        lines.push_back(row.line);
    checkWhole(program, lines);
    checkShape(program);
    return program;
}

} // namespace triaxis
