#include "launcher/mpirun_messages.h"

#include <regex>
#include <sstream>
#include <vector>

namespace triaxis
{
namespace
{

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

/// Frames, and sentences that mpirun adds to every failure.
bool isFiller(const std::string& line)
{
    if (line.find_first_not_of("- \t\r") == std::string::npos)
        return true;
    for (const char* common :
         {"Primary job", "a non-zero exit code", "mpirun detected that one or more",
          "thus causing the job to be terminated", "the job to be terminated. The first",
          "Process name: [[", "Exit code: "})
        if (line.find(common) != std::string::npos)
            return true;
    return false;
}

} // namespace

std::optional<SignalNotice> signalNotice(const std::string& output)
{
    static const std::regex form(
        "process rank (\\d{1,9}) with PID \\d+ on node \\S+ exited on signal (\\d{1,3})");
    std::smatch match;
    if (!std::regex_search(output, match, form))
        return std::nullopt;
    return SignalNotice{Rank(std::stoi(match[1])), std::stoi(match[2])};
}

std::optional<ExitNotice> exitNotice(const std::string& output)
{
    static const std::regex form(
        "Process name: \\[\\[\\d+,\\d+\\],(\\d{1,9})\\]\\s+Exit code:\\s+(\\d{1,3})");
    std::smatch match;
    if (!std::regex_search(output, match, form))
        return std::nullopt;
    return ExitNotice{Rank(std::stoi(match[1])), std::stoi(match[2])};
}

std::string lastWordsOf(Rank rank, const std::string& output)
{
    const std::string start = "rank " + std::to_string(rank.value) + ": ";
    std::string words;
    for (const std::string& line : linesOf(output))
        if (line.starts_with(start))
            words = line.substr(start.size());
    return words;
}

std::string lastWords(const std::string& output, std::size_t limit)
{
    std::string words;
    const std::vector<std::string> lines = linesOf(output);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        if (isFiller(*line) || words.find(*line) != std::string::npos)
            continue;
        if (words.size() + line->size() + 1 > limit)
            break;
        words = words.empty() ? *line : *line + " " + words;
    }
    return words;
}

} // namespace triaxis
