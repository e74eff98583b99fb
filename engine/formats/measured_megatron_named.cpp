#include "engine/formats/measured_models.h"
#include "engine/formats/measured_readers.h"

#include <algorithm>

namespace triaxis
{
namespace
{

void sequenceAndSelective(ParallelPlan& plan)
{
    plan.sequenceParallel = plan.tp > 1;
    plan.recompute = Recompute::Selective;
}

/// MT-NLG 530B (Smith et al. 2022, section 2.4).
std::vector<MeasuredCase> readMtnlg(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, row.text("gpus") + " GPUs");
    readProblem(run, row);
    run.plan.tp = row.count("tp");
    run.plan.pp = row.count("pp");
    run.plan.dp = row.count("dp");
    run.plan.recompute = Recompute::Full;
    run.job.model = measuredModel("MT-NLG 530B", run);
    run.job.model.vocabulary = paddedVocabulary(run, 51200, run.plan.tp);
    run.job.cluster = clusterPreset("selene");
    run.job.software = row.profile("bigscience");
    assume(run, "MT-NLG 530B: 105 layers, hidden 20,480, 128 heads; microbatch 1, 1F1B, full "
                "recompute, bf16; Megatron's layers on DeepSpeed's pipeline engine, as the paper "
                "says (section 2.3)");
    addTarget(run, Quantity::StepSeconds, row, "iter_time_s");
    addFlops(run, row, "tflops_per_gpu", FlopConvention::MegatronSc21, false);
    return {run};
}

/// Narayanan et al. 2021, Table 2: PTD-P beside ZeRO-3.
std::vector<MeasuredCase> readTable2(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, row.text("scheme") + ", " + row.text("params_b") + "B, " +
                                       row.text("gpus") + " GPUs");
    readProblem(run, row, 2048);
    const int parallel = row.count("model_parallel_size");
    ParallelPlan& plan = run.plan;
    plan.tp = std::min(8, parallel);
    plan.pp = std::max(1, parallel / plan.tp);
    plan.microbatch = row.count("mbs");
    plan.recompute = Recompute::Full;
    fillDataParallel(run);
    run.job.model = measuredModelOfSize("megatron", row.number("params_b"), run);
    run.job.model.vocabulary = paddedVocabulary(run, 51200, plan.tp);
    run.job.precision = NumberFormat::Fp16;
    run.job.cluster = clusterPreset("selene");
    const bool sharded = row.contains("scheme", "zero");
    if (sharded)
        plan.zero = ZeroStage::Parameters;
    run.job.software = row.profile(sharded ? "megatron-deepspeed" : "megatron-2021");
    assume(run, "sequence 2,048, full recompute, tensor size up to 8 and pipeline the rest, no "
                "interleaving");
    addFlops(run, row, "tflops_per_gpu", FlopConvention::MegatronSc21);
    return {run};
}

/// The GPT-3 175B example script of Megatron-LM's README.
std::vector<MeasuredCase> readExample(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, row.text("what"));
    readProblem(run, row, 2048);
    run.plan.tp = row.count("tp");
    run.plan.pp = row.count("pp");
    fillDataParallel(run);
    run.plan.recompute = Recompute::Full;
    run.job.model = measuredModel(row.text("what"), run);
    run.job.model.vocabulary = paddedVocabulary(run, 51200, run.plan.tp);
    run.job.precision = NumberFormat::Fp16;
    run.job.cluster = clusterPreset("selene");
    run.job.software = row.profile("megatron-2021");
    assume(run, "sequence 2,048, microbatch 1, full recompute, 1F1B, as the script has it");
    addTarget(run, Quantity::StepSeconds, row, "iter_time_s");
    addFlops(run, row, "tflops_per_gpu", FlopConvention::MegatronSc21, false);
    return {run};
}

