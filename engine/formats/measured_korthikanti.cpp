#include "engine/formats/measured_readers.h"

namespace triaxis
{
namespace
{

void onSelene(MeasuredCase& run, const MeasuredRow& row)
{
    run.job.precision = NumberFormat::Fp16;
    run.job.cluster = clusterPreset("selene");
    run.job.software = row.profile("megatron-2022");
}

void setMethod(ParallelPlan& plan, bool sequenceParallel, Recompute recompute)
{
    plan.sequenceParallel = sequenceParallel;
    plan.recompute = recompute;
}

/// Table 5: each row tells of two runs.
std::vector<MeasuredCase> readIterations(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, row.text("model"));
    readProblem(run, row);
    ParallelPlan& plan = run.plan;
    plan.tp = row.count("tp");
    plan.pp = row.count("pp");
    plan.dp = row.count("dp");
    plan.microbatch = row.count("mbs");
    plan.virtualStages = row.count("virtual_stages");
    plan.schedule = plan.virtualStages > 1 ? "interleaved" : "1f1b";
    run.job.model = gptShape("GPT", row.count("layers"), row.count("hidden"), row.count("heads"),
                             paddedVocabulary(run, row.count("vocab"), plan.tp), run.job.sequence);
    onSelene(run, row);
    assume(run, "fp16; the full-recompute baseline runs without sequence parallelism");
    MeasuredCase selective = run;
    run.label += ", full recompute";
    setMethod(run.plan, false, Recompute::Full);
    addTarget(run, Quantity::StepSeconds, row, "iter_s_full_recompute");
    selective.label += ", sequence parallel + selective";
    setMethod(selective.plan, true, Recompute::Selective);
    addTarget(selective, Quantity::StepSeconds, row, "iter_s_seqpar_selective");
    return {run, selective};
}

struct Method
{
    const char* share; ///< column of the share of the plain layout's activations, percent
    const char* bytes; ///< column of the activations themselves, GiB; may be null
    bool sequenceParallel;
    Recompute recompute;
    const char* label;
};

constexpr Method methods[] = {{"pct_none", "act_none_gib", false, Recompute::None, "plain"},
                              {"pct_seqpar", nullptr, true, Recompute::None, "sequence parallel"},
                              {"pct_selective", nullptr, false, Recompute::Selective, "selective"},
                              {"pct_seqpar_selective", "act_seqpar_selective_gib", true,
                               Recompute::Selective, "sequence parallel + selective"},
                              {"pct_full", nullptr, false, Recompute::Full, "full recompute"}};

/// Layouts of the paper's Table 3, which the figures are of.
void setTable3(MeasuredCase& run, const MeasuredRow& row)
{
    struct Layout
    {
        const char* name;
        int layers, hidden, heads, pp, batch, microbatch, chunks;
    };
    static constexpr Layout layouts[] = {{"22b", 48, 6144, 64, 1, 4, 4, 1},
                                         {"175b", 96, 12288, 96, 8, 64, 1, 3},
                                         {"530b", 105, 20480, 128, 35, 280, 1, 3},
                                         {"1t", 128, 25600, 160, 64, 512, 1, 1}};
    for (const Layout& layout : layouts) {
        if (!row.contains("model", layout.name))
            continue;
        run.plan.tp = 8;
        run.plan.pp = layout.pp;
        run.plan.microbatch = layout.microbatch;
        run.plan.virtualStages = layout.chunks;
        run.plan.schedule = layout.chunks > 1 ? "interleaved" : "1f1b";
        run.job.devices = 8 * layout.pp;
        run.job.globalBatch = layout.batch;
        run.job.model =
            gptShape("GPT", layout.layers, layout.hidden, layout.heads, 51200, run.job.sequence);
        return;
    }
    throw RowProblem("\"" + row.text("model") + "\" is none of the models of the paper's Table 3");
}

std::vector<MeasuredCase> readMemory(const MeasuredRow& row)
{
    std::vector<MeasuredCase> runs;
    for (const Method& method : methods) {
        MeasuredCase run = caseOf(row, row.text("model") + ", " + method.label);
        setTable3(run, row);
        onSelene(run, row);
        assume(run, "layouts of Table 3 of the paper: tp 8, one replica, sequence 2,048");
        setMethod(run.plan, method.sequenceParallel, method.recompute);
        constexpr double gib = 0x1p30;
        if (method.bytes)
            addTarget(run, Quantity::ActivationMemory, row, method.bytes, gib);
        const bool plain = method.recompute == Recompute::None && !method.sequenceParallel;
        if (!plain)
            addTarget(run, Quantity::ActivationShare, row, method.share, 0.01);
        if (plain)
            addTarget(run, Quantity::StateMemory, row, "par_opt_gib", gib, false);
        runs.push_back(std::move(run));
    }
    return runs;
}

/// Table 4: passes of one layer of the 22B model.
std::vector<MeasuredCase> readLayers(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, row.text("experiment"));
    const bool sequence = row.contains("experiment", "sequence");
    const bool selective = row.contains("experiment", "selective");
    const bool full = row.contains("experiment", "full");
    run.plan.tp = 8;
    run.plan.microbatch = 4;
    run.job.devices = 8;
    run.job.globalBatch = 4;
    run.job.model = gptShape("GPT", 48, 6144, 64, 51200, run.job.sequence);
    onSelene(run, row);
    setMethod(run.plan, sequence,
              full        ? Recompute::Full
              : selective ? Recompute::Selective
                          : Recompute::None);
    assume(run,
           "one layer of the 22B model, tp 8, microbatch 4, sequence 2,048, as the caption says");
    addTarget(run, Quantity::LayerForward, row, "forward_ms", 1e-3);
    addTarget(run, Quantity::LayerBackward, row, "backward_ms", 1e-3);
    return {run};
}

} // namespace

std::vector<MeasuredFormat> korthikantiFormats()
{
    const char* conversion = "read from a full-text conversion of the paper";
    return {
        {"korthikanti-table5",
         {"model", "heads", "hidden", "layers", "tp", "pp", "gpus", "gbs", "mbs", "virtual_stages",
          "iter_s_full_recompute", "iter_s_seqpar_selective", "dp", "seq_len", "vocab"},
         readIterations,
         {conversion}},
        {"korthikanti-memory",
         {"model", "act_none_gib", "act_seqpar_selective_gib", "pct_full"},
         readMemory,
         {"the figures of Fig. 1 and Fig. 7 are digitised"}},
        {"korthikanti-layers",
         {"experiment", "forward_ms", "backward_ms", "combined_ms"},
         readLayers,
         {conversion}}};
}

} // namespace triaxis
