#include "engine/core/units.h"
#include "engine/formats/html_report_sections.h"
#include "engine/model/parameters.h"
#include "engine/timeline/number_text.h"
#include "engine/schedule/generators.h"
#include "engine/record/step_figures.h"

#include <algorithm>
#include <set>

namespace triaxis
{
namespace
{

/// Rows of one group of settings; empty values are left out.
class Group
{
public:
    explicit Group(const char* title) : m_title(title) {}

    Group& add(const char* name, const std::string& value)
    {
        if (!value.empty())
            m_rows +=
                "<tr><td>" + std::string(name) + "</td><td>" + escapedXml(value) + "</td></tr>\n";
        return *this;
    }
    Group& add(const char* name, std::int64_t value) { return add(name, std::to_string(value)); }
    Group& add(const char* name, double value) { return add(name, exactText(value)); }

    std::string html() const
    {
        return "<section><h3>" + std::string(m_title) + "</h3><table>" + m_rows +
               "</table></section>\n";
    }

private:
    std::string m_title;
    std::string m_rows;
};

std::string counted(std::int64_t count, const char* what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string modelGroup(const RunPlan& plan)
{
    const ModelSpec& model = plan.model;
    Group group("Model");
    group.add("Name", model.name)
        .add("Architecture",
             std::string(model.architecture == Architecture::Gpt2 ? "GPT-2" : "Llama"))
        .add("Layers", std::int64_t(model.layers))
        .add("Hidden size", std::int64_t(model.hidden))
        .add("Feed-forward size", std::int64_t(model.feedForward))
        .add("Attention heads", std::int64_t(model.heads));
    if (model.kvHeads != model.heads)
        group.add("Key/value heads", std::int64_t(model.kvHeads));
    group.add("Vocabulary", std::int64_t(model.vocabulary))
        .add("Positions", std::int64_t(model.positions))
        .add("Output head", std::string(model.tiedHead ? "tied to the embedding" : "its own"));
    if (model.layers > 0 && model.hidden > 0)
        group.add("Parameters", units::count(double(parameterCount(model))));
    group.add("Initial weights", plan.weights.empty() ? "random, from the seed" : plan.weights);
    return group.html();
}

std::string layoutGroup(const RunPlan& plan)
{
    const Layout& layout = plan.layout;
    Group group("Layout");
    group.add("Data parallel", std::int64_t(layout.dp))
        .add("Tensor parallel", std::int64_t(layout.tp))
        .add("Pipeline parallel", std::int64_t(layout.pp));
    if (layout.virtualStages > 1)
        group.add("Chunks a stage", std::int64_t(layout.virtualStages));
    std::string layers;
    for (const int count : layerSplit(layout, plan.model))
        layers += (layers.empty() ? "" : ", ") + std::to_string(count);
    group.add("Layers by stage", layers)
        .add("Rank order", toText(layout.order))
        .add("Schedule", scheduleTitle(plan.training.schedule));
    return group.html();
}

std::string trainingGroup(const RunPlan& plan)
{
    const TrainingPlan& training = plan.training;
    Group group("Training");
    group.add("Steps", training.steps)
        .add("Global batch", counted(training.batch.globalBatch, "sequence"))
        .add("Microbatch", counted(training.batch.microbatch, "sequence"))
        .add("Microbatches a step",
             std::int64_t(training.batch.microbatches(std::max(1, plan.layout.dp))))
        .add("Sequence", counted(training.batch.sequence, "token"))
        .add("Optimizer", std::string("AdamW"))
        .add("β₁, β₂", exactText(training.beta1) + ", " + exactText(training.beta2))
        .add("ε", training.epsilon)
        .add("Learning rate", training.learningRate)
        .add("Warm-up", counted(training.warmupSteps, "step"))
        .add("Weight decay", training.weightDecay)
        .add("Gradient clipping",
             training.clipNorm > 0 ? "norm " + exactText(training.clipNorm) : std::string("off"))
        .add("Seed", std::to_string(training.seed));
    return group.html();
}

std::string dataGroup(const RunPlan& plan)
{
    const DataPlan& data = plan.data;
    Group group("Data");
    switch (data.kind) {
    case DataKind::Text:
        group.add("Source", std::string("text file, byte tokens"));
        break;
    case DataKind::Synthetic:
        group.add("Source", std::string("synthetic, built in"));
        break;
    case DataKind::Batches:
        group.add("Source", std::string("batches from a file"));
        break;
    }
    group.add("File", data.path).add("SHA-256", data.sha256);
    if (data.bestLoss >= 0)
        group.add("Best reachable loss", exactText(data.bestLoss) + " " + unitOfLoss(plan));
    return group.html();
}

std::string executionGroup(const ReportInput& input)
{
    const ExecutionPlan& execution = input.plan.execution;
    std::set<std::string> devices;
    std::set<std::string> hosts;
    for (const HelloRecord& hello : input.records.all.hellos) {
        devices.insert(hello.device);
        hosts.insert(hello.host);
    }
    const auto list = [](const std::set<std::string>& names) {
        std::string text;
        for (const std::string& name : names)
            text += (text.empty() ? "" : ", ") + name;
        return text;
    };
    Group group("Ran on");
    group.add("Hosts", hosts.empty() ? input.environment.host : list(hosts));
    if (input.environment.cores > 0)
        group.add("Cores", std::int64_t(input.environment.cores));
    group.add("Each rank", list(devices))
        .add("Threads a rank", execution.threadsPerRank > 0
                                   ? std::to_string(execution.threadsPerRank)
                                   : std::string("cores over ranks"))
        .add("BLAS", input.environment.blas)
        .add("MPI", input.environment.mpi)
        .add("Hang limit", units::seconds(execution.hangSeconds))
        .add("Triaxis", input.environment.version)
        .add("Run", input.environment.id);
    return group.html();
}

} // namespace

std::string settingsSection(const ReportInput& input)
{
    return panel("Settings", "all that is needed to repeat the run stands in its run.json",
                 "<div class=\"settings\">" + modelGroup(input.plan) + layoutGroup(input.plan) +
                     trainingGroup(input.plan) + dataGroup(input.plan) + executionGroup(input) +
                     "</div>\n");
}

} // namespace triaxis
