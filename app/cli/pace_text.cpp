#include "app/cli/pace_text.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/schedule/verifier.h"
#include "engine/search/plan_costs.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace triaxis::cli
{
namespace
{

struct PaceFigures
{
    std::int64_t slots = 0;
    std::int64_t shortSlots = 0; ///< whose real work took longer
    SlotSample worst;            ///< the one that its work exceeded most
    double mostLate = 0;
};

PaceFigures figuresOf(const std::vector<SlotSample>& samples)
{
    PaceFigures figures;
    double most = 0;
    for (const SlotSample& sample : samples) {
        if (sample.id.kind() == Kind::OptimizerStep)
            continue;
        ++figures.slots;
        figures.mostLate = std::max(figures.mostLate, sample.late);
        const double over = sample.work - (sample.end - sample.begin);
        figures.shortSlots += over > 0 ? 1 : 0;
        if (over > most) {
            most = over;
            figures.worst = sample;
        }
    }
    return figures;
}

std::string timesText(const std::vector<double>& seconds)
{
    const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
    return *least == *most ? units::seconds(*least)
                           : units::seconds(*least) + " to " + units::seconds(*most);
}

std::vector<int> measuredLive(const RunPlan& plan, const RecordBatch& records)
{
    std::vector<int> peaks(std::size_t(plan.layout.ranks()), 0);
    for (const LiveSample& sample : records.live)
        if (sample.rank.value >= 0 && sample.rank.value < plan.layout.ranks())
            peaks[std::size_t(sample.rank.value)] =
                std::max(peaks[std::size_t(sample.rank.value)], int(sample.peak));
    return peaks;
}

/// [P]; empty if the plan has no program any more (a later version refuses it).
std::vector<int> programmedLive(const RunPlan& plan)
{
    try {
        return verify(programOf(plan)).peakLive;
    } catch (const Error&) {
        return {};
    }
}

/// Mean idle share of the stages, the schedule played with the plan's slots and pipeline link.
std::optional<double> playedIdle(const RunPlan& plan)
{
    try {
        return meanIdleShare(play(generate(scheduleRequest(plan)), planCosts(plan)));
    } catch (const Error&) {
        return std::nullopt;
    }
}

} // namespace

void printPace(const RunPlan& plan, const RecordBatch& records)
{
    const PacePlan& pace = plan.execution.pace;
    const PaceFigures figures = figuresOf(records.paced);
    if (!pace.active() || figures.slots == 0)
        return;
    std::printf("\npaced: forward %s, backward for the input %s, for the weights %s%s\n",
                timesText(pace.forward).c_str(), timesText(pace.input).c_str(),
                timesText(pace.weight).c_str(),
                pace.forward.size() == 1 ? " of a stage's whole share" : " by virtual stage");
    if (const std::optional<double> idle = playedIdle(plan))
        std::printf("  played with these slots and the link: bubble %s over step\n",
                    units::percent(*idle).c_str());
    if (figures.shortSlots == 0)
        std::printf("  the real work fitted into each of %s slots; up to %s late\n",
                    units::count(double(figures.slots)).c_str(),
                    units::seconds(figures.mostLate).c_str());
    else
        std::printf("  the real work took longer than its slot in %s of %s, most for the %s on rank %d: %s in %s; up to %s "
                    "late\n",
                    units::count(double(figures.shortSlots)).c_str(),
                    units::count(double(figures.slots)).c_str(), toText(figures.worst.id).c_str(),
                    figures.worst.rank.value, units::seconds(figures.worst.work).c_str(),
                    units::seconds(figures.worst.end - figures.worst.begin).c_str(),
                    units::seconds(figures.mostLate).c_str());
}

void printLive(const RunPlan& plan, const RecordBatch& records)
{
    if (records.live.empty() || plan.layout.pp < 2)
        return;
    const std::vector<int> measured = measuredLive(plan, records);
    const std::vector<int> programmed = programmedLive(plan);
    std::printf("\nactivations held at once (microbatches × chunks)\n");
    for (int stage = 0; stage < plan.layout.pp; ++stage) {
        int most = 0;
        for (int rank = 0; rank < plan.layout.ranks(); ++rank)
            if (coordinatesOf(plan.layout, Rank(rank)).pipeline == stage)
                most = std::max(most, measured[std::size_t(rank)]);
        std::printf("  stage %d  %d", stage, most);
        if (!programmed.empty())
            std::printf(", the program says %d", programmed[std::size_t(stage)]);
        std::printf("\n");
    }
}

void addPace(nlohmann::ordered_json& json, const RecordBatch& records)
{
    const PaceFigures figures = figuresOf(records.paced);
    if (figures.slots == 0)
        return;
    json["pace"] = {{"slots", figures.slots},
                    {"short_slots", figures.shortSlots},
                    {"worst_work", figures.worst.work},
                    {"worst_slot", figures.worst.end - figures.worst.begin},
                    {"most_late", figures.mostLate}};
}

void addLive(nlohmann::ordered_json& json, const RunPlan& plan, const RecordBatch& records)
{
    if (records.live.empty())
        return;
    json["live_by_rank"] = measuredLive(plan, records);
    json["live_by_program"] = programmedLive(plan);
}

} // namespace triaxis::cli
