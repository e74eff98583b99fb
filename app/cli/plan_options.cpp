#include "app/cli/plan_options.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/json_fields.h"
#include "engine/data/token_source.h"
#include "engine/formats/hf_config.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <sstream>

namespace triaxis::cli
{
namespace
{

namespace fs = std::filesystem;

template <class Value, class Target>
void assign(const std::optional<Value>& from, Target& to)
{
    if (from)
        to = *from;
}

RunPlan startingPlan(const PlanOptions& options)
{
    if (!options.planFile.empty()) {
        const auto json = parseJson(
            readFile(options.planFile, 64 << 20, "cannot read the plan"), "cannot read the plan", options.planFile);
        return runPlanFromJson(json.contains("plan") ? json.at("plan") : json);
    }
    RunPlan plan;
    plan.model = modelPreset("gpt2-1m");
    plan.training.batch = {8, 1, 128};
    return plan;
}

std::vector<int> parseLayers(const std::string& text)
{
    std::vector<int> layers;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) {
        std::size_t used = 0;
        int value = 0;
        try {
            value = std::stoi(part, &used);
        } catch (const std::exception&) {
            used = 0;
        }
        if (used == 0 || used != part.size())
            throw Error("cannot read --layers-per-stage", "'" + text + "'",
                        "give one number a stage, separated by commas, such as 3,3,2");
        layers.push_back(value);
    }
    return layers;
}

void applyModel(const PlanOptions& options, RunPlan& plan)
{
    if (options.model) {
        plan.model = findModel(*options.model);
        plan.weights.clear();
        const fs::path folder = *options.model;
        std::error_code ignored;
        const fs::path weights = fs::is_directory(folder, ignored)
                                     ? folder / "model.safetensors"
                                     : folder.parent_path() / "model.safetensors";
        if (fs::exists(folder, ignored) && fs::exists(weights, ignored))
            plan.weights = fs::absolute(weights).string();
    }
    if (options.weights)
        plan.weights = fs::absolute(*options.weights).string();
    if (options.random)
        plan.weights.clear();
}

void applyData(const PlanOptions& options, RunPlan& plan)
{
    if (options.batches && options.data)
        throw Error("cannot take the data", "--batches and --data exclude each other", "give one of them");
    if (options.batches) {
        applyBatchFile(*options.batches, plan);
    } else if (options.data) {
        plan.data = {};
        if (*options.data != "synthetic") {
            plan.data.kind = DataKind::Text;
            plan.data.path = fs::absolute(*options.data).string();
        }
    }
}

void applyLayout(const PlanOptions& options, RunPlan& plan)
{
    assign(options.dp, plan.layout.dp);
    assign(options.tp, plan.layout.tp);
    assign(options.pp, plan.layout.pp);
    if (options.order)
        plan.layout.order = parseRankOrder(*options.order);
    if (options.layersPerStage)
        plan.layout.layersPerStage = parseLayers(*options.layersPerStage);
}

void applyTraining(const PlanOptions& options, RunPlan& plan)
{
    TrainingPlan& training = plan.training;
    assign(options.steps, training.steps);
    assign(options.microbatch, training.batch.microbatch);
    assign(options.globalBatch, training.batch.globalBatch);
    assign(options.sequence, training.batch.sequence);
    assign(options.learningRate, training.learningRate);
    assign(options.beta1, training.beta1);
    assign(options.beta2, training.beta2);
    assign(options.epsilon, training.epsilon);
    assign(options.weightDecay, training.weightDecay);
    assign(options.clip, training.clipNorm);
    assign(options.warmup, training.warmupSteps);
    assign(options.seed, training.seed);
}

void applyExecution(const PlanOptions& options, RunPlan& plan)
{
    ExecutionPlan& execution = plan.execution;
    assign(options.device, execution.device);
    assign(options.precision, execution.precision);
    assign(options.threads, execution.threadsPerRank);
    if (options.hostfile)
        execution.hostfile = fs::absolute(*options.hostfile).string();
    assign(options.hang, execution.hangSeconds);
    assign(options.wholeSteps, execution.wholeSteps);
    assign(options.everyStep, execution.everyStep);
    if (!options.mca.empty())
        execution.mcaOptions = options.mca;
    execution.detail = execution.detail || options.detail;
    execution.saveWeights = execution.saveWeights || options.saveWeights;
}

} // namespace

