#include "engine/formats/measured_models.h"
#include "engine/formats/measured_readers.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// "llama3_70b_l12_tp4_…": the model is what stands before layers and sizes.
std::string modelName(const std::string& text)
{
    std::size_t end = text.size();
    for (const char* part : {"_l", "_tp", "_pp", "_ep"}) {
        for (std::size_t at = text.find(part); at != std::string::npos;
             at = text.find(part, at + 1)) {
            const std::size_t digit = at + std::string_view(part).size();
            if (digit < text.size() && text[digit] >= '0' && text[digit] <= '9')
                end = std::min(end, at);
        }
    }
    return text.substr(0, end);
}

/// Real runs beside SimuMax's own predictions: the first layers of large models on one node.
std::vector<MeasuredCase> readSimuMax(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, row.text("case"));
    ParallelPlan& plan = run.plan;
    plan.tp = row.count("tp");
    plan.pp = row.count("pp");
    plan.dp = row.count("dp");
    plan.cp = row.countOr("cp", 1);
    plan.ep = row.countOr("ep", 1);
    plan.sequenceParallel = plan.tp > 1;
    plan.zero = ZeroStage::Optimizer;
    run.job.devices = plan.devices();
    run.job.sequence = row.count("seq_len");
    const double batch = double(row.count("microbatches")) * plan.dp;
    if (batch > 1e9)
        throw RowProblem("a batch of more than a billion sequences");
    run.job.globalBatch = std::int64_t(batch);
    std::string name = modelName(row.text("case"));
    if (lowerCase(name) == "deepseekv3")
        name = "DeepSeek V3 without MTP";
    run.job.model = measuredModel(name, run);
    run.job.model.layers = row.count("layers");
    ExpertShape& expert = run.job.model.expert;
    if (expert.denseLayers > 0 && run.job.model.layers < 2 * expert.denseLayers) {
        expert.denseLayers = 1;
        assume(run, "one dense layer in a truncated model");
    }
    if (row.contains("gpu", "b200"))
        run.job.cluster = clusterPreset("dgx-b200");
    else if (row.contains("gpu", "a100"))
        run.job.cluster = clusterPreset("a100-pcie");
    else
        throw RowProblem("the GPU \"" + row.text("gpu").substr(0, 40) + "\" is not known");
    run.job.software = row.profile("megatron-core-2026");
    run.job.software.tensorOverlap = 0;
    run.job.software.dataOverlap = 0;
    run.job.software.pipelineOverlap = 0;
    assume(run, "microbatch 1, bf16, no recompute, distributed optimizer, sequence parallel where "
                "tp > 1; the source turns overlap of communication off");
    addTarget(run, Quantity::StepSeconds, row, "real_ms", 1e-3);
    addTarget(run, Quantity::Memory, row, "real_alloc_gib", 0x1p30, false);
    return {run};
}

} // namespace

std::vector<MeasuredFormat> simuMaxFormats()
{
    return {{"simumax-real",
             {"case", "tp", "pp", "dp", "layers", "seq_len", "microbatches", "gpu", "real_ms"},
             readSimuMax,
             {"columns of another simulator's predictions are not used"}}};
}

} // namespace triaxis
