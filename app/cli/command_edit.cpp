#include "app/cli/commands.h"
#include "app/cli/run_json.h"
#include "engine/core/error.h"
#include "storage/history.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

namespace triaxis::cli
{
namespace
{

struct EditOptions
{
    std::vector<std::string> runs;
    std::vector<std::string> tags, untags;
    std::optional<std::string> label;
    std::optional<std::string> note;
    std::optional<std::string> line;
    bool star = false;
    bool unstar = false;
    bool json = false;

    bool changes() const
    {
        return !tags.empty() || !untags.empty() || label || note || line || star || unstar;
    }
};

void apply(const EditOptions& options, RunNotes& notes)
{
    notes.tags.insert(notes.tags.end(), options.tags.begin(), options.tags.end());
    for (const std::string& tag : options.untags)
        std::erase(notes.tags, tag);
    if (options.label)
        notes.label = *options.label;
    if (options.note)
        notes.note = *options.note;
    if (options.line)
        notes.note += (notes.note.empty() ? "" : "\n") + *options.line;
    notes.starred = (notes.starred || options.star) && !options.unstar;
}

void print(const RunSummary& run)
{
    std::printf("%s%s%s%s\n", run.id.c_str(), run.starred ? " ★" : "",
                run.label.empty() ? "" : " · ", run.label.c_str());
    if (!run.tags.empty()) {
        for (const std::string& tag : run.tags)
            std::printf("%s#%s", &tag == run.tags.data() ? "" : " ", tag.c_str());
        std::printf("\n");
    }
    if (!run.note.empty())
        std::printf("%s\n", run.note.c_str());
}

int edit(const EditOptions& options)
{
    History history(triaxisHome());
    history.refresh();
    printNotes(history);
    // All are found before the first is changed.
    std::vector<std::string> ids;
    for (const std::string& run : options.runs)
        ids.push_back(history.run(run).id);
    for (const std::string& id : ids) {
        if (options.changes())
            history.edit(id, [&](RunNotes& notes) { apply(options, notes); });
        const RunSummary run = history.run(id);
        if (options.json)
            std::printf("%s\n", dumpLine(summaryJson(run)).c_str());
        else
            print(run);
    }
    return Success;
}

} // namespace

void addEditCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand(
        "edit", "Tag, star, label and annotate stored runs; without options, show what is noted");
    const auto options = std::make_shared<EditOptions>();
    command->add_option("runs", options->runs, "Ids, beginnings of them, or 'last'")->required();
    command->add_option("--tag", options->tags, "Add this tag")->expected(1)->take_all();
    command->add_option("--untag", options->untags, "Take this tag away")->expected(1)->take_all();
    command->add_option("--label", options->label, "Call the run this; '' takes its label away");
    const auto note = command->add_option(
        "--note", options->note, "Write this note in place of the old one; '' takes it away");
    command->add_option("--add-note", options->line, "Add a line to the note")->excludes(note);
    const auto star =
        command->add_flag("--star", options->star, "Give it a star; it is never pruned then");
    command->add_flag("--unstar", options->unstar, "Take its star away")->excludes(star);
    command->add_flag("--json", options->json, "One JSON object a run");
    command->callback([options, &exitCode] { exitCode = edit(*options); });
}

} // namespace triaxis::cli
