#include "app/cli/validation_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace triaxis::cli
{
namespace
{

using Json = nlohmann::ordered_json;

Json partsOf(const PricedCase& priced)
{
    const StepEstimate& estimate = *priced.estimate;
    return {{"seconds", estimate.seconds},
            {"pipeline", estimate.pipeline},
            {"compute", estimate.compute},
            {"exposed", estimate.exposed},
            {"bubble", estimate.bubble},
            {"floor", priced.floor},
            {"gradients", estimate.tail.gradients},
            {"gathers", estimate.tail.gathers},
            {"optimizer", estimate.tail.optimizer},
            {"overhead", estimate.tail.overhead},
            {"embedding", estimate.tail.embedding},
            {"memory", estimate.memory}};
}

Json layoutOf(const PricedCase& priced)
{
    const ParallelPlan& plan = priced.run.plan;
    return {{"dp", plan.dp},
            {"tp", plan.tp},
            {"cp", plan.cp},
            {"pp", plan.pp},
            {"ep", plan.ep},
            {"virtual", plan.virtualStages},
            {"microbatch", plan.microbatch},
            {"microbatches", plan.microbatches(priced.run.job.globalBatch)},
            {"schedule", plan.schedule},
            {"zero", toText(plan.zero)},
            {"recompute", toText(plan.recompute)},
            {"sequence_parallel", plan.sequenceParallel}};
}

Json percentOf(const std::optional<double>& share)
{
    return share ? Json(*share * 100) : Json(nullptr);
}

} // namespace

std::string validationRowsJson(const Validation& validation)
{
    std::string text;
    for (const PricedCase& priced : validation.priced) {
        Json targets = Json::array();
        for (const PricedTarget& target : priced.targets)
            targets.push_back({{"quantity", toText(target.target.quantity)},
                               {"column", target.target.column},
                               {"predicted", target.predicted},
                               {"measured", target.target.measured},
                               {"error", target.error},
                               {"main", target.target.main}});
        Json row{{"line", priced.run.line},
                 {"label", priced.run.label},
                 {"problem", problemKey(priced.run)},
                 {"profile", priced.run.job.software.name},
                 {"cluster", priced.run.job.cluster.name},
                 {"layout", layoutOf(priced)},
                 {"targets", targets}};
        const auto main =
            std::find_if(priced.targets.begin(), priced.targets.end(),
                         [](const PricedTarget& target) { return target.target.main; });
        if (main != priced.targets.end()) {
            row["predicted"] = main->predicted;
            row["measured"] = main->target.measured;
            row["error"] = main->error;
        }
        if (priced.timed.measured > 0)
            row["measured_seconds"] = priced.timed.measured;
        if (priced.estimate)
            row["parts"] = partsOf(priced);
        text += row.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
    if (validation.halves)
        text += Json{{"halves",
                      {validation.halves->first.mean * 100, validation.halves->second.mean * 100}}}
                    .dump() +
                "\n";
    if (const auto share = pricedShare(validation.rows, validation.stating))
        text += Json{{"priced_share", *share * 100}}.dump() + "\n";
    for (const UnpricedRow& row : validation.unpriced)
        text += Json{{"line", row.line}, {"label", row.label}, {"skipped", row.reason}}.dump(
                    -1, ' ', false, Json::error_handler_t::replace) +
                "\n";
    return text;
}

std::string validationSummaryJson(const Validation& validation, bool named)
{
    Json json = Json::object();
    if (named)
        json["table"] = validation.table.name;
    const ErrorScore& error = validation.model.error;
    json["rows"] = validation.rows;
    json["mape"] = percentOf(error.values ? std::optional(error.mean) : std::nullopt);
    json["bias"] = percentOf(error.values ? std::optional(error.bias) : std::nullopt);
    json["rank"] = percentOf(validation.model.rank);
    json["pick"] = percentOf(validation.model.pick);
    json["skipped"] = validation.skipped;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace triaxis::cli
