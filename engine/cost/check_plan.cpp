#include "engine/core/error.h"
#include "engine/cost/training_job.h"
#include "engine/schedule/generators.h"

#include <algorithm>

namespace triaxis
{
namespace
{

using Findings = std::vector<Diagnostic>;

void add(Findings& findings, std::string what, std::string where, std::string why, std::string mend)
{
    findings.push_back(
        {Severity::Error, std::move(what), std::move(where), std::move(why), std::move(mend)});
}

bool sizesArePositive(Findings& findings, const ParallelPlan& plan)
{
    const std::pair<const char*, int> sizes[] = {{"dp", plan.dp},
                                                 {"tp", plan.tp},
                                                 {"cp", plan.cp},
                                                 {"pp", plan.pp},
                                                 {"virtualStages", plan.virtualStages},
                                                 {"ep", plan.ep},
                                                 {"expertTp", plan.expertTp},
                                                 {"microbatch", plan.microbatch}};
    constexpr int most = 1 << 20;
    for (const auto& [name, size] : sizes) {
        if (size < 1 || size > most) {
            add(findings, std::string(name) + " is " + std::to_string(size),
                std::string("plan.") + name, "sizes are whole numbers from 1",
                size < 1 ? "use 1 or more" : "use at most " + std::to_string(most));
        }
    }
    return findings.empty();
}

void divides(Findings& findings, std::int64_t whole, const char* of, std::int64_t part,
             const char* where, const char* why)
{
    if (whole % part != 0) {
        add(findings,
            std::to_string(whole) + " " + of + " do not divide by " + std::to_string(part), where,
            why, "choose a size that divides " + std::to_string(whole));
    }
}

void checkTensor(Findings& findings, const TrainingJob& job, const ParallelPlan& plan)
{
    const ModelShape& model = job.model;
    divides(findings, model.heads, "attention heads", plan.tp, "plan.tp",
            "each tensor rank takes whole heads");
    if (model.kvHeads % plan.tp != 0 && plan.tp % model.kvHeads != 0) {
        add(findings,
            std::to_string(model.kvHeads) + " key/value heads do not fit " +
                std::to_string(plan.tp) + " tensor ranks",
            "plan.tp", "key/value heads are split, or copied to groups of ranks",
            "choose a divisor or a multiple");
    }
    divides(findings, model.feedForward, "inner MLP columns", plan.tp, "plan.tp",
            "the MLP is split by columns");
    if (plan.sequenceParallel) {
        divides(findings, job.sequence / std::max(1, plan.cp), "tokens of a sequence part", plan.tp,
                "plan.sequenceParallel",
                "sequence parallelism splits the tokens over the tensor ranks");
    }
    divides(findings, job.sequence, "tokens of a sequence", plan.cp, "plan.cp",
            "context parallelism splits the tokens");
}

void checkExperts(Findings& findings, const TrainingJob& job, const ParallelPlan& plan)
{
    const int experts = job.model.expert.experts;
    if (experts == 0) {
        if (plan.ep > 1) {
            add(findings,
                "the model has no experts to spread over " + std::to_string(plan.ep) + " ranks",
                "plan.ep", "expert parallelism divides the experts", "use ep 1");
        }
        return;
    }
    divides(findings, experts, "experts", plan.ep, "plan.ep",
            "each expert rank takes whole experts");
    divides(findings, static_cast<std::int64_t>(plan.dp) * plan.cp * plan.tp, "ranks of a stage",
            static_cast<std::int64_t>(plan.ep) * plan.expertTp, "plan.ep",
            "the ranks of one pipeline stage are regrouped into expert groups");
}

void checkStages(Findings& findings, const TrainingJob& job, const ParallelPlan& plan)
{
    const std::int64_t virtualStages = static_cast<std::int64_t>(plan.pp) * plan.virtualStages;
    if (plan.layersPerStage.empty()) {
        // Embedding and head may fill a virtual stage of their own.
        const bool few = job.model.layers < virtualStages;
        if (few && (virtualStages < 3 || job.model.layers + 2 < virtualStages)) {
            add(findings,
                std::to_string(job.model.layers) + " layers cannot fill " +
                    std::to_string(virtualStages) + " virtual stages",
                "plan.pp", "every virtual stage takes at least one layer, or the embedding or head",
                "use fewer pipeline or virtual stages");
        }
    } else {
        std::int64_t sum = 0;
        for (const int layers : plan.layersPerStage) {
            sum += layers;
            if (layers < 0) {
                sum = -1;
                break;
            }
        }
        if (static_cast<std::int64_t>(plan.layersPerStage.size()) != virtualStages ||
            sum != job.model.layers) {
            add(findings,
                "the layer split does not match " + std::to_string(virtualStages) +
                    " virtual stages and " + std::to_string(job.model.layers) + " layers",
                "plan.layersPerStage",
                "each virtual stage has an entry, and all layers are given out once",
                "leave it empty for an even split");
        }
    }
}

void checkChunks(Findings& findings, const ParallelPlan& plan, const ScheduleInfo& info)
{
    // An order is searched for one chunk a stage or two.
    const int most = info.name == "auto" ? 2 : info.maximumVirtual;
    if (plan.virtualStages >= info.minimumVirtual && plan.virtualStages <= most) {
        return;
    }
    const std::string least = std::to_string(info.minimumVirtual);
    add(findings,
        info.title + " does not run with " + std::to_string(plan.virtualStages) + " virtual stages",
        "plan.virtualStages",
        "it takes " + (most == info.minimumVirtual ? least : least + " to " + std::to_string(most)),
        "use " + std::to_string(std::clamp(plan.virtualStages, info.minimumVirtual, most)));
}

void checkSchedule(Findings& findings, const ParallelPlan& plan, const ScheduleInfo& info,
                   std::int64_t microbatches)
{
    if (info.name == "custom") {
        add(findings, "a written order has no name to make it from", "plan.schedule",
            "a plan names a schedule that has an order of its own", "choose another schedule");
    }
    if (info.name == "auto" && plan.scheduleMemory != 0 && !(plan.scheduleMemory >= 1)) {
        add(findings, "no order keeps to less than one activation a stage", "plan.scheduleMemory",
            "a stage holds what it computes", "allow 1 or more");
    }
    if (info.replicas > 1 && plan.pp % 2 != 0) {
        add(findings, info.title + " does not run on " + std::to_string(plan.pp) + " stages",
            "plan.pp", "two opposite directions need an even number of stages",
            "use " + std::to_string(plan.pp + 1) + " stages, or a schedule of one direction");
    }
    if (info.replicas > 1 && microbatches == 1) {
        add(findings, info.title + " does not run with one microbatch", "plan.microbatch",
            "each of two directions needs a microbatch of its own",
            "use a smaller microbatch or fewer replicas, or a schedule of one direction");
    }
    if (microbatches > 0 && !fitsProgram(plan, microbatches)) {
        add(findings,
            std::to_string(microbatches) + " microbatches on " + std::to_string(plan.pp) +
                " stages are too many steps",
            "plan.microbatch", "these are more steps than a program holds",
            "use larger microbatches or more replicas");
    }
}

} // namespace

bool fitsProgram(const ParallelPlan& plan, std::int64_t microbatches)
{
    constexpr std::int64_t most = 2'000'000; // forwards
    // Some generators write out 2P microbatches whatever M is.
    const std::int64_t written = std::max(microbatches, std::int64_t(2) * plan.pp);
    return written <= most && plan.pp <= most / written / plan.virtualStages;
}

std::vector<Diagnostic> checkPlan(const TrainingJob& job, const ParallelPlan& plan)
{
    Findings findings;
    if (!sizesArePositive(findings, plan)) {
        return findings;
    }
    if (static_cast<double>(plan.dp) * plan.tp * plan.cp * plan.pp != job.devices) {
        add(findings,
            std::to_string(plan.dp) + " × " + std::to_string(plan.tp) + " × " +
                std::to_string(plan.cp) + " × " + std::to_string(plan.pp) + " ranks do not make " +
                std::to_string(job.devices) + " devices",
            "plan", "data × tensor × context × pipeline size is the number of devices",
            "change one of the sizes");
    }
    if (plan.vocabularyBarriers < 0 || plan.vocabularyBarriers > 2) {
        add(findings, std::to_string(plan.vocabularyBarriers) + " vocabulary barriers",
            "plan.vocabularyBarriers", "a split vocabulary layer has one or two", "use 0, 1 or 2");
    }
    checkTensor(findings, job, plan);
    checkExperts(findings, job, plan);
    checkStages(findings, job, plan);
    try {
        const ScheduleInfo& info = scheduleInfo(plan.schedule);
        checkChunks(findings, plan, info);
        checkSchedule(findings, plan, info, plan.microbatches(job.globalBatch));
    } catch (const Error& error) {
        add(findings, error.object(), "plan.schedule", error.tried(), error.remedy());
    }
    const std::int64_t share = static_cast<std::int64_t>(plan.dp) * plan.microbatch;
    divides(findings, job.globalBatch, "sequences a step", share, "plan.microbatch",
            "every replica takes the same number of microbatches");
    return findings;
}

} // namespace triaxis
