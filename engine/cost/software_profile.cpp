#include "engine/cost/software_profile.h"

#include "engine/core/embedded_text.h"
#include "engine/core/json_fields.h"

#include <algorithm>
#include <array>

namespace triaxis
{
namespace
{

struct NumberField
{
    const char* name;
    double SoftwareProfile::*member;
    double least;
    double most;
};

struct FlagField
{
    const char* name;
    bool SoftwareProfile::*member;
};

constexpr std::array numberFields{
    NumberField{"layerFloor", &SoftwareProfile::layerFloor, 0, 10},
    NumberField{"backwardFloor", &SoftwareProfile::backwardFloor, 0, 10},
    NumberField{"expertFloor", &SoftwareProfile::expertFloor, 0, 10},
    NumberField{"floorJitter", &SoftwareProfile::floorJitter, 0, 10},
    NumberField{"unfusedFloor", &SoftwareProfile::unfusedFloor, 1, 100},
    NumberField{"gemmEfficiency", &SoftwareProfile::gemmEfficiency, 0.01, 10},
    NumberField{"attentionEfficiency", &SoftwareProfile::attentionEfficiency, 0.01, 10},
    NumberField{"fp8Efficiency", &SoftwareProfile::fp8Efficiency, 0.01, 10},
    NumberField{"fp4Efficiency", &SoftwareProfile::fp4Efficiency, 0.01, 10},
    NumberField{"expertEfficiency", &SoftwareProfile::expertEfficiency, 0.01, 10},
    NumberField{"scoreBytes", &SoftwareProfile::scoreBytes, 0, 1000},
    NumberField{"elementwiseFactor", &SoftwareProfile::elementwiseFactor, 0, 100},
    NumberField{"permuteFactor", &SoftwareProfile::permuteFactor, 0, 100},
    NumberField{"lossBytes", &SoftwareProfile::lossBytes, 0, 1000},
    NumberField{"accumulationBytes", &SoftwareProfile::accumulationBytes, 0, 1000},
    NumberField{"tensorOverlap", &SoftwareProfile::tensorOverlap, 0, 1},
    NumberField{"dataOverlap", &SoftwareProfile::dataOverlap, 0, 1},
    NumberField{"pipelineOverlap", &SoftwareProfile::pipelineOverlap, 0, 1},
    NumberField{"contextOverlap", &SoftwareProfile::contextOverlap, 0, 1},
    NumberField{"expertOverlap", &SoftwareProfile::expertOverlap, 0, 1},
    NumberField{"overlapCost", &SoftwareProfile::overlapCost, 0, 1},
    NumberField{"linkEfficiency", &SoftwareProfile::linkEfficiency, 0.01, 10},
    NumberField{"dividedNodeRate", &SoftwareProfile::dividedNodeRate, 0.01, 10},
    NumberField{"ownerSeconds", &SoftwareProfile::ownerSeconds, 0, 10},
    NumberField{"gatherRate", &SoftwareProfile::gatherRate, 0.01, 10},
    NumberField{"gradientBytes", &SoftwareProfile::gradientBytes, 0, 16},
    NumberField{"bf16BufferBytes", &SoftwareProfile::bf16BufferBytes, 0, 16},
    NumberField{"stepOverhead", &SoftwareProfile::stepOverhead, 0, 1000},
    NumberField{"optimizerBytes", &SoftwareProfile::optimizerBytes, 0, 64},
    NumberField{"optimizerTraffic", &SoftwareProfile::optimizerTraffic, 0, 1000},
    NumberField{"allocatorFactor", &SoftwareProfile::allocatorFactor, 1, 4},
    NumberField{"fixedBytes", &SoftwareProfile::fixedBytes, 0, 1e11},
    NumberField{"expectedError", &SoftwareProfile::expectedError, 0, 10},
};

constexpr std::array flagFields{
    FlagField{"fusedAttention", &SoftwareProfile::fusedAttention},
    FlagField{"dropout", &SoftwareProfile::dropout},
    FlagField{"dispatchesOnce", &SoftwareProfile::dispatchesOnce},
    FlagField{"scattersTransfers", &SoftwareProfile::scattersTransfers},
    FlagField{"stepBarrier", &SoftwareProfile::stepBarrier},
};

bool isKnown(const std::string& key)
{
    constexpr std::array texts{"name", "title", "source", "fit", "domain"};
    return std::any_of(texts.begin(), texts.end(), [&](auto* text) { return key == text; }) ||
           std::any_of(numberFields.begin(), numberFields.end(),
                       [&](auto& f) { return key == f.name; }) ||
           std::any_of(flagFields.begin(), flagFields.end(),
                       [&](auto& f) { return key == f.name; });
}

std::vector<std::string> textsOf(const JsonFields& fields, const char* name)
{
    std::vector<std::string> texts;
    for (const nlohmann::json& text : fields.array(name)) {
        if (!text.is_string())
            fields.refuse(name, "not a list of texts", "give names in quotes");
        texts.push_back(text.get<std::string>());
    }
    return texts;
}

ProfileDomain domainOf(const JsonFields& fields)
{
    ProfileDomain domain;
    domain.years = fields.text("years");
    domain.tables = textsOf(fields, "tables");
    domain.devices = textsOf(fields, "devices");
    for (const std::string& device : domain.devices)
        (void)devicePreset(device); // throws for a name that nobody knows
    for (const std::string& format : textsOf(fields, "formats"))
        domain.formats.push_back(parseNumberFormat(format));
    domain.experts = fields.boolean("experts", false);
    domain.shardedWeights = fields.boolean("shardedWeights", false);
    constexpr int most = 1 << 24;
    domain.mostDevices = fields.smallInteger("mostDevices", 0, most, 0);
    return domain;
}

SoftwareProfile parseProfile(const nlohmann::json& object, const std::string& path,
                             const std::vector<SoftwareProfile>& base)
{
    const JsonFields fields(object, "cannot read the software profiles", {}, path);
    SoftwareProfile profile;
    const std::string name = fields.text("name");
    for (const SoftwareProfile& known : base) {
        if (known.name == name) {
            profile = known;
        }
    }
    profile.name = name;
    profile.title = fields.text("title", profile.title.empty() ? name : profile.title);
    profile.source = fields.text("source", profile.source);
    profile.fit = fields.text("fit", profile.fit);
    if (fields.has("domain"))
        profile.domain = domainOf(fields.object("domain"));
    for (const NumberField& field : numberFields) {
        profile.*field.member =
            fields.real(field.name, field.least, field.most, profile.*field.member);
    }
    for (const FlagField& field : flagFields) {
        profile.*field.member = fields.boolean(field.name, profile.*field.member);
    }
    for (const auto& [key, value] : object.items()) {
        if (!isKnown(key)) {
            fields.refuse(key, "no such constant",
                          "use the names that resources/profiles.json shows");
        }
    }
    return profile;
}

} // namespace

std::vector<SoftwareProfile> parseProfiles(std::string_view json,
                                           const std::vector<SoftwareProfile>& base)
{
    const std::string tried = "cannot read the software profiles";
    const nlohmann::json document = parseJson(std::string(json), tried, "profiles");
    const JsonFields fields(document, tried, "profiles");
    const nlohmann::json& list = fields.array("profiles");
    std::vector<SoftwareProfile> profiles;
    for (std::size_t index = 0; index < list.size(); ++index) {
        profiles.push_back(
            parseProfile(list[index], "profiles[" + std::to_string(index) + "]", base));
    }
    return profiles;
}

std::vector<std::pair<std::string, double>> constantsOf(const SoftwareProfile& profile)
{
    std::vector<std::pair<std::string, double>> constants;
    for (const NumberField& field : numberFields)
        constants.emplace_back(field.name, profile.*field.member);
    for (const FlagField& field : flagFields)
        constants.emplace_back(field.name, profile.*field.member ? 1 : 0);
    return constants;
}

std::string domainText(const SoftwareProfile& profile)
{
    const ProfileDomain& domain = profile.domain;
    if (domain.none())
        return "not fitted on any measurement";
    const auto joined = [](const auto& all, auto text) {
        std::string list;
        for (const auto& one : all)
            list += (list.empty() ? "" : ", ") + std::string(text(one));
        return list;
    };
    return "fitted on " +
           joined(domain.devices,
                  [](const std::string& name) { return devicePreset(name).title; }) +
           " in " + joined(domain.formats, [](NumberFormat format) { return toText(format); }) +
           (domain.experts ? ", mixtures of experts included" : ", dense models") +
           (domain.shardedWeights ? ", ZeRO 3 included" : "") +
           (domain.mostDevices > 0 ? ", up to " + std::to_string(domain.mostDevices) +
                                         (domain.mostDevices == 1 ? " device" : " devices")
                                   : "") +
           ", " + domain.years + ": " +
           joined(domain.tables, [](const std::string& name) { return name; });
}

const std::vector<SoftwareProfile>& softwareProfiles()
{
    static const std::vector<SoftwareProfile> profiles = parseProfiles(embeddedText("profiles"));
    return profiles;
}

const SoftwareProfile& softwareProfile(const std::string& name)
{
    std::string names;
    for (const SoftwareProfile& profile : softwareProfiles()) {
        if (profile.name == name) {
            return profile;
        }
        names += (names.empty() ? "" : ", ") + profile.name;
    }
    throw Error("cannot find the software profile", "\"" + name + "\"", "use one of " + names);
}

} // namespace triaxis
