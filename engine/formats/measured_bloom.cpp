#include "engine/formats/measured_readers.h"

#include <algorithm>
#include <charconv>

namespace triaxis
{
namespace
{

/// "250k" as the log gives the vocabulary.
int vocabularyOf(const MeasuredRow& row)
{
    const std::string text = row.text("vocab");
    double value = 0;
    const char* last = text.data() + text.size();
    const auto [end, fault] = std::from_chars(text.data(), last, value);
    const double factor = end != last && (*end == 'k' || *end == 'K') ? 1000 : 1;
    if (fault == std::errc() && value > 0 && value * factor <= 1e7)
        return int(value * factor);
    throw RowProblem("vocab is \"" + text.substr(0, 40) + "\", not a vocabulary size");
}

/// How the log spreads layers that do not divide: from the row's note on, embedding and head count
/// as a layer; before, all stages but the last hold as many as the quotient rounded up.
std::vector<int> splitOf(MeasuredCase& run, const MeasuredRow& row)
{
    const int layers = run.job.model.layers, stages = run.plan.pp;
    const bool noted = row.contains("notes", "transformer|embed");
    std::vector<int> lighter = endsLighterByOne(layers, stages);
    if (!lighter.empty() && (noted || layers % stages != 0))
        return lighter;
    if (layers % stages == 0)
        return {};
    assume(run,
           "layers that do not divide: rounded up on all stages but the last, as the log says");
    const int each = (layers + stages - 1) / stages;
    std::vector<int> split;
    for (int left = layers; int(split.size()) < stages; left -= split.back())
        split.push_back(std::clamp(left, 0, each));
    return split;
}

void readLayout(MeasuredCase& run, const MeasuredRow& row)
{
    ParallelPlan& plan = run.plan;
    plan.tp = row.count("tp");
    plan.pp = row.count("pp");
    plan.microbatch = row.count("mbs");
    const int stated = row.countOr("dp", 0);
    fillDataParallel(run);
    if (stated > 0 && stated != plan.dp)
        assume(run, "the data-parallel size does not match the GPU count: the count is taken");
    plan.recompute = row.yes("activation_checkpointing") ? Recompute::Full : Recompute::None;
    plan.zero = row.has("zero_stage") ? ZeroStage::Optimizer : ZeroStage::None;
}

void readModel(MeasuredCase& run, const MeasuredRow& row)
{
    if (!row.has("layers"))
        throw RowProblem("the row gives no layer count");
    if (!row.has("hidden"))
        throw RowProblem("the row gives no hidden size");
    const int hidden = row.count("hidden");
    int heads = row.countOr("heads", 0);
    if (heads == 0) {
        heads = 64;
        assume(run, "heads not given: 64, as the log says of its final rounds");
    }
    run.job.model =
        gptShape("BLOOM trial", row.count("layers"), hidden, heads,
                 paddedVocabulary(run, vocabularyOf(row), run.plan.tp), run.job.sequence);
    run.job.model.positions = 0; // ALiBi
}

/// Seconds and TFLOPs of one row are the same measurement: where the stated batch makes more than
/// half as much again, or less than two thirds, of their product, the row contradicts itself.
void refuseContradiction(const MeasuredCase& run, const MeasuredRow& row, const char* seconds,
                         const char* rate)
{
    if (!row.has(seconds) || !row.has(rate))
        return;
    const double printed = row.number(seconds) * row.number(rate) * 1e12 * run.job.devices;
    const double stated = stepFlops(run.job, run.plan, FlopConvention::MegatronSc21);
    constexpr double most = 1.5;
    if (stated > most * printed || printed > most * stated)
        throw RowProblem("its seconds and TFLOPs contradict the batch and sizes that it states");
}

void readResults(MeasuredCase& run, const MeasuredRow& row)
{
    const bool swapped = row.contains("notes", "swapped");
    const char* seconds = swapped ? "hw_tflops_per_gpu" : "sec_per_iter";
    const char* rate = swapped ? "sec_per_iter" : "hw_tflops_per_gpu";
    if (swapped)
        assume(run, "seconds and TFLOPs taken the other way round: swapped in the source");
    refuseContradiction(run, row, seconds, rate);
    addTarget(run, Quantity::StepSeconds, row, seconds);
    addFlops(run, row, rate, FlopConvention::MegatronSc21, false);
    if (row.has("oom"))
        run.targets.push_back({Quantity::OutOfMemory, "oom", row.yes("oom") ? 1.0 : 0.0, false});
    addTarget(run, Quantity::Memory, row, "mem_gb_max_node", 0x1p30, false);
}

std::vector<MeasuredCase> readTrial(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, "log line " + row.textOr("line", "?"));
    readProblem(run, row);
    readLayout(run, row);
    readModel(run, row);
    run.job.cluster = clusterPreset("jean-zay-a100");
    run.job.software = row.profile("bigscience");
    run.job.precision = row.contains("notes", "fp32") ? NumberFormat::Bf16 : NumberFormat::Fp16;
    assume(run,
           "gradients in 16 bits, from the bf16 optimizer on with a float32 buffer beside them, "
           "as the log says");
    assume(run, "memory in GiB, as nvidia-smi shows it");
    run.plan.layersPerStage = splitOf(run, row);
    run.label += ": " + std::to_string(run.job.model.layers) + " × " +
                 std::to_string(run.job.model.hidden) + ", dp " + std::to_string(run.plan.dp) +
                 " tp " + std::to_string(run.plan.tp) + " pp " + std::to_string(run.plan.pp) +
                 " mbs " + std::to_string(run.plan.microbatch);
    readResults(run, row);
    return {run};
}

} // namespace

std::vector<MeasuredFormat> bloomFormats()
{
    return {{"bloom",
             {"gpus", "hidden", "layers", "heads", "dp", "tp", "pp", "mbs", "gbs", "oom",
              "sec_per_iter", "hw_tflops_per_gpu", "seq_len", "vocab"},
             readTrial,
             {"TFLOPs before line 590 of the log are about 3% low",
              "lines 669 and 670 have seconds and TFLOPs swapped in the source",
              "from line 895 of the log on gradients are summed in float32",
              "some rows have no layer count"}}};
}

} // namespace triaxis
