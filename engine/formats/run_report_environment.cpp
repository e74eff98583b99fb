#include "engine/core/units.h"
#include "engine/formats/run_report_sections.h"

#include <algorithm>
#include <map>
#include <set>

namespace triaxis
{
namespace
{

constexpr std::size_t mostOpenRows = 16;

/// An argument as a shell takes it.
std::string quoted(const std::string& word)
{
    const bool plain = !word.empty() &&
                       word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789/._-+=:,@") == std::string::npos;
    if (plain)
        return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

ReportTable processTable(const ReportInput& input)
{
    ReportTable table{"processes",
                      "Processes",
                      {{"rank", "Rank", "", false},
                       {"host", "Host", "", false},
                       {"device", "Device", "", false},
                       {"blas", "BLAS", "", false},
                       {"mpi", "MPI", "", false}}};
    std::map<int, const HelloRecord*> last;
    for (const HelloRecord& hello : input.records.all.hellos)
        last[hello.rank.value] = &hello;
    for (const auto& [rank, hello] : last)
        table.rows.push_back({{rankText(Rank(rank)), std::to_string(rank)},
                              {hello->host, ""},
                              {hello->device, ""},
                              {hello->blas, ""},
                              {hello->mpi, ""}});
    if (table.rows.size() > mostOpenRows) {
        table.title = countedText("Processes of all %n ranks", "Processes of all %n rank",
                                  std::int64_t(table.rows.size()));
        table.folded = true;
    }
    return table;
}

std::string listed(const std::set<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

} // namespace

void addEnvironment(ReportSections& sections, const ReportInput& input)
{
    const RunEnvironment& environment = input.environment;
    const ExecutionPlan& execution = input.plan.execution;
    std::set<std::string> devices;
    std::set<std::string> hosts;
    for (const HelloRecord& hello : input.records.all.hellos) {
        devices.insert(hello.device);
        hosts.insert(hello.host);
    }
    const auto group = [](const std::string& title,
                          std::vector<std::pair<std::string, std::string>> rows) {
        std::erase_if(rows, [](const auto& row) { return row.second.empty(); });
        return ReportGroup{title, std::move(rows)};
    };
    ReportSection section{"Environment", "where and on what it ran"};
    section.blocks.emplace_back(ReportGroups{
        {group(
             "Machine",
             {{"Hosts", hosts.empty() ? environment.host : listed(hosts)},
              {"Cores", environment.cores > 0 ? std::to_string(environment.cores) : ""},
              {"Memory", environment.memoryBytes > 0 ? units::bytes(environment.memoryBytes) : ""},
              {"Each rank", listed(devices)}}),
         group("Software", {{"Triaxis", environment.version},
                            {"BLAS", environment.blas},
                            {"MPI", environment.mpi},
                            {"Threads a rank", execution.threadsPerRank > 0
                                                   ? std::to_string(execution.threadsPerRank)
                                                   : "cores over ranks"},
                            {"Hang limit", units::seconds(execution.hangSeconds)}}),
         group("Run", {{"Id", environment.id},
                       {"Started", environment.startedUtc},
                       {"Ended", input.status.endedUtc}})}});
    const ReportTable processes = processTable(input);
    if (!processes.rows.empty())
        section.blocks.emplace_back(processes);
    sections.push_back(std::move(section));
}

void addRepeat(ReportSections& sections, const ReportInput& input)
{
    ReportSection section{"How to repeat it", ""};
    const bool atHand = !input.source.planFile.empty();
    const std::string file = atHand ? input.source.planFile : "plan.json";
    section.blocks.emplace_back(ReportLines{"triaxis run --plan " + quoted(file) + "\n"});
    section.blocks.emplace_back(
        ReportParagraph{"The plan holds all that is needed: model, layout, schedule, batch, "
                        "data with its SHA-256, seed. The same layout gives the same losses "
                        "to the bit on the same machine and libraries, any other layout the "
                        "same up to rounding; times depend on the machine.",
                        ReportTone::Note});
    if (!input.plan.data.path.empty())
        section.blocks.emplace_back(
            ReportParagraph{filled("It reads %1, which has to be there.", {input.plan.data.path}),
                            ReportTone::Note});
    section.blocks.emplace_back(ReportLines{
        toJson(input.plan).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n",
        "The plan itself, to be saved as plan.json"});
    sections.push_back(std::move(section));
}

} // namespace triaxis
