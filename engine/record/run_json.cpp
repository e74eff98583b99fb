#include "engine/record/run_json.h"

#include "engine/core/error.h"

#include <algorithm>

namespace triaxis
{
namespace
{

using nlohmann::json;

/// The member if it is there and of the wanted kind, else the fallback: a state or environment with
/// a gap is still of use.
template <class Value>
Value valueOr(const json& object, const char* name, Value fallback)
{
    const auto at = object.find(name);
    if (at == object.end())
        return fallback;
    try {
        return at->get<Value>();
    } catch (const json::exception&) {
        return fallback;
    }
}

} // namespace

json toJson(const RunEnvironment& environment)
{
    return {{"id", environment.id},           {"started", environment.startedUtc},
            {"version", environment.version}, {"host", environment.host},
            {"blas", environment.blas},       {"mpi", environment.mpi},
            {"cores", environment.cores},     {"memory", environment.memoryBytes}};
}

RunEnvironment environmentFromJson(const json& object)
{
    RunEnvironment environment;
    if (!object.is_object())
        return environment;
    environment.id = valueOr<std::string>(object, "id", {});
    environment.startedUtc = valueOr<std::string>(object, "started", {});
    environment.version = valueOr<std::string>(object, "version", {});
    environment.host = valueOr<std::string>(object, "host", {});
    environment.blas = valueOr<std::string>(object, "blas", {});
    environment.mpi = valueOr<std::string>(object, "mpi", {});
    environment.cores = valueOr(object, "cores", 0);
    environment.memoryBytes =
        std::max<std::int64_t>(0, valueOr<std::int64_t>(object, "memory", 0));
    return environment;
}

json toJson(const RunStatus& status, const std::string& host)
{
    json object{{"state", toText(status.state)},
                {"reason", status.reason},
                {"launcher_pid", status.launcherPid},
                {"launcher_start", status.launcherStart},
                {"launcher_host", host},
                {"heartbeat", status.heartbeat},
                {"ended", status.endedUtc},
                {"last_step", status.lastStep}};
    if (status.failedRank)
        object["failed_rank"] = status.failedRank->value;
    return object;
}

RunStatus statusFromJson(const json& object, std::string& host)
{
    if (!object.is_object())
        throw Error("cannot read the state of a run", "it is no JSON object");
    const auto text = valueOr<std::string>(object, "state", {});
    const auto state = runStateFromText(text);
    if (!state)
        throw Error("cannot read the state of a run", "there is no state \"" + text + "\"");
    RunStatus status;
    status.state = *state;
    status.reason = valueOr<std::string>(object, "reason", {});
    status.launcherPid = valueOr(object, "launcher_pid", 0);
    status.launcherStart = valueOr<std::int64_t>(object, "launcher_start", 0);
    status.heartbeat = valueOr(object, "heartbeat", 0.0);
    status.endedUtc = valueOr<std::string>(object, "ended", {});
    status.lastStep = valueOr<std::int64_t>(object, "last_step", 0);
    if (const int rank = valueOr(object, "failed_rank", -1); rank >= 0)
        status.failedRank = Rank(rank);
    host = valueOr<std::string>(object, "launcher_host", {});
    return status;
}

} // namespace triaxis
