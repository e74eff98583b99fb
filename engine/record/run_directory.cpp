#include "engine/record/run_directory.h"

#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "engine/record/process_info.h"
#include "engine/record/run_json.h"
#include "engine/record/run_notes.h"
#include "engine/record/small_file.h"
#include "engine/record/utc.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

using nlohmann::json;

constexpr const char* runFormat = "triaxis-run";

fs::path runFile(const fs::path& directory)
{
    return directory / "run.json";
}

fs::path stateFile(const fs::path& directory)
{
    return directory / "state.json";
}

/// Dumps any bytes: names of files and messages of the system need not be UTF-8.
std::string dumped(const json& object)
{
    return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

json readRunFile(const fs::path& directory)
{
    const fs::path file = runFile(directory);
    const auto text = readSmallFile(file);
    if (!text)
        throw Error("cannot open the run", directory.string() + " has no run.json",
                    "give the directory of a run, or its id from the history");
    const json object = json::parse(*text, nullptr, false);
    if (!object.is_object() || object.value("format", json()) != runFormat)
        throw Error("cannot read the run", file.string() + ": it is no description of a run",
                    "the file is damaged; remove the directory if the run is of no use");
    const json version = object.value("version", json());
    if (!version.is_number_integer() || version.get<std::int64_t>() != runFileVersion)
        throw Error("cannot read the run",
                    file.string() + ": version " + version.dump() + " is not known here",
                    "use the Triaxis that wrote it, or a newer one");
    return object;
}

/// The milliseconds, so that names sort by time, and a random digit.
std::string fourDigits(double now, std::random_device& random)
{
    char text[8];
    const auto milliseconds = unsigned((now - std::floor(now)) * 1000);
    std::snprintf(text, sizeof text, "%03x%01x", milliseconds & 0xfffu, unsigned(random() & 0xfu));
    return text;
}

/// Makes the directory of a new run; its name is taken by making it, so that two that start
/// together differ.
fs::path makeDirectory(const fs::path& runs, double now)
{
    constexpr int tries = 1000;
    std::random_device random;
    std::error_code code;
    fs::create_directories(runs, code);
    int error = code ? code.value() : 0;
    for (int i = 0; i < tries && error == 0; ++i) {
        const fs::path directory = runs / (utcStamp(now) + "-" + fourDigits(now, random));
        now += 1e-3; // for the next try
        if (::mkdir(directory.c_str(), 0755) == 0)
            return directory;
        error = errno == EEXIST ? 0 : errno;
    }
    throw Error("cannot make a directory for the run",
                runs.string() + ": " + std::strerror(error ? error : EEXIST),
                "make room or give permission there, or set TRIAXIS_HOME to another place");
}

fs::path numbered(const fs::path& directory, Rank rank, const char* suffix)
{
    char name[48];
    std::snprintf(name, sizeof name, "rank-%04d.%s", rank.value, suffix);
    return directory / name;
}

RunStatus damaged(const std::string& why)
{
    RunStatus status;
    status.state = RunState::Failed;
    status.reason = "the state of the run cannot be read: " + why;
    return status;
}

RunStatus readState(const fs::path& directory, std::string& host)
{
    try {
        const auto text = readSmallFile(stateFile(directory), 1 << 20);
        if (!text)
            return damaged("state.json is missing");
        const json object = json::parse(*text, nullptr, false);
        if (object.is_discarded())
            return damaged("state.json is no JSON");
        return statusFromJson(object, host);
    } catch (const Error& error) {
        return damaged(error.object());
    }
}

/// What a person has called the run since; damaged notes do not keep anybody from reading the run.
std::string labelOf(const fs::path& directory, std::string planned)
{
    try {
        return readNotes(directory).label.value_or(std::move(planned));
    } catch (const Error&) {
        return planned;
    }
}

/// Set by a launcher on this host that is gone.
bool isOrphan(const RunStatus& status, const std::string& host)
{
    return !isFinal(status.state) && status.launcherPid > 0 && host == hostName() &&
           !isAlive(status.launcherPid, status.launcherStart);
}

} // namespace

fs::path triaxisHome()
{
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return fs::path(value ? value : "");
    };
    if (const fs::path own = variable("TRIAXIS_HOME"); !own.empty())
        return fs::absolute(own);
    // The XDG specification ignores relative paths.
    if (const fs::path data = variable("XDG_DATA_HOME"); data.is_absolute())
        return data / "triaxis";
    const fs::path home = variable("HOME");
    return (home.is_absolute() ? home : fs::path("/")) / ".local" / "share" / "triaxis";
}

