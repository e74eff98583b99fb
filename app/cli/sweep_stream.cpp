#include "app/cli/sweep_stream.h"

#include "engine/formats/sweep_json.h"

#include <chrono>
#include <cstdio>
#include <memory>

namespace triaxis::cli
{
namespace
{

using Clock = std::chrono::steady_clock;
constexpr auto between = std::chrono::milliseconds(250);

void printLine(const nlohmann::ordered_json& object)
{
    std::printf("%s\n",
                object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    std::fflush(stdout);
}

} // namespace

SweepObserver streamingObserver()
{
    SweepObserver observer;
    observer.begun = [](const SweepTable& table, std::size_t layouts, std::size_t runs) {
        printLine({{"event", "form"},
                   {"form", toText(table.form)},
                   {"title", table.title},
                   {"layouts", layouts},
                   {"runs", runs}});
    };
    observer.started = [](const Layout& layout, bool trial, std::int64_t steps) {
        printLine({{"event", "start"},
                   {"layout", {{"dp", layout.dp}, {"tp", layout.tp}, {"pp", layout.pp}}},
                   {"trial", trial},
                   {"steps", steps}});
    };
    observer.stepped = [last = std::make_shared<Clock::time_point>()](std::int64_t done,
                                                                      std::int64_t steps) {
        if (done < steps && Clock::now() - *last < between)
            return;
        *last = Clock::now();
        printLine({{"event", "step"}, {"done", done}, {"steps", steps}});
    };
    observer.ended = [](SweepForm form, const SweepRow& row) {
        printLine({{"event", "row"}, {"form", toText(form)}, {"row", toJson(row)}});
    };
    return observer;
}

void streamTable(const SweepTable& table)
{
    nlohmann::ordered_json line{{"event", "table"}};
    line.update(toJson(table));
    printLine(line);
}

} // namespace triaxis::cli
