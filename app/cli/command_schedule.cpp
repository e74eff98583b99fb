#include "app/cli/bubble_text.h"
#include "app/cli/commands.h"
#include "app/cli/schedule_options.h"
#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/json_fields.h"
#include "engine/core/units.h"
#include "engine/schedule/schedule_csv.h"
#include "engine/search/auto_schedule.h"
#include "engine/timeline/schedule_picture.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>

namespace triaxis::cli
{
namespace
{

constexpr const char* showing = "cannot show the schedule";

struct DrawnSchedule
{
    std::string name;
    int stages = 4;
    int microbatches = 8;
    int virtualStages = 0;
    int group = 0;
    std::string costs = "1,1,1";
    std::string costsFile;
    double transfer = 0;
    double memory = 0;
    bool csv = false;
    bool text = false;
    bool svg = false;
    bool json = false;
};

/// What is shown: a program with the times it is played with.
struct Shown
{
    ComputeProgram program;
    StageCosts costs;
    ScheduleRequest request;
    ShareTimes times;
    bool even = true; ///< all stages alike: closed forms can hold
    std::vector<std::string> notes;
};

/// What can be drawn beside each other.
bool isTime(double value)
{
    return value >= 1e-3 && value <= 1e6;
}

ShareTimes timesOf(const std::string& text)
{
    std::vector<double> values;
    bool sound = true;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) {
        double value = 0;
        const auto [rest, code] = std::from_chars(part.data(), part.data() + part.size(), value);
        sound = sound && code == std::errc() && rest == part.data() + part.size() && isTime(value);
        values.push_back(value);
    }
    if (!sound || values.size() != 3)
        throw Error(showing, "--costs '" + text + "'",
                    "give three times from 0.001 to 1000000 of a stage's whole share, F,I,W, such as 1,1.2,0.8");
    return {values[0], values[1], values[2]};
}

/// {"forward": […], "input": […], "weight": […]}: seconds of each stage's whole share.
StageCosts costsFromFile(const std::string& path)
{
    const nlohmann::json json =
        parseJson(readFile(path, 1 << 20, "cannot read the costs"), "cannot read the costs", path);
    StageCosts costs;
    for (const auto& [name, values] :
         {std::pair("forward", &costs.forward), std::pair("input", &costs.input),
          std::pair("weight", &costs.weight)}) {
        const auto found = json.is_object() ? json.find(name) : json.end();
        const bool numbers =
            json.is_object() && found != json.end() && found->is_array() &&
            std::all_of(found->begin(), found->end(), [](const auto& v) { return v.is_number(); });
        if (!numbers)
            throw Error("cannot read the costs", path + ": no list of numbers \"" + name + "\"",
                        "give forward, input and weight, the seconds of each stage");
        *values = found->template get<std::vector<double>>();
        if (!std::all_of(values->begin(), values->end(), isTime))
            throw Error("cannot read the costs", path + ": a time in \"" + name + "\" is not from 0.001 to 1000000",
                        "give the seconds of each stage in a unit that fits");
    }
    return costs;
}

StageCosts stageCosts(const DrawnSchedule& options, const ShareTimes& times)
{
    StageCosts costs = options.costsFile.empty()
                           ? evenCosts(options.stages, 1, times.forward, times.input, times.weight)
                           : costsFromFile(options.costsFile);
    costs.transfer = options.transfer;
    return costs;
}

Shown searched(const DrawnSchedule& options, Shown shown)
{
    const StageCosts ofStages = stageCosts(options, shown.times);
    AutoRequest request;
    request.stages = options.stages;
    request.microbatches = options.microbatches;
    request.memory = options.memory;
    request.costs = [&](const ComputeProgram& placement) {
        return costsByStage(ofStages, placement);
    };
    AutoSchedule found = searchSchedule(request);
    shown.notes.push_back("makespan " + std::to_string(found.makespan) + ", lower bound " +
                          std::to_string(found.lowerBound) + ": gap " +
                          units::percent(found.gap()));
    shown.notes.push_back(found.bestNamed.empty()
                              ? "no named schedule fits the memory"
                              : "best named within the memory: " + found.bestNamed + ", " +
                                    std::to_string(found.bestNamedMakespan));
    shown.program = std::move(found.program);
    shown.costs = std::move(found.costs);
    return shown;
}

/// An option that would change nothing is a mistake that somebody wants to know of.
void checkOptions(const DrawnSchedule& options)
{
    if (options.memory > 0 && options.name != "auto")
        throw Error("cannot use --memory", "it bounds the search of 'auto', not " + options.name,
                    "leave it out, or show the schedule auto");
    if (options.group > 0 && !options.name.starts_with("interleaved"))
        throw Error("cannot use --group", options.name + " has no groups of microbatches",
                    "leave it out, or show an interleaved schedule");
}

Shown shownOf(const DrawnSchedule& options)
{
    checkOptions(options);
    Shown shown;
    shown.times = timesOf(options.costs);
    shown.even = options.costsFile.empty();
    shown.request.name = options.name;
    shown.request.stages = options.stages;
    shown.request.microbatches = options.microbatches;
    shown.request.microbatchGroup = options.group;
    if (options.name == "auto")
        return searched(options, std::move(shown));
    if (namesScheduleFile(options.name)) {
        shown.program =
            programFromCsv(readFile(options.name, 16 << 20, "cannot read the schedule"), "custom");
        shown.request.name = "custom";
        shown.request.stages = shown.program.stages;
        shown.request.microbatches = shown.program.microbatches;
        DrawnSchedule ofFile = options;
        ofFile.stages = shown.program.stages;
        shown.costs = costsByStage(stageCosts(ofFile, shown.times), shown.program);
        return shown;
    }
    const ScheduleInfo& info = scheduleInfo(options.name);
    shown.request.virtualStages =
        options.virtualStages > 0
            ? options.virtualStages
            : std::clamp(info.maximumVirtual > 1 ? 2 : 1, info.minimumVirtual, info.maximumVirtual);
    shown.program = generate(shown.request);
    shown.costs = costsByStage(stageCosts(options, shown.times), shown.program);
    return shown;
}

double meanIdle(const Played& played)
{
    double sum = 0;
    for (const double idle : played.idle)
        sum += idle;
    return sum / double(played.idle.size());
}

ClosedForm formOf(const Shown& shown)
{
    if (shown.even && shown.costs.transfer == 0)
        return closedForm(shown.request, shown.times);
    ClosedForm none;
    none.idleText = "no closed form: it holds for even stages and free transfers";
    return none;
}

void printLegend(const Played& played)
{
    std::printf("F forward · B full backward · I backward for the input (B in the zero-bubble "
                "papers) · W backward for the "
                "weights\nmicrobatches count from 0 · lower case: a later chunk of the stage · F|B "
                "overlapped · dots: idle · one "
                "column %.4g\n\n",
                shortestStep(played));
}

void printText(const Shown& shown)
{
    const Played played = play(shown.program, shown.costs);
    const ScheduleInfo& info = scheduleInfo(shown.request.name);
    std::printf("%s: %d stages, %d microbatches, %d chunks a stage\n%s\n", info.title.c_str(),
                shown.program.stages, shown.program.microbatches, shown.program.chunks,
                info.summary.c_str());
    constexpr double widestGrid = 20'000; // columns; nobody reads more
    if (played.makespan / shortestStep(played) <= widestGrid) {
        printLegend(played);
        std::fputs(textGrid(played, shortestStep(played)).c_str(), stdout);
    } else {
        std::printf("too long to draw in the terminal; see --svg\n");
    }
    const double idle = meanIdle(played);
    const double ideal = played.makespan - idle;
    const ClosedForm form = formOf(shown);
    std::printf("\nmakespan %.6g\nbubble, played: %s idle over ideal, %s idle over makespan\n",
                played.makespan, units::percent(ideal > 0 ? idle / ideal : 0).c_str(),
                units::percent(played.makespan > 0 ? idle / played.makespan : 0).c_str());
    if (form.idle.empty())
        std::printf("%s\n", form.idleText.c_str());
    else
        std::printf("closed form: %s idle over ideal, %s idle over makespan; each stage idles %s\n",
                    units::percent(*form.idleOverIdeal()).c_str(),
                    units::percent(*form.idleOverMakespan()).c_str(), form.idleText.c_str());
    std::printf("\n%-9s %12s %12s %14s\n", "", "idle", "own window", "alive at most");
    for (std::size_t stage = 0; stage < played.stages.size(); ++stage)
        std::printf("stage %-3zu %12.6g %12.6g %14.4g\n", stage, played.idle[stage],
                    played.idleOwn[stage], played.peakLive[stage]);
    std::printf("alive: microbatches, in units of a stage's whole share\n");
    for (const std::string& note : shown.notes)
        std::printf("%s\n", note.c_str());
}

void printJson(const Shown& shown)
{
    const Played played = play(shown.program, shown.costs);
    const double idle = meanIdle(played);
    nlohmann::ordered_json json{
        {"schedule", shown.request.name},
        {"stages", shown.program.stages},
        {"microbatches", shown.program.microbatches},
        {"chunks", shown.program.chunks},
        {"replicas", shown.program.replicas},
        {"makespan", played.makespan},
        {"idle_over_ideal", idle / std::max(1e-300, played.makespan - idle)},
        {"idle_over_makespan", idle / std::max(1e-300, played.makespan)},
        {"idle", played.idle},
        {"own_idle", played.idleOwn},
        {"peak_live", played.peakLive},
        {"closed_form", closedFormJson(formOf(shown))},
        {"notes", shown.notes},
        {"csv", toCsv(shown.program)}};
    std::printf("%s\n", json.dump().c_str());
}

void listSchedules(bool json)
{
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const ScheduleInfo& info : schedules()) {
        if (json)
            all.push_back({{"name", info.name},
                           {"title", info.title},
                           {"source", info.source},
                           {"summary", info.summary},
                           {"minimum_virtual", info.minimumVirtual},
                           {"maximum_virtual", info.maximumVirtual},
                           {"replicas", info.replicas},
                           {"splits_backward", info.splitsBackward}});
        else
            std::printf("%-18s %s (%s)\n%-18s %s\n", info.name.c_str(), info.title.c_str(),
                        info.source.c_str(), "", info.summary.c_str());
    }
    if (json)
        std::printf("%s\n", all.dump().c_str());
}