void addPlanOptions(CLI::App& command, PlanOptions& o)
{
    command.add_option("--plan", o.planFile, "Start from a plan file (.triaxis, or run.json of an earlier run)")->group("Plan");
    command.add_option("--label", o.label, "A name for the history")->group("Plan");

    const char* model = "Model and data";
    command.add_option("--model", o.model, "Preset (gpt2-1m, gpt2, llama3-8b, …), folder with config.json, or the file")
        ->group(model);
    command.add_option("--weights", o.weights, "model.safetensors to start from (default: the one beside config.json)")
        ->group(model);
    command.add_flag("--random", o.random, "Random weights from --seed, even if there is a model.safetensors")->group(model);
    command.add_option("--data", o.data, "Text file (byte tokens), or 'synthetic', whose best loss is known")->group(model);
    command.add_option("--batches", o.batches, "JSON file with token batches and hyperparameters")->group(model);

    const char* layout = "Layout";
    command.add_option("--dp", o.dp, "Data-parallel size")->group(layout);
    command.add_option("--tp", o.tp, "Tensor-parallel size")->group(layout);
    command.add_option("--pp", o.pp, "Pipeline-parallel size")->group(layout);
    command.add_option("--order", o.order, "Rank order, fastest axis first (default tp-dp-pp, as Megatron)")->group(layout);
    command.add_option("--layers-per-stage", o.layersPerStage, "Layers of each stage, such as 3,3,2 (default: even)")
        ->group(layout);
    addScheduleOptions(command, o.schedule);

    const char* training = "Training";
    command.add_option("--steps", o.steps, "Optimizer steps")->group(training);
    command.add_option("--batch", o.globalBatch, "Sequences a step, over all replicas")->group(training);
    command.add_option("--microbatch", o.microbatch, "Sequences a microbatch")->group(training);
    command.add_option("--sequence", o.sequence, "Tokens a sequence")->group(training);
    command.add_option("--lr", o.learningRate, "Learning rate (AdamW)")->group(training);
    command.add_option("--warmup", o.warmup, "Steps over which the learning rate rises from 0")->group(training);
    command.add_option("--beta1", o.beta1, "AdamW beta 1")->group(training);
    command.add_option("--beta2", o.beta2, "AdamW beta 2")->group(training);
    command.add_option("--eps", o.epsilon, "AdamW epsilon")->group(training);
    command.add_option("--weight-decay", o.weightDecay, "On tensors of two or more dimensions")->group(training);
    command.add_option("--clip", o.clip, "Global gradient norm to clip at; 0: never")->group(training);
    command.add_option("--seed", o.seed, "Of weights and sample order")->group(training);
    command.add_flag("--save-weights", o.saveWeights, "Write model.safetensors into the run directory at the end")
        ->group(training);

    const char* execution = "Execution";
    command.add_option("--device", o.device, "What the ranks compute on: cpu (default) or cuda")->group(execution);
    command.add_option("--precision", o.precision, "In which they multiply: float32 (default), or bfloat16 on GPUs; sums and weights stay float32")
        ->group(execution);
    command.add_option("--threads", o.threads, "Threads a rank (default: cores divided by ranks)")->group(execution);
    command.add_option("--hostfile", o.hostfile, "Open MPI hostfile, to run on several machines: the same Triaxis and data files on all, ssh without a password")->group(execution);
    command.add_option("--mca", o.mca, "Open MPI setting NAME=VALUE; may be repeated")->group(execution);
    command.add_option("--hang", o.hang, "Seconds without a finished instruction after which the run fails (60)")
        ->group(execution);
    command.add_flag("--detail", o.detail, "Also record every tensor collective as a span of its own")->group(execution);
    command.add_option("--whole-steps", o.wholeSteps, "Keep the spans of the first and last N steps (50) …")->group(execution);
    command.add_option("--every-step", o.everyStep, "… and of every K-th step between (10)")->group(execution);
}

RunPlan planFrom(const PlanOptions& options, std::vector<std::string>& notes)
{
    RunPlan plan = startingPlan(options);
    assign(options.label, plan.label);
    applyModel(options, plan);
    applyData(options, plan);
    applyLayout(options, plan);
    applyTraining(options, plan);
    applyExecution(options, plan);
    notes = applySchedule(options.schedule, plan);
    return plan;
}

} // namespace triaxis::cli
