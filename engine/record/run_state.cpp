#include "engine/record/run_state.h"

#include <array>

namespace triaxis
{
namespace
{

constexpr std::array allStates{RunState::Draft,    RunState::Starting, RunState::Running,
                               RunState::Stopping, RunState::Finished, RunState::Failed,
                               RunState::Stopped};

std::optional<RunState> fromDraft(RunEvent event)
{
    switch (event) {
    case RunEvent::Start:
        return RunState::Starting;
    case RunEvent::StopRequested:
        return RunState::Stopped;
    case RunEvent::Fault:
        return RunState::Failed;
    case RunEvent::FirstStep:
    case RunEvent::RanksEnded:
        break;
    }
    return std::nullopt;
}

std::optional<RunState> fromStarting(RunEvent event)
{
    switch (event) {
    case RunEvent::FirstStep:
        return RunState::Running;
    case RunEvent::StopRequested:
        return RunState::Stopping;
    case RunEvent::RanksEnded:
        return RunState::Finished;
    case RunEvent::Fault:
        return RunState::Failed;
    case RunEvent::Start:
        break;
    }
    return std::nullopt;
}

std::optional<RunState> fromRunning(RunEvent event)
{
    switch (event) {
    case RunEvent::StopRequested:
        return RunState::Stopping;
    case RunEvent::RanksEnded:
        return RunState::Finished;
    case RunEvent::Fault:
        return RunState::Failed;
    case RunEvent::Start:
    case RunEvent::FirstStep:
        break;
    }
    return std::nullopt;
}

std::optional<RunState> fromStopping(RunEvent event)
{
    switch (event) {
    case RunEvent::RanksEnded:
        return RunState::Stopped;
    case RunEvent::Fault:
        return RunState::Failed;
    case RunEvent::Start:
    case RunEvent::FirstStep:
    case RunEvent::StopRequested:
        break;
    }
    return std::nullopt;
}

} // namespace

std::optional<RunState> next(RunState state, RunEvent event)
{
    switch (state) {
    case RunState::Draft:
        return fromDraft(event);
    case RunState::Starting:
        return fromStarting(event);
    case RunState::Running:
        return fromRunning(event);
    case RunState::Stopping:
        return fromStopping(event);
    case RunState::Finished:
    case RunState::Failed:
    case RunState::Stopped:
        break;
    }
    return std::nullopt;
}

bool isFinal(RunState state)
{
    switch (state) {
    case RunState::Finished:
    case RunState::Failed:
    case RunState::Stopped:
        return true;
    case RunState::Draft:
    case RunState::Starting:
    case RunState::Running:
    case RunState::Stopping:
        break;
    }
    return false;
}

const char* toText(RunState state)
{
    switch (state) {
    case RunState::Draft:
        return "draft";
    case RunState::Starting:
        return "starting";
    case RunState::Running:
        return "running";
    case RunState::Stopping:
        return "stopping";
    case RunState::Finished:
        return "finished";
    case RunState::Failed:
        return "failed";
    case RunState::Stopped:
        return "stopped";
    }
    return "";
}

std::optional<RunState> runStateFromText(const std::string& text)
{
    for (RunState state : allStates)
        if (text == toText(state))
            return state;
    return std::nullopt;
}

} // namespace triaxis