RunDirectory::RunDirectory(fs::path path) : m_path(std::move(path)) {}

RunDirectory RunDirectory::create(const fs::path& home, const RunPlan& plan,
                                  RunEnvironment environment)
{
    const double now = unixTime();
    const json planJson = toJson(plan);
    RunDirectory run(makeDirectory(fs::absolute(home) / "runs", now));
    environment.id = run.id();
    if (environment.startedUtc.empty())
        environment.startedUtc = utcText(now);
    if (environment.host.empty())
        environment.host = hostName();
    if (environment.memoryBytes <= 0 && environment.host == hostName())
        environment.memoryBytes = hostMemoryBytes();
    RunStatus draft;
    draft.heartbeat = now;
    try {
        // The state first: a directory with a run.json is a run, and every run has a state.
        replaceFile(stateFile(run.path()), dumped(toJson(draft, hostName())));
        replaceFile(runFile(run.path()), dumped({{"format", runFormat},
                                                 {"version", runFileVersion},
                                                 {"environment", toJson(environment)},
                                                 {"plan", planJson}}));
    } catch (const Error&) {
        std::error_code ignored;
        fs::remove_all(run.path(), ignored);
        throw;
    }
    return run;
}

RunDirectory RunDirectory::open(const fs::path& directory)
{
    std::error_code code;
    const fs::path path = fs::canonical(directory, code);
    if (code)
        throw Error("cannot open the run", directory.string() + ": " + code.message(),
                    "give the directory of a run, or its id from the history");
    readRunFile(path);
    return RunDirectory(path);
}

RunPlan RunDirectory::plan() const
{
    const json object = readRunFile(m_path);
    const auto plan = object.find("plan");
    if (plan == object.end())
        throw Error("cannot read the run", runFile(m_path).string() + ": it has no \"plan\"");
    RunPlan read = runPlanFromJson(*plan);
    read.label = labelOf(m_path, std::move(read.label));
    return read;
}

void RunDirectory::setPlan(const RunPlan& plan)
{
    json object = readRunFile(m_path);
    object["plan"] = toJson(plan);
    replaceFile(runFile(m_path), dumped(object));
}

RunEnvironment RunDirectory::environment() const
{
    const json object = readRunFile(m_path);
    RunEnvironment environment = environmentFromJson(object.value("environment", json::object()));
    // Never what the file says: the id becomes part of paths.
    environment.id = id();
    return environment;
}

void RunDirectory::setEnvironment(const RunEnvironment& environment)
{
    json object = readRunFile(m_path);
    RunEnvironment own = environment;
    own.id = id();
    object["environment"] = toJson(own);
    replaceFile(runFile(m_path), dumped(object));
}

RunStatus RunDirectory::status() const
{
    std::string host;
    RunStatus status = readState(m_path, host);
    if (!isOrphan(status, host))
        return status;
    // It may have written its last word between the two looks.
    status = readState(m_path, host);
    if (!isOrphan(status, host))
        return status;
    status.reason = "the launcher (process " + std::to_string(status.launcherPid) +
                    ") died before the run had ended";
    status.state = RunState::Failed;
    status.endedUtc = utcText(status.heartbeat);
    try {
        replaceFile(stateFile(m_path), dumped(toJson(status, host)));
    } catch (const Error&) {
        // Somebody else's directory, or a full disk: the answer is right all the same.
    }
    return status;
}

void RunDirectory::setStatus(const RunStatus& status)
{
    const std::string text = dumped(toJson(status, hostName()));
    try {
        replaceFile(stateFile(m_path), text);
    } catch (const Error&) {
        if (!overwriteFile(stateFile(m_path), text))
            throw;
    }
}

fs::path RunDirectory::recordFile(Rank rank) const
{
    return numbered(m_path, rank, "records");
}

fs::path RunDirectory::statusFile(Rank rank) const
{
    return numbered(m_path, rank, "status");
}

fs::path RunDirectory::standardError() const
{
    return m_path / "stderr.log";
}

fs::path RunDirectory::stopRequest() const
{
    return m_path / "stop";
}

} // namespace triaxis
