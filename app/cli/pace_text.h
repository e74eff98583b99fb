#pragma once

#include "engine/record/records.h"
#include "engine/record/run_plan.h"

#include <nlohmann/json.hpp>

namespace triaxis::cli
{

/// The slots of a paced run beside the real work inside, on standard output; nothing for a run without slots.
void printPace(const RunPlan& plan, const RecordBatch& records);
/// Activations that each stage held at once, counted by the ranks, beside what the program says.
void printLive(const RunPlan& plan, const RecordBatch& records);

/// The same for scripts: "pace" (slots, short_slots, worst_work, worst_slot, most_late: seconds), "live_by_rank" and
/// "live_by_program" (microbatches × chunks).
void addPace(nlohmann::ordered_json& json, const RecordBatch& records);
void addLive(nlohmann::ordered_json& json, const RunPlan& plan, const RecordBatch& records);

} // namespace triaxis::cli
