#include "engine/record/pace_plan.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double longestSlot = 3600;
constexpr double slowestLink = 1e3; ///< bytes per second
constexpr double fastestLink = 1e18;

double entry(const std::vector<double>& seconds, const Layout& layout, int virtualStage)
{
    if (seconds.size() == 1)
        return seconds.front() / layout.virtualStages;
    return seconds[std::size_t(virtualStage)];
}

nlohmann::json toJson(const PacedLink& link)
{
    return {{"latency", link.latency}, {"bandwidth", link.bandwidth}};
}

PacedLink linkFrom(const JsonFields& fields, const std::string& key)
{
    PacedLink link;
    if (!fields.has(key))
        return link;
    const JsonFields own = fields.object(key);
    own.refuseOthers({"latency", "bandwidth"});
    link.latency = own.real("latency", 0, longestSlot, 0.0);
    link.bandwidth = own.real("bandwidth", 0, 1e18, 0.0);
    return link;
}

std::vector<double> secondsFrom(const JsonFields& fields, const std::string& key)
{
    std::vector<double> seconds;
    if (!fields.has(key))
        return seconds;
    for (const nlohmann::json& value : fields.array(key)) {
        if (!value.is_number())
            fields.refuse(key, "holds something else than seconds");
        seconds.push_back(value.get<double>());
    }
    return seconds;
}

} // namespace

double slotSeconds(const PacePlan& pace, const Layout& layout, Kind kind, int virtualStage)
{
    switch (kind) {
    case Kind::Forward:
        return entry(pace.forward, layout, virtualStage);
    case Kind::Backward:
        return entry(pace.input, layout, virtualStage) + entry(pace.weight, layout, virtualStage);
    case Kind::BackwardInput:
        return entry(pace.input, layout, virtualStage);
    case Kind::BackwardWeight:
        return entry(pace.weight, layout, virtualStage);
    case Kind::OptimizerStep:
        return pace.optimizer;
    case Kind::SendActivation:
    case Kind::ReceiveActivation:
    case Kind::SendGradient:
    case Kind::ReceiveGradient:
    case Kind::Wait:
    case Kind::GradientReduce:
    case Kind::TiedReduce:
    case Kind::ReplicaReduce:
    case Kind::NormReduce:
    case Kind::LossReduce:
    case Kind::TensorCollective:
        break;
    }
    return 0;
}

double ringSeconds(const PacedLink& link, double bytes, int members)
{
    return members < 2 ? 0 : 2 * (members - 1) * link.seconds(bytes / members);
}

double longestPause(const PacePlan& pace, const Layout& layout, double bytes)
{
    if (!pace.active())
        return 0;
    double longest = pace.optimizer;
    const auto most = [](const std::vector<double>& seconds) {
        return seconds.empty() ? 0.0 : *std::max_element(seconds.begin(), seconds.end());
    };
    longest = std::max({longest, most(pace.forward), most(pace.input) + most(pace.weight)});
    const int members = std::max(2, std::max(layout.dp, layout.tp * layout.pp));
    return longest + pace.pipeline.seconds(bytes) + ringSeconds(pace.data, bytes, members) +
           2 * ringSeconds(pace.tensor, bytes, std::max(2, layout.tp));
}

nlohmann::json toJson(const PacePlan& pace)
{
    return {{"forward", pace.forward},         {"input", pace.input},
            {"weight", pace.weight},           {"optimizer", pace.optimizer},
            {"pipeline", toJson(pace.pipeline)}, {"tensor", toJson(pace.tensor)},
            {"data", toJson(pace.data)}};
}

PacePlan pacePlanFromJson(const JsonFields& fields)
{
    fields.refuseOthers({"forward", "input", "weight", "optimizer", "pipeline", "tensor", "data"});
    PacePlan pace;
    pace.forward = secondsFrom(fields, "forward");
    pace.input = secondsFrom(fields, "input");
    pace.weight = secondsFrom(fields, "weight");
    pace.optimizer = fields.real("optimizer", 0, longestSlot, 0.0);
    pace.pipeline = linkFrom(fields, "pipeline");
    pace.tensor = linkFrom(fields, "tensor");
    pace.data = linkFrom(fields, "data");
    return pace;
}

std::vector<Diagnostic> checkPace(const PacePlan& pace, const Layout& layout)
{
    std::vector<Diagnostic> findings;
    const auto refuse = [&](std::string what, std::string mend) {
        findings.push_back({Severity::Error, std::move(what), "execution.pace",
                            "a paced run gives every compute instruction a slot of a known length",
                            std::move(mend)});
    };
    if (!pace.active() && pace.input.empty() && pace.weight.empty())
        return findings;
    const auto isTime = [](double seconds) {
        return std::isfinite(seconds) && seconds >= 0 && seconds <= longestSlot;
    };
    if (!isTime(pace.optimizer))
        refuse("the slot of the optimizer is no time from 0 to 3600 seconds", "give a time such as 5ms");
    for (const auto& [name, link] : {std::pair{"pipeline", &pace.pipeline},
                                     std::pair{"tensor", &pace.tensor}, std::pair{"data", &pace.data}}) {
        if (!isTime(link->latency))
            refuse("the latency of the " + std::string(name) + " link is no time from 0 to 3600 seconds",
                   "give a time such as 5us");
        if (!std::isfinite(link->bandwidth) || (link->bandwidth != 0 && link->bandwidth < slowestLink) ||
            link->bandwidth > fastestLink)
            refuse("the bandwidth of the " + std::string(name) + " link is not from 1 kB/s to 1000 PB/s",
                   "give a bandwidth such as 25GB/s, or none for an unlimited one");
    }
    const auto positions = std::size_t(layout.pp) * std::size_t(layout.virtualStages);
    for (const auto& [name, seconds] : {std::pair{"forwards", &pace.forward},
                                        std::pair{"backwards for the input", &pace.input},
                                        std::pair{"backwards for the weights", &pace.weight}}) {
        if (seconds->size() != 1 && seconds->size() != positions)
            refuse("the slots of " + std::string(name) + " have " +
                       std::to_string(seconds->size()) + " entries for " +
                       std::to_string(positions) + " virtual stages",
                   "give one time, or one for each virtual stage");
        if (!std::all_of(seconds->begin(), seconds->end(), [](double value) {
                return std::isfinite(value) && value >= 0 && value <= longestSlot;
            }))
            refuse("a slot of " + std::string(name) + " is no time from 0 to 3600 seconds",
                   "give times such as 20ms");
    }
    return findings;
}

} // namespace triaxis
