#include "engine/formats/sweep_json.h"

#include "engine/core/json_fields.h"

#include <cmath>

namespace triaxis
{
namespace
{

constexpr double most = 1e300;
constexpr int mostRanks = 1 << 20;

nlohmann::ordered_json orNull(double value)
{
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

double figure(const JsonFields& fields, const char* key)
{
    return fields.real(key, -most, most, std::numeric_limits<double>::quiet_NaN());
}

} // namespace

nlohmann::ordered_json toJson(const SweepRow& row)
{
    return {{"layout", {{"dp", row.layout.dp}, {"tp", row.layout.tp}, {"pp", row.layout.pp}}},
            {"ranks", row.layout.ranks()},
            {"run", row.runId},
            {"state", toText(row.state)},
            {"reason", row.reason},
            {"tokens_per_second", orNull(row.tokensPerSecond)},
            {"step_s", orNull(row.stepSeconds)},
            {"step_lower_quartile_s", orNull(row.fastest)},
            {"step_upper_quartile_s", orNull(row.slowest)},
            {"steps", row.steps},
            {"memory_bytes", orNull(row.memoryBytes)},
            {"device_memory_bytes", orNull(row.memoryLimit)},
            {"warning", memoryWarning(row)},
            {"communication",
             {{"share", orNull(row.communication.total())},
              {"tensor", orNull(row.communication.tensor)},
              {"pipeline", orNull(row.communication.pipeline)},
              {"data", orNull(row.communication.data)}}},
            {"bubble", orNull(row.bubble)},
            {"speed_up", orNull(row.speedUp)},
            {"efficiency", orNull(row.efficiency)},
            {"final_loss", orNull(row.finalLoss)}};
}

nlohmann::ordered_json toJson(const SweepTable& table)
{
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const SweepRow& row : table.rows)
        rows.push_back(toJson(row));
    return {{"form", toText(table.form)},
            {"title", table.title},
            {"notes", table.notes},
            {"rows", rows}};
}

SweepRow sweepRowFromJson(const nlohmann::json& json)
{
    const JsonFields fields(json, "cannot read a row of a sweep");
    const JsonFields layout = fields.object("layout");
    const JsonFields communication = fields.object("communication");
    SweepRow row;
    row.layout.dp = layout.smallInteger("dp", 1, mostRanks);
    row.layout.tp = layout.smallInteger("tp", 1, mostRanks);
    row.layout.pp = layout.smallInteger("pp", 1, mostRanks);
    row.runId = fields.text("run", "");
    const auto state = runStateFromText(fields.text("state"));
    if (!state)
        fields.refuse("state", "is no state of a run");
    row.state = *state;
    row.reason = fields.text("reason", "");
    row.tokensPerSecond = figure(fields, "tokens_per_second");
    row.stepSeconds = figure(fields, "step_s");
    row.fastest = figure(fields, "step_lower_quartile_s");
    row.slowest = figure(fields, "step_upper_quartile_s");
    row.steps = std::size_t(fields.integer("steps", 0, std::int64_t(1) << 40, 0));
    row.memoryBytes = figure(fields, "memory_bytes");
    row.memoryLimit = figure(fields, "device_memory_bytes");
    row.communication.tensor = figure(communication, "tensor");
    row.communication.pipeline = figure(communication, "pipeline");
    row.communication.data = figure(communication, "data");
    row.bubble = figure(fields, "bubble");
    row.finalLoss = figure(fields, "final_loss");
    return row;
}

} // namespace triaxis
