#include "engine/formats/plan_file.h"

#include "engine/core/embedded_text.h"
#include "engine/core/file.h"
#include "engine/formats/drawn_cluster_json.h"
#include "engine/formats/model_shape.h"
#include "engine/formats/model_shape_json.h"
#include "engine/record/small_file.h"

#include <algorithm>

namespace triaxis
{
namespace
{

constexpr const char* tried = "cannot read the plan";
constexpr const char* formatName = "triaxis-plan";
constexpr std::int64_t largestFile = 64 << 20;

const std::initializer_list<const char*> topMembers = {
    "format", "version", "title", "about", "plan", "model", "cluster", "settings", "placement"};
const std::initializer_list<const char*> clusterMembers = {"thisMachine", "nodes",   "nodeSize",
                                                           "rack",        "network", "mixed"};
const std::initializer_list<const char*> settingMembers = {"precision",
                                                           "software",
                                                           "zero",
                                                           "recompute",
                                                           "recomputedLayers",
                                                           "sequenceParallel",
                                                           "cp",
                                                           "ep",
                                                           "expertTp",
                                                           "shardGroup",
                                                           "offloadActivations",
                                                           "vocabularyBarriers",
                                                           "scheduleMemory"};

void noteUnknown(const nlohmann::json& object, std::initializer_list<const char*> known,
                 const std::string& where, std::vector<std::string>& notes)
{
    constexpr std::size_t mostNotes = 20;
    for (const auto& member : object.items()) {
        const bool isKnown = std::any_of(known.begin(), known.end(),
                                         [&](const char* name) { return member.key() == name; });
        if (!isKnown && notes.size() < mostNotes)
            notes.push_back("\"" + where + member.key().substr(0, 60) +
                            "\" is not known to this version and was left aside");
    }
}

ZeroStage zeroFrom(const JsonFields& fields)
{
    const std::string text = fields.text("zero", "none");
    for (const ZeroStage zero :
         {ZeroStage::None, ZeroStage::Optimizer, ZeroStage::Gradients, ZeroStage::Parameters})
        if (text == toText(zero))
            return zero;
    fields.refuse("zero", "is \"" + text.substr(0, 40) + "\"", "use none, 1, 2 or 3");
}

Recompute recomputeFrom(const JsonFields& fields)
{
    const std::string text = fields.text("recompute", "none");
    for (const Recompute recompute : {Recompute::None, Recompute::Selective, Recompute::Full})
        if (text == toText(recompute))
            return recompute;
    fields.refuse("recompute", "is \"" + text.substr(0, 40) + "\"", "use none, selective or full");
}

void readSettings(const JsonFields& fields, DrawnPlan& plan)
{
    plan.precision = parseNumberFormat(fields.text("precision", toText(plan.precision)));
    plan.software = softwareProfile(fields.text("software", plan.software)).name;
    plan.zero = zeroFrom(fields);
    plan.recompute = recomputeFrom(fields);
    plan.recomputedLayers = fields.smallInteger("recomputedLayers", -1, mostDevices, -1);
    plan.sequenceParallel = fields.boolean("sequenceParallel", false);
    plan.cp = fields.smallInteger("cp", 1, mostDevices, 1);
    plan.ep = fields.smallInteger("ep", 1, mostDevices, 1);
    plan.expertTp = fields.smallInteger("expertTp", 1, mostDevices, 1);
    plan.shardGroup = fields.smallInteger("shardGroup", 0, mostDevices, 0);
    plan.offloadActivations = fields.boolean("offloadActivations", false);
    plan.vocabularyBarriers = fields.smallInteger("vocabularyBarriers", 0, 2, 0);
    constexpr double mostShares = 1e6;
    plan.scheduleMemory = fields.real("scheduleMemory", 0, mostShares, 0);
}

void readPlacement(const JsonFields& fields, DrawnPlan& plan)
{
    const nlohmann::json& devices = fields.array("placement");
    if (devices.size() > std::size_t(mostDevices))
        fields.refuse("placement", "has " + std::to_string(devices.size()) + " entries");
    for (const nlohmann::json& device : devices) {
        if (!device.is_number_integer() || device < 0 || device >= mostDevices)
            fields.refuse("placement", "has an entry that is no device",
                          "give the number of a device for each rank");
        plan.deviceOfRank.push_back(device.get<int>());
    }
}

/// A file with a version of its own; anything else is taken for a run.
PlanFile drawnFile(const nlohmann::json& json, const JsonFields& fields, const std::string& source)
{
    if (const std::string format = fields.text("format", formatName); format != formatName)
        fields.refuse("format", "is \"" + format.substr(0, 40) + "\"",
                      "give a plan that Triaxis has saved");
    const std::int64_t version = fields.integer("version", 1, 1'000'000);
    if (version > planFileVersion)
        fields.refuse("version",
                      "is " + std::to_string(version) + ", and this Triaxis reads up to " +
                          std::to_string(planFileVersion),
                      "open it with a newer Triaxis");
    PlanFile file;
    noteUnknown(json, topMembers, "", file.notes);
    file.title = fields.text("title", "");
    file.about = fields.text("about", "");
    file.plan = drawnPlan(runPlanFromJson(fields.value("plan")));
    if (fields.has("model")) {
        const ModelShape shape = modelShapeFromJson(fields.value("model"), source);
        file.plan.shape = shape;
        file.plan.trainable = false;
    }
    if (fields.has("cluster")) {
        file.plan.cluster = drawnClusterFrom(fields.object("cluster"));
        noteUnknown(json.at("cluster"), clusterMembers, "cluster.", file.notes);
    }
    if (fields.has("settings")) {
        readSettings(fields.object("settings"), file.plan);
        noteUnknown(json.at("settings"), settingMembers, "settings.", file.notes);
    }
    if (fields.has("placement"))
        readPlacement(fields, file.plan);
    return file;
}

} // namespace

nlohmann::ordered_json toJson(const PlanFile& file)
{
    const DrawnPlan& plan = file.plan;
    nlohmann::ordered_json json{{"format", formatName}, {"version", planFileVersion}};
    if (!file.title.empty())
        json["title"] = file.title;
    if (!file.about.empty())
        json["about"] = file.about;
    json["plan"] = toJson(plan.run);
    if (!plan.trainable)
        json["model"] = toJson(plan.shape);
    json["cluster"] = toJson(plan.cluster);
    json["settings"] = {{"precision", toText(plan.precision)},
                        {"software", plan.software},
                        {"zero", toText(plan.zero)},
                        {"recompute", toText(plan.recompute)},
                        {"recomputedLayers", plan.recomputedLayers},
                        {"sequenceParallel", plan.sequenceParallel},
                        {"cp", plan.cp},
                        {"ep", plan.ep},
                        {"expertTp", plan.expertTp}};
    // Seldom set: left out where they are as usual.
    nlohmann::ordered_json& settings = json["settings"];
    if (plan.shardGroup != 0)
        settings["shardGroup"] = plan.shardGroup;
    if (plan.offloadActivations)
        settings["offloadActivations"] = true;
    if (plan.vocabularyBarriers != 0)
        settings["vocabularyBarriers"] = plan.vocabularyBarriers;
    if (plan.scheduleMemory != 0)
        settings["scheduleMemory"] = plan.scheduleMemory;
    if (!plan.deviceOfRank.empty())
        json["placement"] = plan.deviceOfRank;
    return json;
}

PlanFile planFileFromJson(const nlohmann::json& json, const std::string& source)
{
    const JsonFields fields(json, tried, source);
    if (fields.has("format"))
        return drawnFile(json, fields, source);
    PlanFile file;
    file.plan = drawnPlan(runPlanFromJson(fields.has("plan") ? fields.value("plan") : json));
    return file;
}

PlanFile parsePlanFile(const std::string& text, const std::string& source)
{
    return planFileFromJson(parseJson(text, tried, source), source);
}

PlanFile readPlanFile(const std::filesystem::path& path)
{
    return parsePlanFile(readFile(path, largestFile, tried), path.string());
}

void writePlanFile(const std::filesystem::path& path, const PlanFile& file)
{
    replaceFile(path, toJson(file).dump(2) + "\n");
}

bool samePlan(const DrawnPlan& first, const DrawnPlan& second)
{
    return toJson(PlanFile{first, {}, {}, {}}) == toJson(PlanFile{second, {}, {}, {}});
}

std::vector<ExamplePlan> examplePlans()
{
    constexpr std::string_view folder = "plans/";
    std::vector<ExamplePlan> plans;
    for (const EmbeddedText& embedded : embeddedTexts())
        if (embedded.name.starts_with(folder))
            plans.push_back(
                {std::string(embedded.name.substr(folder.size())), std::string(embedded.text)});
    return plans;
}

} // namespace triaxis
