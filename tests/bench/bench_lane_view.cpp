// How long the window takes for a large run: a frame of the timeline at 1920 × 1080 with 128 lanes,
// appending steps of a live run, and opening a stored run from its files. Prints milliseconds
// beside what they should stay below, and the processor time of it in brackets.
//   bench_lane_view [spans, default 1000000] [spans of the stored run, default 1000000; 0: none]

#include "bench_timer.h"

#include "engine/core/random.h"
#include "tests/ui/support/stored_run.h"
#include "ui/run/run_tail.h"
#include "ui/widgets/lane_view.h"

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QImage>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

constexpr int pipelines = 16;
constexpr int stages = 8;
constexpr int microbatches = 16;

struct Cost
{
    double wall = 0;      ///< ms
    double processor = 0; ///< ms, of all threads together
};

Cost milliseconds(const std::function<void()>& work)
{
    const double begin = bench::now();
    const double processor = bench::processorNow();
    work();
    return {1e3 * (bench::now() - begin), 1e3 * (bench::processorNow() - processor)};
}

double middle(const std::vector<Cost>& costs, double Cost::*part)
{
    std::vector<double> values;
    for (const Cost& cost : costs)
        values.push_back(cost.*part);
    std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

double worst(const std::vector<Cost>& costs)
{
    double most = 0;
    for (const Cost& cost : costs)
        most = std::max(most, cost.wall);
    return most;
}

void report(const std::string& what, const std::vector<Cost>& costs, double budget)
{
    std::printf("  %-48s %8.2f ms [%8.2f], worst %8.2f (budget %.0f)\n", what.c_str(),
                middle(costs, &Cost::wall), middle(costs, &Cost::processor), worst(costs), budget);
}

/// One step of 128 ranks: compute spans with a send behind each.
std::vector<Span> stepSpans(std::int32_t step, double& time)
{
    const CounterRandom random(std::uint64_t(step), "bench");
    std::vector<Span> spans;
    double end = time;
    for (int rank = 0; rank < pipelines * stages; ++rank) {
        double now = time;
        for (int i = 0; i < 2 * microbatches; ++i) {
            const std::uint64_t n = std::uint64_t(rank) * 256 + std::uint64_t(i);
            const Kind kind = i < microbatches ? Kind::Forward : Kind::Backward;
            Span work{step, Rank(rank),
                      InstructionId(kind, Chunk(0), Microbatch(i % microbatches))};
            work.ready = work.begin = now + 2e-4 * random.uniform(2 * n);
            work.end = now = work.begin + 1e-3 * (0.5 + random.uniform(2 * n + 1));
            Span send = work;
            send.id = InstructionId(i < microbatches ? Kind::SendActivation : Kind::SendGradient,
                                    Chunk(0), Microbatch(i % microbatches));
            send.lane = i < microbatches ? Lane::SendNext : Lane::SendPrevious;
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

void reportFrames(LaneView& view, const Lanes& lanes, double budget)
{
    QImage frame(view.size(), QImage::Format_RGB32);
    for (const double share : {1.0, 0.3, 0.1, 0.01, 0.001}) {
        const double middle = (lanes.begin() + lanes.end()) / 2;
        const double half = (lanes.end() - lanes.begin()) * share / 2;
        std::vector<Cost> frames;
        for (int i = 0; i < 15; ++i) {
            // A little further every time, so that nothing can be kept from the frame before.
            const double shift = half * 1e-3 * i;
            view.showWindow({middle - half + shift, middle + half - shift});
            frames.push_back(milliseconds([&] { view.render(&frame); }));
        }
        char what[64];
        std::snprintf(what, sizeof what, "a frame of %g %% of the run", share * 100);
        report(what, frames, budget);
    }
}

void reportCollapsed(LaneView& view, double budget)
{
    QImage frame(view.size(), QImage::Format_RGB32);
    view.fitAll();
    view.toggleAllGroups();
    report("the first frame of collapsed groups", {milliseconds([&] { view.render(&frame); })},
           budget);
    // Their sums are built while the window has nothing else to do.
    std::vector<Cost> turns;
    for (bool growing = true; growing;)
        turns.push_back(milliseconds(
            [&] { growing = QAbstractEventDispatcher::instance()->processEvents({}); }));
    report(std::to_string(turns.size()) + " turns of the event loop to build their sums", turns,
           16);
    std::vector<Cost> frames;
    for (int i = 0; i < 9; ++i) {
        const TimeWindow window = view.window();
        view.showWindow({window.from + window.span() * 1e-4, window.to});
        frames.push_back(milliseconds([&] { view.render(&frame); }));
    }
    report("a frame with all groups collapsed", frames, budget);
    view.toggleAllGroups();
}

void reportAppending(LaneView& view, Lanes& lanes, std::int32_t step, double time)
{
    QImage frame(view.size(), QImage::Format_RGB32);
    view.followLatest();
    std::vector<Cost> updates;
    for (int i = 0; i < 30; ++i) {
        const std::vector<Span> spans = stepSpans(step++, time);
        updates.push_back(milliseconds([&] {
            lanes.append(spans);
            view.lanesGrown();
            view.render(&frame);
        }));
    }
    report("appending a step of 128 ranks and painting it", updates, 33);
}

void reportOpening(std::size_t spans)
{
    const RunPlan plan = tests::smallPlan(2, 2, 2, 8);
    const std::size_t ofStep = tests::playRun(plan, 1, {}).all.spans.size();
    const int steps = int(std::max<std::size_t>(1, spans / ofStep));
    QTemporaryDir home;
    const auto directory = tests::storeFinishedRun(home.path().toStdString(), plan, steps);
    std::size_t read = 0;
    const Cost opening = milliseconds([&] {
        RunTail tail(directory);
        for (bool over = false; !over;) {
            const RunUpdate update = tail.poll();
            over = update.over;
            if (update.lanes) {
                for (const RankTracks& rank : update.lanes->ranks())
                    read += rank.compute.size();
            }
        }
    });
    std::printf("a stored run of %zu spans in %d steps opens in %.0f ms [%.0f] (%zu compute spans; "
                "budget 1000)\n",
                ofStep * std::size_t(steps), steps, opening.wall, opening.processor, read);
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    const std::size_t wanted = argc > 1 ? std::size_t(std::atoll(argv[1])) : 1000000;
    const std::size_t stored = argc > 2 ? std::size_t(std::atoll(argv[2])) : 1000000;

    Layout layout;
    layout.dp = pipelines;
    layout.pp = stages;
    auto lanes = std::make_shared<Lanes>(layout);
    std::size_t spans = 0;
    double time = 0;
    std::int32_t step = 1;
    const Cost filling = milliseconds([&] {
        for (; spans < wanted; ++step) {
            const std::vector<Span> batch = stepSpans(step, time);
            lanes->append(batch);
            spans += batch.size();
        }
    });
    std::printf("%zu spans on 128 lanes, appended in %.0f ms; 1920 × 1080\n", spans, filling.wall);
    LaneView view;
    view.resize(1920, 1080);
    view.setLanes(lanes);
    view.fitAll();
    const double budget = wanted > 2000000 ? 50 : 16;
    reportFrames(view, *lanes, budget);
    reportCollapsed(view, budget);
    reportAppending(view, *lanes, step, time);
    if (stored > 0)
        reportOpening(stored);
    return 0;
}
