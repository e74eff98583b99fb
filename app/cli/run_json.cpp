#include "app/cli/run_json.h"

#include <cmath>

namespace triaxis::cli
{
namespace
{

nlohmann::ordered_json orNull(double value)
{
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

} // namespace

nlohmann::ordered_json summaryJson(const RunSummary& run)
{
    return {{"run", run.id},
            {"label", run.label},
            {"state", toText(run.state)},
            {"reason", run.reason},
            {"started", run.startedUtc},
            {"model", run.model},
            {"dp", run.dp},
            {"tp", run.tp},
            {"pp", run.pp},
            {"schedule", run.schedule},
            {"ranks", run.ranks},
            {"steps", run.steps},
            {"final_loss", orNull(run.finalLoss)},
            {"step_seconds", orNull(run.stepSeconds)},
            {"tokens_per_second", orNull(run.tokensPerSecond)},
            {"bubble", orNull(run.bubble)},
            {"peak_bytes", run.peakBytes},
            {"directory", run.directory},
            {"ended", run.endedUtc},
            {"tags", run.tags},
            {"note", run.note},
            {"starred", run.starred},
            {"deleted", run.deletedUtc},
            {"bytes", run.bytes},
            {"spans", run.spans},
            {"prunable_bytes", run.prunableBytes},
            {"kind", toText(run.kind)}};
}

std::string dumpLine(const nlohmann::ordered_json& json)
{
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace triaxis::cli
