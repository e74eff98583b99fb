#include "app/cli/commands.h"
#include "app/cli/doctor.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

namespace triaxis::cli
{
namespace
{

const char* mark(Health health)
{
    switch (health) {
    case Health::Good: return "ok";
    case Health::Note: return "note";
    case Health::Short: return "SHORT";
    }
    return "";
}

int doctor(bool json)
{
    bool usable = true;
    for (const auto& examine : examinations()) {
        const Finding finding = examine();
        usable = usable && finding.health != Health::Short;
        if (json) {
            const nlohmann::ordered_json line{{"check", finding.what}, {"health", mark(finding.health)},
                                              {"found", finding.found}, {"advice", finding.advice}};
            std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
        } else {
            std::printf("%-5s  %-14s  %s\n", mark(finding.health), finding.what.c_str(), finding.found.c_str());
            if (!finding.advice.empty())
                std::printf("%-23s→ %s\n", "", finding.advice.c_str());
        }
        std::fflush(stdout);
    }
    if (!json)
        std::printf("%s\n", usable ? "This machine is ready: triaxis demo" : "Mend what is SHORT, then try again.");
    return usable ? Success : RunFailed;
}

} // namespace

void addDoctorCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand("doctor", "Is this machine ready? A line for each thing that matters, with what to do");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "One JSON object a line");
    command->callback([json, &exitCode] { exitCode = doctor(*json); });
}

} // namespace triaxis::cli
