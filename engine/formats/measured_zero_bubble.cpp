#include "engine/formats/measured_models.h"
#include "engine/formats/measured_readers.h"

#include <charconv>

namespace triaxis
{
namespace
{

/// The schedule by the paper's name, and what it may hold.
void setSchedule(MeasuredCase& run, const std::string& name)
{
    ParallelPlan& plan = run.plan;
    const int stages = plan.pp, layers = run.job.model.layers;
    if (name == "1F1B") {
        plan.schedule = "1f1b";
    } else if (name == "1F1B-I") {
        if ((layers + 2) % stages != 0)
            throw RowProblem("layers + 2 do not divide into one-layer chunks");
        plan.schedule = "interleaved";
        plan.virtualStages = (layers + 2) / stages;
        assume(run, "1F1B-I: chunks of one layer, the first and the last chunk hold embedding and "
                    "head only");
    } else if (name == "ZB-H1" || name == "ZB-1p") {
        plan.schedule = "zb-h1";
    } else if (name == "ZB-H2") {
        plan.schedule = "zb-h2";
    } else if (name == "ZB-2p") {
        plan.schedule = "auto";
        plan.scheduleMemory = 2.0 * stages;
        assume(run, "ZB-2p: the order is searched within twice the activations of 1F1B");
    } else if (name == "ZB-V") {
        plan.schedule = "zb-v";
        plan.virtualStages = 2;
    } else {
        throw RowProblem("the schedule \"" + name.substr(0, 40) + "\" is not known");
    }
}

/// Layers by virtual stage: embedding and head take the place of one layer each.
void spreadLayers(MeasuredCase& run)
{
    const int stages = run.plan.pp * run.plan.virtualStages;
    run.plan.layersPerStage = endsLighterByOne(run.job.model.layers, stages);
    if (run.plan.schedule == "zb-v" && !run.plan.layersPerStage.empty())
        return; // the first and the last virtual stage sit on the first device
    assume(run, "first and last stage hold one layer less than the others");
}

/// The parameter counts in the models' names (1.5B to 28.3B) leave 27,000 to 35,000 entries beside
/// the layers.
int vocabularyOf(MeasuredCase& run)
{
    assume(run, "vocabulary not stated: 32,000, within what the parameter counts leave");
    return 32000;
}

ModelShape modelOf(const MeasuredRow& row, MeasuredCase& run)
{
    if (row.has("layers") && row.has("hidden") && row.has("heads"))
        return gptShape("ZB " + row.textOr("model", "GPT"), row.count("layers"),
                        row.count("hidden"), row.count("heads"), vocabularyOf(run),
                        run.job.sequence);
    const std::string name = row.text("model");
    double billions = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), billions).ec != std::errc() ||
        billions <= 0)
        throw RowProblem("the model \"" + name.substr(0, 40) + "\" is not known");
    return measuredModelOfSize("zero-bubble", billions, run);
}

/// Everything but the schedule; `split`: twice the microbatches of half the size.
MeasuredCase problemOf(const MeasuredRow& row, const std::string& schedule, int microbatch,
                       int microbatches)
{
    MeasuredCase run =
        caseOf(row, schedule + ", " + row.text("model") + ", " + row.text("pp_gpus") +
                        " stages, m " + std::to_string(microbatches));
    run.plan.pp = row.count("pp_gpus");
    run.plan.microbatch = microbatch;
    run.job.devices = run.plan.pp;
    run.job.globalBatch = std::int64_t(microbatch) * microbatches;
    run.job.sequence = row.countOr("seq_len", 1024);
    run.job.model = modelOf(row, run);
    run.job.precision = NumberFormat::Fp16;
    run.job.cluster = clusterPreset("a100-roce");
    run.job.software = row.profile("zero-bubble");
    return run;
}

MeasuredCase scheduledCase(const MeasuredRow& row)
{
    const std::string printed = row.text("schedule");
    const std::string halves = "*(b/2,2m)";
    const bool split = printed.size() > halves.size() &&
                       printed.compare(printed.size() - halves.size(), halves.size(), halves) == 0;
    const std::string name = split ? printed.substr(0, printed.size() - halves.size()) : printed;
    const int microbatch = row.count("mbs"), microbatches = row.count("microbatches");
    if (split && microbatch % 2 != 0)
        throw RowProblem("a microbatch of " + std::to_string(microbatch) + " has no half");
    MeasuredCase run = problemOf(row, printed, split ? microbatch / 2 : microbatch,
                                 split ? 2 * microbatches : microbatches);
    setSchedule(run, name);
    spreadLayers(run);
    return run;
}

std::vector<MeasuredCase> readSchedules(const MeasuredRow& row)
{
    MeasuredCase run = scheduledCase(row);
    assume(run, "memory in GiB, the largest of all stages");
    addTarget(run, Quantity::SamplesPerDeviceSecond, row, "samples_per_gpu_per_s");
    addTarget(run, Quantity::Memory, row, "memory_gb", 0x1p30, false);
    addTarget(run, Quantity::BubbleRate, row, "bubble_rate_theory", 1, false);
    return {run};
}

/// Table 10: the optimizer with and without its all-reduce barrier.
std::vector<MeasuredCase> readOptimizerSync(const MeasuredRow& row)
{
    std::vector<MeasuredCase> runs;
    for (const bool barrier : {false, true}) {
        MeasuredCase run =
            problemOf(row, barrier ? "ZB-2p, barrier" : "ZB-2p", 1, row.count("microbatches"));
        assume(run, "microbatch 1, as the paper's Table 3 has it for this model");
        setSchedule(run, "ZB-2p");
        spreadLayers(run);
        run.job.software.stepBarrier = barrier;
        addTarget(run, Quantity::SamplesPerDeviceSecond, row,
                  barrier ? "zb2p_allreduce_sync_samples_per_gpu_s"
                          : "zb2p_post_validation_samples_per_gpu_s");
        runs.push_back(std::move(run));
    }
    return runs;
}

/// Table 9 holds pass times: they are what bubble rates are worked out from.
std::vector<MeasuredCase> readPassTimes(const MeasuredRow& row)
{
    row.text("model");
    throw RowProblem(
        "profiled pass times: they are the input of the bubble rates of tables 3 to 5, "
        "not a result of a layout");
}

} // namespace

std::vector<MeasuredFormat> zeroBubbleFormats()
{
    const char* conversion = "read from a full-text conversion of the paper";
    return {{"zero-bubble-schedules",
             {"schedule", "model", "pp_gpus", "mbs", "microbatches", "samples_per_gpu_per_s"},
             readSchedules,
             {conversion}},
            {"zero-bubble-optimizer",
             {"model", "pp_gpus", "microbatches", "zb2p_post_validation_samples_per_gpu_s",
              "zb2p_allreduce_sync_samples_per_gpu_s"},
             readOptimizerSync,
             {conversion}},
            {"zero-bubble-pass-times",
             {"model", "pp_gpus", "microbatches", "t_f_ms", "t_b_ms", "t_w_ms", "t_comm_ms"},
             readPassTimes,
             {conversion}}};
}

} // namespace triaxis
