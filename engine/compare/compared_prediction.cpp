#include "engine/compare/compared_prediction.h"

#include "engine/core/error.h"
#include "engine/formats/plan_file.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

double fullestBytes(const DrawnPrediction& prediction)
{
    double most = std::numeric_limits<double>::quiet_NaN();
    const auto take = [&](double bytes) {
        most = std::isfinite(most) ? std::max(most, bytes) : bytes;
    };
    for (const std::int64_t bytes : prediction.memoryByRank)
        take(double(bytes));
    if (prediction.memoryByRank.empty())
        for (const MemoryParts& stage : prediction.memory)
            take(stage.total());
    return most;
}

double communicationShareOf(const DrawnPrediction& prediction)
{
    return prediction.seconds > 0 ? prediction.exposed.total() / prediction.seconds
                                  : std::numeric_limits<double>::quiet_NaN();
}

/// As those of a run, with the cluster and what is set for it beside them.
nlohmann::json settingsOf(const DrawnPlan& plan)
{
    const nlohmann::json file = toJson(PlanFile{plan, {}, {}, {}});
    nlohmann::json settings = file.at("plan");
    for (const char* part : {"cluster", "settings", "model"})
        if (file.contains(part) && !settings.contains(part))
            settings[part] = file.at(part);
    return settings;
}

} // namespace

ComparedRun comparedPrediction(const std::string& name, const DrawnPlan& plan,
                               const MachineFacts& machine)
{
    const DrawnPrediction prediction = predictDrawn(plan, machine);
    if (!prediction.known) {
        const bool told = !prediction.findings.empty();
        throw Error("cannot predict " + name,
                    told ? prediction.findings.front().what : "it has no prediction",
                    told ? prediction.findings.front().mend : "open it in the window to see why");
    }
    ComparedRun run;
    run.id = name;
    run.name = plan.run.label.empty() ? name : plan.run.label;
    run.source = FigureSource::Predicted;
    run.plan = plan.run;
    run.settings = settingsOf(plan);
    run.stepSeconds = spreadOf({prediction.seconds});
    run.tokensPerSecond = spreadOf({prediction.tokensPerSecond});
    run.bubble = spreadOf({prediction.bubble});
    run.communication = spreadOf({communicationShareOf(prediction)});
    run.peakBytes = fullestBytes(prediction);
    const DrawnTimeline timeline = drawnTimeline(plan, machine);
    if (timeline.basis != PredictionBasis::Units) {
        run.spans = timeline.spans;
        run.spansLayout = timeline.layout;
        run.spansStep = 0;
    }
    return run;
}

} // namespace triaxis
