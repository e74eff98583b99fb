#pragma once

#include <optional>
#include <string>

namespace triaxis
{

/// Life of a run. Finished, Failed and Stopped are final.
enum class RunState { Draft, Starting, Running, Stopping, Finished, Failed, Stopped };

enum class RunEvent {
    Start,           ///< the launcher began
    FirstStep,       ///< the ranks are in step 1
    StopRequested,
    RanksEnded,      ///< all ranks are gone with exit code 0
    Fault            ///< anything that ends the run early
};

/// The state after `event`, or nothing if the event cannot happen in that state.
std::optional<RunState> next(RunState state, RunEvent event);
bool isFinal(RunState state);
const char* toText(RunState state);                     ///< "running"
std::optional<RunState> runStateFromText(const std::string& text);

} // namespace triaxis
