// Messages and all-reduces of the communicator, side by side with Open MPI's own in the same run:
//     mpirun -n 2 bench_comm            (also 4 and 8; more ranks than cores shows the cost of
//     sharing them) mpirun -n 8 bench_comm pipeline   (four-stage pipelines and all-reduces of
//     pairs, with work in between)
// Times are the slowest rank's, the best and the median of the repeats, ours and MPI's taking
// turns. Ratio: MPI's time over ours.

#include "kernels/communicator.h"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace triaxis;

namespace
{

struct Times
{
    double best = 0;
    double median = 0;
};

/// Seconds of the slowest rank for each of `repeats` turns of both operations.
std::pair<Times, Times> compare(int repeats, int inner, const std::function<void()>& ours,
                                const std::function<void()>& theirs)
{
    const auto once = [&](const std::function<void()>& operation) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int i = 0; i < inner; ++i)
            operation();
        double seconds = (MPI_Wtime() - begin) / inner;
        MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        return seconds;
    };
    std::vector<double> a;
    std::vector<double> b;
    for (int i = 0; i < repeats; ++i) {
        a.push_back(once(ours));
        b.push_back(once(theirs));
    }
    const auto summary = [](std::vector<double> times) {
        std::sort(times.begin(), times.end());
        return Times{times.front(), times[times.size() / 2]};
    };
    return {summary(a), summary(b)};
}

std::string sizeName(std::size_t bytes)
{
    if (bytes >= 1u << 20)
        return std::to_string(bytes >> 20) + " MiB";
    if (bytes >= 1u << 10)
        return std::to_string(bytes >> 10) + " KiB";
    return std::to_string(bytes) + " B";
}

void report(const char* what, std::size_t bytes, double volume,
            const std::pair<Times, Times>& times)
{
    const auto& [ours, mpi] = times;
    std::printf(
        "%-10s %8s  %10.1f %10.1f us  MPI %10.1f %10.1f us  ratio %5.2f %5.2f  %6.2f GB/s\n", what,
        sizeName(bytes).c_str(), ours.best * 1e6, ours.median * 1e6, mpi.best * 1e6,
        mpi.median * 1e6, mpi.best / ours.best, mpi.median / ours.median, volume / ours.best / 1e9);
    std::fflush(stdout);
}

struct Effort
{
    int repeats, inner;
};

Effort effortFor(std::size_t bytes, int ranks)
{
    const int crowd = ranks > 2 ? ranks : 1;
    if (bytes <= 64 * 1024)
        return {20, std::max(2, 100 / crowd)};
    if (bytes <= (1u << 20))
        return {20, std::max(1, 16 / crowd)};
    return {std::max(6, 20 / crowd), 1};
}

/// Ranks 2k and 2k+1 send to each other at the same time, back and forth for the small ones.
void benchSend(kernels::World& world, kernels::Communicator& group, std::size_t largest)
{
    const int peer = world.rank() ^ 1;
    std::vector<char> out(largest, 1);
    std::vector<char> in(largest, 2);
    for (std::size_t bytes = 8; bytes <= largest; bytes *= 8) {
        const auto ours = [&] {
            auto receive = group.receive(in.data(), bytes, peer, 1);
            auto send = group.send(out.data(), bytes, peer, 1);
            world.wait(*receive);
            world.wait(*send);
        };
        const auto theirs = [&] {
            MPI_Request requests[2];
            MPI_Irecv(in.data(), static_cast<int>(bytes), MPI_BYTE, peer, 1, MPI_COMM_WORLD,
                      &requests[0]);
            MPI_Isend(out.data(), static_cast<int>(bytes), MPI_BYTE, peer, 1, MPI_COMM_WORLD,
                      &requests[1]);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        };
        const Effort effort = effortFor(bytes, world.size());
        const auto times = compare(effort.repeats, effort.inner, ours, theirs);
        if (world.rank() == 0)
            report("exchange", bytes, static_cast<double>(bytes), times);
    }
}

void benchAllReduce(kernels::World& world, kernels::Communicator& group, std::size_t largest)
{
    std::vector<float> data(largest / sizeof(float), 0.0f);
    for (std::size_t bytes = 8; bytes <= largest; bytes *= 2) {
        const auto count = static_cast<std::int64_t>(bytes / sizeof(float));
        const auto ours = [&] {
            auto request = group.allReduce(data.data(), count, kernels::Reduction::Sum);
            world.wait(*request);
        };
        const auto theirs = [&] {
            MPI_Allreduce(MPI_IN_PLACE, data.data(), static_cast<int>(count), MPI_FLOAT, MPI_SUM,
                          MPI_COMM_WORLD);
        };
        const Effort effort = effortFor(bytes, world.size());
        const auto times = compare(effort.repeats, effort.inner, ours, theirs);
        const double n = world.size();
        if (world.rank() == 0)
            report("all-reduce", bytes, 2 * (n - 1) / n * static_cast<double>(bytes), times);
    }
}

