#include "engine/core/units.h"
#include "engine/formats/run_report_sections.h"
#include "engine/model/parameters.h"
#include "engine/record/step_figures.h"
#include "engine/schedule/generators.h"
#include "engine/timeline/number_text.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// Rows of one group of settings; empty values are left out.
class Rows
{
public:
    explicit Rows(const std::string& title) { m_group.title = title; }

    Rows& add(const std::string& name, const std::string& value)
    {
        if (!value.empty())
            m_group.rows.emplace_back(name, value);
        return *this;
    }
    Rows& add(const std::string& name, std::int64_t value)
    {
        return add(name, std::to_string(value));
    }
    Rows& add(const std::string& name, double value) { return add(name, exactText(value)); }

    const ReportGroup& group() const { return m_group; }

private:
    ReportGroup m_group;
};

ReportGroup modelGroup(const RunPlan& plan)
{
    const ModelSpec& model = plan.model;
    Rows rows("Model");
    rows.add("Name", model.name)
        .add("Architecture",
             std::string(model.architecture == Architecture::Gpt2 ? "GPT-2" : "Llama"))
        .add("Layers", std::int64_t(model.layers))
        .add("Hidden size", std::int64_t(model.hidden))
        .add("Feed-forward size", std::int64_t(model.feedForward))
        .add("Attention heads", std::int64_t(model.heads));
    if (model.kvHeads != model.heads)
        rows.add("Key/value heads", std::int64_t(model.kvHeads));
    rows.add("Vocabulary", std::int64_t(model.vocabulary))
        .add("Positions", std::int64_t(model.positions))
        .add("Output head", model.tiedHead ? "tied to the embedding" : "its own");
    if (model.layers > 0 && model.hidden > 0)
        rows.add("Parameters", units::count(double(parameterCount(model))));
    rows.add("Initial weights", plan.weights.empty() ? "random, from the seed" : plan.weights);
    return rows.group();
}

ReportGroup layoutGroup(const RunPlan& plan)
{
    const Layout& layout = plan.layout;
    Rows rows("Layout");
    rows.add("Data parallel", std::int64_t(layout.dp))
        .add("Tensor parallel", std::int64_t(layout.tp))
        .add("Pipeline parallel", std::int64_t(layout.pp));
    if (layout.virtualStages > 1)
        rows.add("Chunks a stage", std::int64_t(layout.virtualStages));
    std::string layers;
    for (const int count : layerSplit(layout, plan.model))
        layers += (layers.empty() ? "" : ", ") + std::to_string(count);
    rows.add("Layers by stage", layers)
        .add("Rank order", toText(layout.order))
        .add("Schedule", scheduleTitle(plan.training.schedule));
    return rows.group();
}

ReportGroup trainingGroup(const RunPlan& plan)
{
    const TrainingPlan& training = plan.training;
    Rows rows("Training");
    rows.add("Steps", training.steps)
        .add("Global batch", countedText("%n sequences", "%n sequence", training.batch.globalBatch))
        .add("Microbatch", countedText("%n sequences", "%n sequence", training.batch.microbatch))
        .add("Microbatches a step",
             std::int64_t(training.batch.microbatches(std::max(1, plan.layout.dp))))
        .add("Sequence", countedText("%n tokens", "%n token", training.batch.sequence))
        .add("Optimizer", std::string("AdamW"))
        .add("β₁, β₂", exactText(training.beta1) + ", " + exactText(training.beta2))
        .add("ε", training.epsilon)
        .add("Learning rate", training.learningRate)
        .add("Learning rate warm-up", countedText("%n steps", "%n step", training.warmupSteps))
        .add("Weight decay", training.weightDecay)
        .add("Gradient clipping",
             training.clipNorm > 0 ? filled("norm %1", {exactText(training.clipNorm)}) : "off")
        .add("Seed", std::to_string(training.seed));
    return rows.group();
}

std::string sourceText(DataKind kind)
{
    switch (kind) {
    case DataKind::Text:
        return "text file, byte tokens";
    case DataKind::Synthetic:
        return "synthetic, built in";
    case DataKind::Batches:
        return "batches from a file";
    }
    return {};
}

ReportGroup dataGroup(const RunPlan& plan)
{
    const DataPlan& data = plan.data;
    Rows rows("Data");
    rows.add("Source", sourceText(data.kind)).add("File", data.path).add("SHA-256", data.sha256);
    if (data.bestLoss >= 0)
        rows.add("Best reachable loss", exactText(data.bestLoss) + " " + unitOfLoss(plan));
    return rows.group();
}

} // namespace

void addSettings(ReportSections& sections, const ReportInput& input)
{
    ReportSection section{"Settings",
                          "all that is needed to repeat the run stands in its run.json"};
    section.blocks.emplace_back(ReportGroups{{modelGroup(input.plan), layoutGroup(input.plan),
                                              trainingGroup(input.plan), dataGroup(input.plan)}});
    sections.push_back(std::move(section));
}

} // namespace triaxis
