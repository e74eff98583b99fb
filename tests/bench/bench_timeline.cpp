// How long one frame of a timeline takes: a million spans on eight ranks into a picture 1,600 px
// wide, and the steps before that. Prints milliseconds; the frame should stay below 20.

#include "engine/core/random.h"
#include "engine/timeline/display_list.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

using namespace triaxis;

namespace
{

double milliseconds(const std::function<void()>& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
}

/// Steps of 2 × 64 compute spans and as many transfers on each rank.
std::vector<Span> stepSpans(int ranks, std::int32_t step, double& time)
{
    constexpr int microbatches = 64;
    const CounterRandom random(1, "bench");
    std::vector<Span> spans;
    double end = time;
    for (int rank = 0; rank < ranks; ++rank) {
        double now = time;
        for (int i = 0; i < 2 * microbatches; ++i) {
            const std::uint64_t n =
                (std::uint64_t(step) * 1024 + std::uint64_t(rank)) * 256 + std::uint64_t(i);
            const Kind kind = i % 2 == 0 ? Kind::Forward : Kind::Backward;
            Span work{step, Rank(rank), InstructionId(kind, Chunk(0), Microbatch(i / 2))};
            work.ready = work.begin = now + 1e-4 * random.uniform(2 * n);
            work.end = now = work.begin + 1e-3 * (0.5 + random.uniform(2 * n + 1));
            Span send = work;
            send.id = InstructionId(Kind::SendActivation, Chunk(0), Microbatch(i / 2), i % 2);
            send.lane = Lane::SendNext;
            send.ready = work.end;
            send.begin = work.end + 5e-5;
            send.end = work.end + 2e-4;
            spans.push_back(work);
            spans.push_back(send);
        }
        end = std::max(end, now);
    }
    time = end;
    return spans;
}

} // namespace

int main(int argc, char** argv)
{
    const std::size_t wanted = argc > 1 ? std::size_t(std::atoll(argv[1])) : 1000000;
    constexpr int ranks = 8;
    Layout layout;
    layout.pp = ranks;
    Lanes lanes(layout);
    std::size_t spans = 0;
    double time = 0;
    const double filling = milliseconds([&] {
        for (std::int32_t step = 1; spans < wanted; ++step) {
            const std::vector<Span> batch = stepSpans(ranks, step, time);
            lanes.append(batch);
            spans += batch.size();
        }
    });
    std::printf("%zu spans on %d ranks, appended in %.0f ms\n", spans, ranks, filling);

    const auto report = [&](const char* name, double share) {
        TimelineView view;
        view.width = 1600 + view.headerWidth;
        view.from = time * (0.5 - share / 2);
        view.to = time * (0.5 + share / 2);
        std::vector<double> frames;
        std::size_t items = 0;
        for (int frame = 0; frame < 21; ++frame)
            frames.push_back(milliseconds([&] { items = drawTimeline(lanes, view).items.size(); }));
        std::nth_element(frames.begin(), frames.begin() + 10, frames.end());
        std::printf("%-22s %7.2f ms a frame (median of 21), %zu items\n", name, frames[10], items);
    };
    report("whole run", 1);
    report("a tenth", 0.1);
    report("a hundredth", 0.01);
    report("a thousandth", 0.001);
    return 0;
}
