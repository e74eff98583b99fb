#include "app/cli/commands.h"
#include "storage/history.h"

#include <cstdio>

namespace triaxis::cli
{

void printNotes(History& history)
{
    for (const std::string& note : history.takeNotes())
        std::fprintf(stderr, "triaxis: %s\n", note.c_str());
}

} // namespace triaxis::cli
