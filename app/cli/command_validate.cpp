#include "app/cli/commands.h"
#include "app/cli/validation_text.h"
#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/cost/validation.h"

#include <cstdio>
#include <filesystem>
#include <memory>

namespace triaxis::cli
{
namespace
{

constexpr const char* tried = "cannot validate";

struct ValidateOptions
{
    std::vector<std::string> paths;
    std::string profileFile;
    std::string passTimes;
    std::string half;
    bool json = false;
    bool rows = false;
};

std::vector<SoftwareProfile> profilesOf(const ValidateOptions& options)
{
    if (options.profileFile.empty())
        return {};
    return parseProfiles(readFile(options.profileFile, 16 << 20, "cannot read the profiles"),
                         softwareProfiles());
}

/// Pass times given, or those beside the table.
std::vector<PassTimes> passTimesFor(const ValidateOptions& options,
                                    const std::filesystem::path& table)
{
    std::filesystem::path path = options.passTimes;
    if (path.empty()) {
        path = table.parent_path() / "zero_bubble_table_9_profiled_pass_times.csv";
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(path, ignored))
            return {};
    }
    return parsePassTimes(readFile(path, 16 << 20, "cannot read the pass times"), path.string());
}

Validation validated(const ValidateOptions& options, const std::filesystem::path& path)
{
    MeasuredTable table = readMeasuredTable(path, profilesOf(options));
    if (!options.half.empty())
        table = halfOf(std::move(table), options.half == "second" ? 1 : 0);
    return validate(std::move(table), passTimesFor(options, path));
}

int runValidate(const ValidateOptions& options)
{
    for (const std::string& path : options.paths) {
        const Validation validation = validated(options, path);
        if (options.json) {
            if (options.rows)
                std::fputs(validationRowsJson(validation).c_str(), stdout);
            std::fputs(validationSummaryJson(validation, options.paths.size() > 1).c_str(), stdout);
        } else {
            std::fputs(validationText(validation).c_str(), stdout);
        }
    }
    return Success;
}

} // namespace

void addValidateCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand(
        "validate", "Price the runs of a table of published measurements and show the errors");
    const auto options = std::make_shared<ValidateOptions>();
    command->add_option("tables", options->paths, "CSV tables")->required();
    command->add_flag("--json", options->json, "The scores as one JSON object");
    command->add_flag("--rows", options->rows, "With --json: one object a run before the scores");
    command
        ->add_option("--half", options->half,
                     "Only every second row: to fit on one half and check on the other")
        ->check(CLI::IsMember({"first", "second"}));
    command->add_option(
        "--profile-file", options->profileFile,
        "Constants of software profiles by name, as resources/profiles.json gives them");
    command->add_option(
        "--pass-times", options->passTimes,
        "Profiled pass times for bubble rates (default: the table 9 beside the table)");
    command->callback([options, &exitCode] { exitCode = runValidate(*options); });
}

} // namespace triaxis::cli
