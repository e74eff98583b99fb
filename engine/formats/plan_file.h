#pragma once

#include "engine/plan/drawn_plan.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace triaxis
{

/// A plan as a file, `.triaxis`: JSON with
/// - "format": "triaxis-plan", "version": 1; "title" and "about": a name and a sentence, for
/// people;
/// - "plan": the run as in run.json, so that `triaxis run --plan` reads it too;
/// - "model": the sizes of a model that can only be predicted (ModelShape); absent where plan.model
///   is what is priced;
/// - "cluster": "thisMachine", "nodes", "nodeSize", "rack", "network" (the name of a preset, or all
///   its figures in bytes and seconds), "mixed": [{"first", "count", "device"}];
/// - "settings": "precision", "software", "zero", "recompute", "recomputedLayers",
///   "sequenceParallel", "cp", "ep", "expertTp"; where they are set "shardGroup",
///   "offloadActivations", "vocabularyBarriers" and "scheduleMemory";
/// - "placement": the device of each rank; absent: rank r on device r.
struct PlanFile
{
    DrawnPlan plan;
    std::string title;
    std::string about;
    std::vector<std::string> notes; ///< a sentence for each thing in the file that was left aside
};

inline constexpr int planFileVersion = 1;

nlohmann::ordered_json toJson(const PlanFile& file);
/// `source`: the file, for the message. Throws Error that names the field.
PlanFile planFileFromJson(const nlohmann::json& json, const std::string& source);

/// A `.triaxis` file, or the run.json of an earlier run (drawn on this machine). Throws Error.
PlanFile readPlanFile(const std::filesystem::path& path);
PlanFile parsePlanFile(const std::string& text, const std::string& source);
/// All or nothing: what was there before stays if writing fails. Throws Error.
void writePlanFile(const std::filesystem::path& path, const PlanFile& file);

/// The same in everything that can be drawn.
bool samePlan(const DrawnPlan& first, const DrawnPlan& second);

/// Plans of resources/plans, compiled in, in the order in which they are shown.
struct ExamplePlan
{
    std::string name; ///< "seed-2x2"
    std::string text; ///< of the file
};
std::vector<ExamplePlan> examplePlans();

} // namespace triaxis
