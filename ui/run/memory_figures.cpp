#include "ui/run/memory_figures.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/run/straggler.h"

#include <algorithm>
#include <numeric>

namespace triaxis::ui
{
namespace
{

std::int64_t bytesOf(const MemorySample& sample, MemoryChoice choice, bool live)
{
    if (choice)
        return live ? sample.live[std::size_t(*choice)] : sample.peak[std::size_t(*choice)];
    return live ? std::accumulate(sample.live.begin(), sample.live.end(), std::int64_t(0))
                : sample.peakTotal;
}

template <class Take>
void forSamples(const RunData& run, std::size_t rank, const ShownSteps& steps, Take take)
{
    if (rank >= run.memoryOverTime().size())
        return;
    const auto& entries = run.memoryOverTime()[rank].entries();
    auto entry = std::lower_bound(entries.begin(), entries.end(), steps.first,
                                  [](const auto& e, std::int32_t step) { return e.step < step; });
    for (; entry != entries.end() && entry->step <= steps.last; ++entry)
        take(entry->item);
}

QString detailOf(const RunData& run, std::size_t rank, const MemoryWhen& when)
{
    QStringList lines;
    for (int category = 0; category < memoryCategoryCount; ++category)
        lines << QStringLiteral("%1: %2").arg(
            spoken(toText(MemoryCategory(category))),
            spoken(units::bytes(memoryBytes(run, rank, MemoryCategory(category), when))));
    lines << Words::tr("all at once: %1")
                 .arg(spoken(units::bytes(memoryBytes(run, rank, std::nullopt, when))));
    const double* moment = std::get_if<double>(&when);
    const MemorySample* sample = moment ? sampleAt(run, rank, *moment) : nullptr;
    if (const auto* steps = std::get_if<ShownSteps>(&when))
        lines << Words::tr("each at its own peak within %1").arg(steps->text());
    else if (!moment)
        lines << Words::tr("each at its own peak over all steps");
    else if (sample)
        lines << (run.samplesWithinSteps()
                      ? Words::tr("at %1").arg(spoken(units::seconds(sample->time)))
                      : Words::tr("each at its own peak within step %1").arg(sample->step));
    return lines.join(QLatin1Char('\n'));
}

MemoryGrid::Cell cellOf(const RunData& run, std::size_t rank, MemoryChoice choice,
                        const MemoryWhen& when)
{
    MemoryGrid::Cell cell;
    cell.rank = int(rank);
    cell.coordinates = spoken(toText(coordinatesOf(run.plan().layout, Rank(int(rank)))));
    cell.bytes = memoryBytes(run, rank, choice, when);
    cell.detail = detailOf(run, rank, when);
    return cell;
}

/// A cell for each stage of each replica: its fullest rank's.
std::vector<MemoryGrid::Cell> foldedCells(const RunData& run, MemoryChoice choice,
                                          const MemoryWhen& when)
{
    const Layout& layout = run.plan().layout;
    std::vector<MemoryGrid::Cell> cells;
    for (int data = 0; data < layout.dp; ++data)
        for (int stage = 0; stage < layout.pp; ++stage) {
            std::size_t fullest = 0;
            std::int64_t most = -1;
            for (int tensor = 0; tensor < layout.tp; ++tensor) {
                const auto rank = std::size_t(rankOf(layout, {data, tensor, stage}).value);
                const std::int64_t bytes = memoryBytes(run, rank, choice, when);
                if (bytes > most) {
                    most = bytes;
                    fullest = rank;
                }
            }
            cells.push_back(cellOf(run, fullest, choice, when));
            cells.back().title = Words::tr("data %1 · stage %2").arg(data).arg(stage);
            cells.back().detail +=
                Words::tr("\nrank %1, the fullest of %2 tensor ranks").arg(fullest).arg(layout.tp);
        }
    return cells;
}

} // namespace

const MemorySample* sampleAt(const RunData& run, std::size_t rank, double moment)
{
    if (rank >= run.memoryOverTime().size() || run.memoryOverTime()[rank].empty())
        return nullptr;
    const auto& entries = run.memoryOverTime()[rank].entries();
    auto found =
        std::lower_bound(entries.begin(), entries.end(), moment,
                         [](const auto& entry, double time) { return entry.item.time < time; });
    if (run.samplesWithinSteps()) {
        if (found == entries.end() || (found->item.time > moment && found != entries.begin()))
            --found;
    } else if (found == entries.end()) {
        --found;
    }
    return &found->item;
}

std::int64_t memoryBytes(const RunData& run, std::size_t rank, MemoryChoice choice,
                         const MemoryWhen& when)
{
    if (const auto* steps = std::get_if<ShownSteps>(&when)) {
        std::int64_t most = 0;
        forSamples(run, rank, *steps, [&](const MemorySample& sample) {
            most = std::max(most, bytesOf(sample, choice, false));
        });
        return most;
    }
    const double* moment = std::get_if<double>(&when);
    if (!moment) {
        if (choice)
            return run.peakByCategory()[rank][std::size_t(*choice)];
        return run.peakBytes()[rank];
    }
    const MemorySample* sample = sampleAt(run, rank, *moment);
    return sample ? bytesOf(*sample, choice, run.samplesWithinSteps()) : 0;
}

std::size_t memorySteps(const RunData& run, const ShownSteps& steps)
{
    std::size_t count = 0;
    std::int32_t last = -1;
    forSamples(run, 0, steps, [&](const MemorySample& sample) {
        count += sample.step != last;
        last = sample.step;
    });
    return count;
}

std::vector<MemoryGrid::Cell> memoryCells(const RunData& run, MemoryChoice choice,
                                          const MemoryWhen& when)
{
    const int ranks = run.plan().layout.ranks();
    if (ranks > mostMemoryCells)
        return foldedCells(run, choice, when);
    std::vector<MemoryGrid::Cell> cells;
    for (int rank = 0; rank < ranks; ++rank)
        cells.push_back(cellOf(run, std::size_t(rank), choice, when));
    for (const Straggler& straggler : stragglers(run)) {
        MemoryGrid::Cell& cell = cells[std::size_t(straggler.rank.value)];
        cell.marked = true;
        cell.detail += QLatin1Char('\n') + text(straggler);
    }
    return cells;
}

std::vector<MemoryCurves::Point> memoryPoints(const RunData& run, std::size_t rank)
{
    std::vector<MemoryCurves::Point> points;
    if (rank >= run.memoryOverTime().size())
        return points;
    double from = 0;
    if (!run.steps().empty())
        from = run.steps().front().begin;
    for (const auto& entry : run.memoryOverTime()[rank].entries()) {
        const MemorySample& sample = entry.item;
        MemoryCurves::Point point;
        point.from = std::min(from, sample.time);
        point.to = sample.time;
        point.bytes = run.samplesWithinSteps() ? sample.live : sample.peak;
        point.total = bytesOf(sample, std::nullopt, run.samplesWithinSteps());
        points.push_back(point);
        from = sample.time;
    }
    return points;
}

} // namespace triaxis::ui
