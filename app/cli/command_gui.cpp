#include "app/cli/commands.h"
#include "engine/core/error.h"
#include "launcher/supervisor.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace triaxis::cli
{

void addGuiCommand(CLI::App& app, int&)
{
    CLI::App* command = app.add_subcommand("gui", "Open the window; further options go to it");
    command->prefix_command();
    command->callback([command] {
        const std::filesystem::path window = findPrograms().window;
        std::error_code ignored;
        if (!std::filesystem::exists(window, ignored))
            throw Error("cannot open the window", window.string() + " is not there",
                        "this build has no window; build with -DTRIAXIS_UI=ON, or use triaxis demo and triaxis run");
        std::vector<std::string> words = command->remaining();
        words.insert(words.begin(), window.string());
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        execv(window.c_str(), arguments.data());
        throw Error("cannot open the window", window.string() + ": " + std::strerror(errno), "build it again");
    });
}

} // namespace triaxis::cli
