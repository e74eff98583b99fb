#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/plan/drawn_setting.h"
#include "engine/plan/placement_reach.h"

#include <algorithm>
#include <array>
#include <utility>

namespace triaxis
{
namespace
{

using Findings = std::vector<Diagnostic>;

void add(Findings& findings, Severity severity, std::string what, std::string where,
         std::string why, std::string mend = {})
{
    findings.push_back(
        {severity, std::move(what), std::move(where), std::move(why), std::move(mend)});
}

bool hasErrorAt(const Findings& findings, const std::string& where)
{
    return std::any_of(findings.begin(), findings.end(), [&](const Diagnostic& finding) {
        return finding.severity == Severity::Error && finding.where == where;
    });
}

bool sizesAreSane(Findings& findings, const DrawnPlan& plan)
{
    const Layout& layout = plan.run.layout;
    const std::pair<const char*, int> sizes[] = {{"layout.dp", layout.dp},
                                                 {"layout.tp", layout.tp},
                                                 {"layout.pp", layout.pp},
                                                 {"layout.virtualStages", layout.virtualStages},
                                                 {"layout.cp", plan.cp},
                                                 {"layout.ep", plan.ep},
                                                 {"layout.expertTp", plan.expertTp}};
    for (const auto& [where, size] : sizes)
        if (size < 1 || size > mostDevices)
            add(findings, Severity::Error, "a size of " + std::to_string(size), where,
                "sizes are whole numbers from 1", "use 1 or more");
    const DrawnCluster& cluster = plan.cluster;
    if (cluster.nodes < 1 || cluster.nodeSize < 1 ||
        double(cluster.nodes) * cluster.nodeSize > mostDevices)
        add(findings, Severity::Error,
            std::to_string(cluster.nodes) + " nodes of " + std::to_string(cluster.nodeSize) +
                " devices",
            "cluster.nodes",
            "a floor has at least one device and at most " + std::to_string(mostDevices),
            "use fewer nodes");
    const double ranks = double(layout.dp) * layout.tp * layout.pp * plan.cp;
    if (findings.empty() && ranks > mostDevices)
        add(findings, Severity::Error, "a layout of more ranks than a floor holds", "layout.dp",
            "a floor has at most " + std::to_string(mostDevices) + " devices", "use smaller sizes");
    return findings.empty();
}

void checkDevices(Findings& findings, const DrawnPlan& plan)
{
    const DrawnCluster& cluster = plan.cluster;
    const int ranks = drawnLayout(plan).ranks();
    const int devices = cluster.devices();
    if (ranks > devices) {
        const int nodes = (ranks + cluster.nodeSize - 1) / cluster.nodeSize;
        add(findings, Severity::Error,
            std::to_string(ranks) + " ranks do not fit on " + std::to_string(devices) + " devices",
            "cluster.nodes", "every rank has a device of its own",
            "use " + std::to_string(nodes) + " nodes, or a smaller layout");
    } else if (ranks < devices && !cluster.thisMachine) {
        add(findings, Severity::Warning,
            std::to_string(devices - ranks) + " of " + std::to_string(devices) +
                " devices have no rank",
            "cluster.nodes", "what a step takes is predicted for the devices that work",
            "use a larger layout or fewer nodes");
    }
    if (plan.deviceOfRank.empty())
        return;
    std::vector<char> taken(std::size_t(devices), 0);
    bool sound = plan.deviceOfRank.size() == std::size_t(ranks);
    for (const int device : plan.deviceOfRank) {
        sound = sound && device >= 0 && device < devices && !taken[std::size_t(device)];
        if (!sound)
            break;
        taken[std::size_t(device)] = 1;
    }
    if (!sound)
        add(findings, Severity::Error, "the placement does not give each rank a device of its own",
            "placement", "a device runs one rank", "place ranks in their own order");
}

/// The link that groups over several nodes use.
std::string linkText(const DrawnCluster& cluster)
{
    const LinkLevel& level = cluster.network.levels.back();
    return level.name + " (" + units::bytesPerSecond(level.bandwidth) + " a device)";
}

void checkTensorReach(Findings& findings, const DrawnPlan& plan)
{
    const AxisReach tensor = reachOf(plan, Axis::Tensor);
    if (tensor.leaving == 0)
        return;
    const bool all = tensor.leaving == tensor.groups;
    add(findings, Severity::Warning,
        (all ? std::string("every tensor group leaves its node")
             : std::to_string(tensor.leaving) + " of " + std::to_string(tensor.groups) +
                   " tensor groups leave their node"),
        "rank " + std::to_string(tensor.worst.value),
        "the ranks of a tensor group exchange activations several times in every layer; over " +
            linkText(plan.cluster) + " that takes far longer than inside a node",
        plan.deviceOfRank.empty() ? "use a tensor-parallel size that divides the " +
                                        std::to_string(plan.cluster.nodeSize) + " devices of a node"
                                  : "swap ranks so that a group sits in one node");
}

void noteSlowLinks(Findings& findings, const DrawnPlan& plan)
{
    struct Use
    {
        Axis axis;
        const char* where;
        const char* what;
    };
    constexpr Use uses[] = {{Axis::Data, "layout.dp", "gradient reductions"},
                            {Axis::Pipeline, "layout.pp", "transfers between stages"}};
    for (const Use& use : uses) {
        const AxisReach reach = reachOf(plan, use.axis);
        if (reach.leaving == 0)
            continue;
        add(findings, Severity::Note,
            std::string(use.what) + " cross " + plan.cluster.network.levels.back().name, use.where,
            std::to_string(reach.leaving) + " of " + std::to_string(reach.groups) +
                (reach.groups == 1 ? " group spans " : " groups span ") +
                std::to_string(reach.mostNodes) + " nodes over " + linkText(plan.cluster));
    }
}

void checkPriced(Findings& findings, const DrawnPlan& plan)
{
    Findings advice;
    if (plan.trainable)
        advice = checkLayout(plan.run.layout, plan.run.model, plan.run.training.batch);
    try {
        for (Diagnostic& finding : checkPlan(trainingJob(plan), parallelPlan(plan))) {
            finding.where = drawnSetting(finding.where);
            if (!hasErrorAt(advice, finding.where))
                findings.push_back(std::move(finding));
        }
    } catch (const Error& error) {
        add(findings, Severity::Error, error.object(), "settings.software", error.tried(),
            error.remedy());
    }
    const bool broken = hasErrors(findings);
    for (Diagnostic& finding : advice) {
        // A priced pipeline may give its first and last stage no layer.
        const bool isStageRule = finding.where == "layout.pp" ||
                                 finding.where == "layout.virtualStages" ||
                                 finding.where == "layout.layersPerStage";
        if (finding.severity == Severity::Error && isStageRule && !broken)
            continue;
        findings.push_back(std::move(finding));
    }
}

} // namespace

std::string drawnSetting(const std::string& priced)
{
    constexpr std::pair<const char*, const char*> names[] = {
        {"plan.dp", "layout.dp"},
        {"plan.tp", "layout.tp"},
        {"plan.pp", "layout.pp"},
        {"plan.virtualStages", "layout.virtualStages"},
        {"plan.layersPerStage", "layout.layersPerStage"},
        {"plan.microbatch", "training.microbatch"},
        {"plan.schedule", "training.schedule"},
        {"plan.scheduleMemory", "training.schedule"},
        {"plan.vocabularyBarriers", "training.schedule"},
        {"plan.cp", "layout.cp"},
        {"plan.ep", "layout.ep"},
        {"plan.expertTp", "layout.expertTp"},
        {"plan.sequenceParallel", "layout.sequenceParallel"},
        {"plan", "cluster.nodes"},
    };
    for (const auto& [name, drawn] : names)
        if (priced == name)
            return drawn;
    return priced;
}

std::vector<Diagnostic> checkDrawn(const DrawnPlan& plan)
{
    Findings findings;
    if (!sizesAreSane(findings, plan))
        return findings;
    if (plan.cluster.thisMachine) {
        findings = checkPlan(plan.run);
        if (!plan.trainable)
            add(findings, Severity::Error, plan.shape.name + " can only be predicted", "model",
                "its layers are priced here, not trained",
                "choose a cluster to predict it on, or another model to train");
    } else {
        checkPriced(findings, plan);
    }
    checkDevices(findings, plan);
    if (hasErrors(findings) || plan.cluster.thisMachine)
        return findings;
    checkTensorReach(findings, plan);
    noteSlowLinks(findings, plan);
    return findings;
}

} // namespace triaxis
