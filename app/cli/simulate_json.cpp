#include "app/cli/simulate_result.h"

#include <algorithm>
#include <cmath>

namespace triaxis::cli
{
namespace
{

using Json = nlohmann::ordered_json;

Json finite(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json memoryJson(const MemoryParts& m)
{
    return {{"weights", m.weights},     {"gradients", m.gradients},
            {"optimizer", m.optimizer}, {"activations", m.activations},
            {"logits", m.logits},       {"gathers", m.gathers},
            {"workspace", m.workspace}, {"allocator", m.allocator},
            {"fixed", m.fixed},         {"total", m.total()}};
}

Json planJson(const ParallelPlan& p)
{
    return {{"dp", p.dp},
            {"tp", p.tp},
            {"cp", p.cp},
            {"pp", p.pp},
            {"ep", p.ep},
            {"expert_tp", p.expertTp},
            {"virtual_stages", p.virtualStages},
            {"microbatch", p.microbatch},
            {"schedule", p.schedule},
            {"sequence_parallel", p.sequenceParallel},
            {"zero", toText(p.zero)},
            {"recompute", toText(p.recompute)},
            {"layers_per_stage", p.layersPerStage}};
}

Json partsJson(const StepEstimate& e)
{
    return {{"compute", e.compute},
            {"exposed_in_layers", e.exposed},
            {"bubble", e.bubble},
            {"gradients", e.tail.gradients},
            {"gathers", e.tail.gathers},
            {"embedding", e.tail.embedding},
            {"optimizer", e.tail.optimizer},
            {"overhead", e.tail.overhead}};
}

Json stagesJson(const SimulateResult& r)
{
    Json stages = Json::array();
    for (std::size_t s = 0; s < r.memory.size(); ++s) {
        const ExposedTime& e = r.exposed[s];
        stages.push_back({{"stage", s},
                          {"bubble", finite(r.bubbles[s])},
                          {"exposed",
                           {{"tensor", e.tensor},
                            {"context", e.context},
                            {"expert", e.expert},
                            {"pipeline", e.pipeline},
                            {"data", e.data}}},
                          {"memory", memoryJson(r.memory[s])}});
    }
    return stages;
}

Json outOfMemoryJson(const OutOfMemory& out)
{
    Json mends = Json::array();
    for (const MemoryMend& mend : out.mends)
        mends.push_back({{"change", mend.text()},
                         {"plan", planJson(mend.plan())},
                         {"step_s", mend.seconds},
                         {"memory_bytes", mend.memory}});
    Json json{{"stage", out.stage},
              {"needed_bytes", out.needed},
              {"available_bytes", out.available},
              {"largest", Json::array()},
              {"instant", nullptr},
              {"mends", std::move(mends)}};
    for (const auto& [name, size] : out.largest)
        json["largest"].push_back({{"what", name}, {"bytes", size}});
    if (out.instant)
        json["instant"] = {{"time_s", out.instant->begin},
                           {"rank", out.instant->rank.value},
                           {"instruction", toText(out.instant->id)},
                           {"live", out.liveThen}};
    return json;
}

Json whatIfJson(const std::vector<WhatIf>& rows)
{
    Json json = Json::array();
    for (const WhatIf& row : rows)
        json.push_back({{"what", row.what},
                        {"change", row.change},
                        {"setting", row.setting},
                        {"step_s", finite(row.seconds)},
                        {"effect", finite(row.effect)},
                        {"memory_bytes", row.memory},
                        {"refusal", row.refusal.empty() ? Json(nullptr) : Json(row.refusal)}});
    return json;
}

Json perturbedJson(const Prediction& p)
{
    double compute = 0, wait = 0, idle = 0;
    Json slowest = nullptr;
    for (std::size_t rank = 0; rank < p.ranks.size(); ++rank) {
        wait += p.ranks[rank].tensorWait;
        idle += p.ranks[rank].idle;
        if (p.ranks[rank].compute > compute) {
            compute = p.ranks[rank].compute;
            slowest = rank;
        }
    }
    const double ranks = double(std::max<std::size_t>(1, p.ranks.size()));
    return {{"pipelines", p.pipelines},
            {"pipeline_s", p.pipeline},
            {"slowest_rank", slowest},
            {"mean_wait_in_group_s", wait / ranks},
            {"mean_idle_s", idle / ranks}};
}

} // namespace

Json simulateJson(const SimulateResult& r)
{
    const double share = r.estimate.seconds / r.seconds;
    const double peak = r.job.cluster.device.peakOf(r.job.precision);
    Json diagnostics = Json::array();
    for (const Diagnostic& finding : r.diagnostics)
        diagnostics.push_back(toText(finding));
    Json json{{"model", r.job.model.name},
              {"cluster", r.job.cluster.name},
              {"device", r.job.cluster.device.name},
              {"devices", r.job.devices},
              {"software", r.job.software.name},
              {"precision", toText(r.job.precision)},
              {"sequence", r.job.sequence},
              {"batch", r.job.globalBatch},
              {"microbatches", r.plan.microbatches(r.job.globalBatch)},
              {"plan", planJson(r.plan)},
              {"step_s", r.seconds},
              {"unperturbed_step_s", r.estimate.seconds},
              {"expected_error", r.estimate.expectedError},
              {"outside_of_profile", outsideOfProfile(r.job, r.plan)},
              {"tokens_per_s", r.estimate.tokensPerSecond * share},
              {"model_flops_per_device", r.estimate.modelFlopsPerDevice * share},
              {"hardware_flops_per_device", r.estimate.hardwareFlopsPerDevice * share},
              {"mfu", r.estimate.modelFlopsPerDevice * share / peak},
              {"parts_s", partsJson(r.estimate)},
              {"stages", stagesJson(r)},
              {"memory_bytes", r.estimate.memory},
              {"device_memory_bytes", r.job.cluster.device.memoryBytes},
              {"fits", !r.outOfMemory.has_value() && r.fitsOtherDevices},
              {"diagnostics", std::move(diagnostics)}};
    if (r.criticalPath)
        json["critical_path_s"] = {{"compute", r.criticalPath->compute},
                                   {"collectives", r.pathCollectives},
                                   {"transfers", r.criticalPath->transfers},
                                   {"reductions", r.criticalPath->reductions},
                                   {"update", r.criticalPath->update}};
    if (r.perturbed)
        json["perturbed"] = perturbedJson(*r.perturbed);
    if (r.outOfMemory)
        json["out_of_memory"] = outOfMemoryJson(*r.outOfMemory);
    if (!r.whatIf.empty())
        json["what_if"] = whatIfJson(r.whatIf);
    if (!r.files.empty())
        json["files"] = r.files;
    return json;
}

} // namespace triaxis::cli
