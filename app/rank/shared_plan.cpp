#include "app/rank/shared_plan.h"

#include "engine/core/error.h"
#include "engine/record/process_info.h"
#include "engine/record/small_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <poll.h>
#include <unistd.h>

namespace triaxis::rank
{
namespace
{

constexpr std::size_t longestDescription = 64 << 20;

constexpr int longestSilence = 30'000; ///< milliseconds

bool inputComes()
{
    pollfd input{STDIN_FILENO, POLLIN, 0};
    int ready = 0;
    do
        ready = ::poll(&input, 1, longestSilence);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

std::string standardInput()
{
    std::string text;
    char buffer[64 << 10];
    while (text.size() < longestDescription && inputComes()) {
        const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        text.append(buffer, std::size_t(got));
    }
    return text;
}

} // namespace

bool reachesRun(const std::filesystem::path& directory)
{
    return ::access((directory / "run.json").c_str(), R_OK) == 0;
}

void checkReach(const std::filesystem::path& directory)
{
    constexpr std::array starters{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    const bool started =
        std::ranges::any_of(starters, [](const char* name) { return std::getenv(name); });
    if (!started && !reachesRun(directory))
        throw Error("cannot take part in the run", directory.string() + " holds no run",
                    "start the run with triaxis run");
}

std::string sharedDescription(const std::filesystem::path& directory, kernels::World& world)
{
    std::string text;
    if (world.rank() == 0)
        text = reachesRun(directory) ? readSmallFile(directory / "run.json").value_or("")
                                     : standardInput();
    std::int64_t size = std::int64_t(text.size());
    world.broadcast(&size, sizeof size, 0);
    if (size == 0)
        throw Error("cannot take part in the run",
                    "rank 0 has no plan: its host does not reach " + directory.string(),
                    "start the run with triaxis run, which hands the plan over");
    text.resize(std::size_t(size));
    world.broadcast(text.data(), text.size(), 0);
    return text;
}

} // namespace triaxis::rank