/// Uses the core for so long, however long it has to wait for it.
void work(double seconds)
{
    const auto used = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double end = used() + seconds;
    while (used() < end)
        continue;
}

struct Pipeline
{
    kernels::World& world;
    kernels::Communicator& stages; ///< the pipeline of this rank
    kernels::Communicator& pair;   ///< its partner for the all-reduces
    std::vector<float> activations;
    std::vector<float> sums;

    void forward(std::int64_t reduced, double seconds)
    {
        const int stage = stages.rank();
        const std::size_t bytes = activations.size() * sizeof(float);
        if (stage > 0) {
            auto request = stages.receive(activations.data(), bytes, stage - 1, 0);
            world.wait(*request);
        }
        for (int layer = 0; layer < 4; ++layer) {
            work(seconds / 4);
            auto request = pair.allReduce(sums.data(), reduced, kernels::Reduction::Sum);
            world.wait(*request);
        }
        if (stage + 1 < stages.size()) {
            auto request = stages.send(activations.data(), bytes, stage + 1, 0);
            world.wait(*request);
        }
    }
};

/// Two pipelines of four stages; rank r of one and rank r of the other reduce with each other after
/// each layer.
void benchPipeline(kernels::World& world)
{
    const int stages = world.size() / 2;
    std::vector<std::vector<int>> chains(2);
    std::vector<std::vector<int>> pairs;
    for (int stage = 0; stage < stages; ++stage) {
        chains[0].push_back(2 * stage);
        chains[1].push_back(2 * stage + 1);
        pairs.push_back({2 * stage, 2 * stage + 1});
    }
    auto chain = world.makeGroup(chains);
    auto pair = world.makeGroup(pairs);
    Pipeline pipeline{world, *chain, *pair, std::vector<float>(64 * 1024), {}};
    constexpr int microbatches = 8;
    for (const double work : {0.2e-3, 2e-3})
        for (const std::size_t bytes :
             {std::size_t{4} << 10, std::size_t{64} << 10, std::size_t{1} << 20}) {
            pipeline.sums.assign(bytes / sizeof(float), 0.0f);
            std::vector<double> seconds;
            for (int repeat = 0; repeat < 15; ++repeat) {
                world.barrier();
                const double begin = MPI_Wtime();
                for (int microbatch = 0; microbatch < microbatches; ++microbatch)
                    pipeline.forward(static_cast<std::int64_t>(pipeline.sums.size()), work);
                world.barrier();
                seconds.push_back(MPI_Wtime() - begin);
            }
            std::sort(seconds.begin(), seconds.end());
            const double cores = 2;
            const double ideal =
                microbatches * world.size() * work / std::min<double>(cores, world.size());
            if (world.rank() == 0)
                std::printf("pipeline   %.1f ms work a microbatch, 4 all-reduces of %-8s best "
                            "%8.2f ms, median "
                            "%8.2f ms; the work alone on two cores %8.2f ms\n",
                            work * 1e3, sizeName(bytes).c_str(), seconds.front() * 1e3,
                            seconds[seconds.size() / 2] * 1e3, ideal * 1e3);
        }
}

} // namespace

int main(int argc, char** argv)
{
    const std::string which = argc > 1 ? argv[1] : "all";
    const std::size_t largest = (argc > 2 ? std::stoul(argv[2]) : 64u) << 20;
    auto world = kernels::makeMpiWorld(&argc, &argv);
    std::vector<int> ranks;
    for (int rank = 0; rank < world->size(); ++rank)
        ranks.push_back(rank);
    auto group = world->makeGroup({ranks});
    if (world->rank() == 0)
        std::printf("%s, %d ranks\n", world->library().c_str(), world->size());
    if (world->size() % 2 == 0 && (which == "all" || which == "send"))
        benchSend(*world, *group, largest);
    if (world->size() > 1 && (which == "all" || which == "allreduce"))
        benchAllReduce(*world, *group, largest);
    if (world->size() % 2 == 0 && (which == "all" || which == "pipeline"))
        benchPipeline(*world);
    return 0;
}