/// What MegaScale's tables share; the number of chunks is assumed.
void megascaleJob(MeasuredCase& run, const MeasuredRow& row, bool megascale)
{
    ParallelPlan& plan = run.plan;
    plan.tp = row.count("tp");
    plan.pp = row.count("pp");
    fillDataParallel(run);
    const int layers = row.count("layers");
    for (const int chunks : {6, 3, 2}) {
        if (layers % (plan.pp * chunks) == 0 && plan.virtualStages == 1)
            plan.virtualStages = chunks;
    }
    plan.schedule = plan.virtualStages > 1 ? "interleaved" : "1f1b";
    sequenceAndSelective(plan);
    plan.zero = ZeroStage::Optimizer;
    run.job.model = gptShape("GPT", layers, row.count("hidden"), row.count("heads"),
                             unstatedVocabulary(run, plan.tp), run.job.sequence);
    run.job.cluster = clusterPreset("dgx-a100");
    run.job.software = row.profile(megascale ? "megascale" : "megatron-2022");
    assume(run, "microbatch 1, interleaved (6 chunks where they divide, else 3 or 2), sequence "
                "parallel, selective recompute, distributed optimizer, bf16; \"Ampere\" GPUs taken "
                "as DGX A100");
}

/// MegaScale, Table 2: step times of both programs.
std::vector<MeasuredCase> readMegascale(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, row.text("method") + ", " + row.text("gpus") + " GPUs, batch " +
                                       row.text("gbs"));
    readProblem(run, row);
    megascaleJob(run, row, row.contains("method", "megascale"));
    addTarget(run, Quantity::StepSeconds, row, "iter_time_s");
    addMfu(run, row, "mfu_pct", FlopConvention::ModelFullAttention, false);
    return {run};
}

/// MegaScale, Figure 9: utilisation of both programs, a row of two runs.
std::vector<MeasuredCase> readMegascaleFigure(const MeasuredRow& row)
{
    std::vector<MeasuredCase> runs;
    for (const bool megascale : {false, true}) {
        const char* column = megascale ? "megascale_mfu_pct" : "megatron_mfu_pct";
        MeasuredCase run = caseOf(row, std::string(megascale ? "MegaScale" : "Megatron-LM") + ", " +
                                           row.text("gpus") + " GPUs");
        run.job.devices = row.count("gpus");
        // Batch grows with the devices; the figure does not state it.
        run.job.globalBatch = run.job.devices;
        assume(run, "weak scaling: a batch of as many sequences as GPUs; sequence 2,048");
        megascaleJob(run, row, megascale);
        addMfu(run, row, column, FlopConvention::ModelFullAttention);
        runs.push_back(std::move(run));
    }
    return runs;
}

/// Rows of figures whose layout nobody printed.
std::vector<MeasuredCase> readHeadline(const MeasuredRow& row)
{
    row.text("source");
    throw RowProblem("the layout is not stated");
}

} // namespace

std::vector<MeasuredFormat> megatronNamedFormats()
{
    const char* transcription = "a transcription of the paper's table";
    return {
        {"mt-nlg",
         {"gpus", "tp", "pp", "dp", "gbs", "seq_len", "iter_time_s", "gpu"},
         readMtnlg,
         {}},
        {"megatron-sc21-table2",
         {"scheme", "params_b", "model_parallel_size", "gbs", "gpus", "mbs", "tflops_per_gpu"},
         readTable2,
         {}},
        {"megatron-example", {"what", "gpus", "tp", "pp", "gbs", "iter_time_s"}, readExample, {}},
        {"megascale-table2",
         {"gbs", "method", "gpus", "iter_time_s", "heads", "hidden", "layers", "tp", "pp",
          "seq_len"},
         readMegascale,
         {transcription}},
        {"megascale-figure9",
         {"gpus", "megatron_mfu_pct", "megascale_mfu_pct", "heads", "hidden", "layers", "tp", "pp"},
         readMegascaleFigure,
         {transcription}},
        {"megascale-ablation", {"idx", "method", "mfu_pct"}, readHeadline, {transcription}},
        {"megatron-strong-scaling", {"model", "gpus", "gbs", "mfu_pct"}, readHeadline, {}},
        {"headline-mfu", {"system", "gpus", "hardware", "mfu_pct", "hfu_pct"}, readHeadline, {}},
        {"gpu-hours", {"model", "gpu", "gpu_hours"}, readHeadline, {}}};
}

} // namespace triaxis