int showSchedule(const DrawnSchedule& options)
{
    if (options.name.empty()) {
        listSchedules(options.json);
        return Success;
    }
    const Shown shown = shownOf(options);
    if (options.json)
        printJson(shown);
    else if (options.csv)
        std::fputs(toCsv(shown.program).c_str(), stdout);
    else if (options.svg)
        std::printf(
            "%s\n",
            toSvg(drawPlayed(play(shown.program, shown.costs), 1200), lightPalette()).c_str());
    else
        printText(shown);
    return Success;
}

} // namespace

void addScheduleCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command =
        app.add_subcommand("schedule", "Show a pipeline schedule: its order, bubble and memory");
    const auto options = std::make_shared<DrawnSchedule>();
    command->add_option("name", options->name, "Name, 'auto', or a CSV file; none: list all");
    command->add_option("--pp", options->stages, "Pipeline stages")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->add_option("--microbatches", options->microbatches, "Microbatches a step")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
    command
        ->add_option("--virtual", options->virtualStages,
                     "Chunks a stage (default: what the schedule needs)")
        ->check(CLI::Range(1, 4096));
    command->add_option("--group", options->group, "Interleaved: microbatches a group")
        ->check(CLI::Range(1, 65536));
    auto* costs = command->add_option("--costs", options->costs, "F,I,W of a stage's whole share")
                      ->capture_default_str();
    command
        ->add_option("--costs-file", options->costsFile,
                     "JSON with forward, input and weight of every stage")
        ->check(CLI::ExistingFile)
        ->excludes(costs);
    command->add_option("--transfer", options->transfer, "Time between two stages")
        ->check(CLI::Range(0.0, 1e6));
    command
        ->add_option("--memory", options->memory,
                     "auto: most activations alive on a stage, in its whole shares (default: as many as 1F1B)")
        ->check(CLI::Range(1e-3, 1e6));
    auto* form = command->add_option_group("form")->require_option(0, 1);
    form->add_flag("--text", options->text, "A grid of characters (the default)");
    form->add_flag("--csv", options->csv, "The per-rank CSV of PyTorch's pipelining");
    form->add_flag("--svg", options->svg, "A picture");
    form->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &exitCode] { exitCode = showSchedule(*options); });
}

} // namespace triaxis::cli
