#include "app/cli/commands.h"
#include "app/cli/export_file.h"
#include "app/cli/validation_text.h"
#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/formats/scoreboard_html.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <ostream>

namespace triaxis::cli
{
namespace
{

constexpr const char* validating = "cannot validate";

struct ValidateOptions
{
    std::vector<std::string> paths;
    std::string profileFile;
    std::string passTimes;
    std::string half;
    std::string report;
    bool json = false;
    bool rows = false;
    bool profiles = false;
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

/// The tables directly within a folder, by name.
std::vector<std::filesystem::path> tablesIn(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> tables;
    std::error_code fault;
    for (const auto& entry : std::filesystem::directory_iterator(folder, fault)) {
        std::error_code ignored;
        if (entry.path().extension() == ".csv" && entry.is_regular_file(ignored))
            tables.push_back(entry.path());
    }
    if (fault)
        throw Error(validating, "the folder " + folder.string() + " cannot be read: " + fault.message(),
                    "check the path and its permissions");
    if (tables.empty())
        throw Error(validating, "the folder " + folder.string() + " holds no CSV table",
                    "give a folder of tables, or the tables themselves");
    std::sort(tables.begin(), tables.end());
    return tables;
}

/// A table that was named must be readable; in a folder what is no table of runs is left out.
Scoreboard scored(const ValidateOptions& options)
{
    Scoreboard board;
    for (const std::string& path : options.paths) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(path, ignored)) {
            board.tables.push_back(validated(options, path));
            continue;
        }
        for (const std::filesystem::path& table : tablesIn(path)) {
            try {
                board.tables.push_back(validated(options, table));
            } catch (const Error& error) {
                board.unscored.push_back({table.stem().string(), error.object()});
            }
        }
    }
    return board;
}

bool hasFolder(const ValidateOptions& options)
{
    std::error_code ignored;
    return std::any_of(options.paths.begin(), options.paths.end(), [&](const std::string& path) {
        return std::filesystem::is_directory(path, ignored);
    });
}

void printJson(const ValidateOptions& options, const Scoreboard& board, bool summary)
{
    for (const Validation& table : board.tables) {
        if (options.rows)
            std::fputs(validationRowsJson(table).c_str(), stdout);
        std::fputs(validationSummaryJson(table, summary || board.tables.size() > 1).c_str(),
                   stdout);
    }
    if (summary)
        std::fputs(scoreboardSummaryJson(board).c_str(), stdout);
}

/// Every profile: where its constants come from, and what they hold for.
void printProfiles(const std::vector<SoftwareProfile>& profiles)
{
    for (const SoftwareProfile& profile : profiles) {
        std::printf("%s: %s\n  source   %s\n", profile.name.c_str(), profile.title.c_str(),
                    profile.source.c_str());
        if (!profile.fit.empty())
            std::printf("  fit      %s\n", profile.fit.c_str());
        std::printf("  domain   %s\n  error    %.3g %% there, %.3g %% outside\n",
                    domainText(profile).c_str(), profile.expectedError * 100,
                    std::max(profile.expectedError, errorOutsideDomain) * 100);
        for (const auto& [name, value] : constantsOf(profile))
            std::printf("  %-22s %g\n", name.c_str(), value);
    }
}

int runValidate(const ValidateOptions& options)
{
    if (options.profiles) {
        const std::vector<SoftwareProfile> own = profilesOf(options);
        printProfiles(own.empty() ? softwareProfiles() : own);
        return Success;
    }
    if (options.paths.empty())
        throw Error(validating, "no table is named",
                    "give CSV tables or folders of them, or --profiles");

    const bool folder = hasFolder(options);
    const Scoreboard board = scored(options);
    if (!options.report.empty())
        writeFile(options.report, [&](std::ostream& file) { file << scoreboardHtml(board); });
    if (options.report == "-")
        return Success;
    if (options.json) {
        printJson(options, board, folder);
    } else if (folder) {
        std::fputs(scoreboardText(board).c_str(), stdout);
    } else {
        for (const Validation& table : board.tables)
            std::fputs(validationText(table).c_str(), stdout);
    }
    return Success;
}

} // namespace

void addValidateCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand(
        "validate", "Price the runs of a table of published measurements and show the errors");
    const auto options = std::make_shared<ValidateOptions>();
    command->add_option("tables", options->paths, "CSV tables, or folders of them");
    command->add_flag("--profiles", options->profiles,
                      "Show every software profile instead: its constants, their source, what they "
                      "were fitted on and the error to be expected there and elsewhere");
    command->add_option("--report", options->report,
                        "Write the scoreboard of all tables as one HTML page (\"-\": to standard "
                        "output)");
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
