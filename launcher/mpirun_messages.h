#pragma once

#include "engine/core/ids.h"

#include <optional>
#include <string>

namespace triaxis
{

/// What mpirun says at its end about the first rank that a signal ended ("mpirun noticed that
/// process rank 2 with PID 0 on node n exited on signal 9 (Killed).").
struct SignalNotice
{
    Rank rank;
    int signal = 0;
};
std::optional<SignalNotice> signalNotice(const std::string& output);

/// The same for the first rank that ended with an exit code ("Process name: [[3528,1],0]", "Exit
/// code: 2").
struct ExitNotice
{
    Rank rank;
    int code = 0;
};
std::optional<ExitNotice> exitNotice(const std::string& output);

/// The last line "rank N: …" that a rank's program printed before it gave up, without its
/// beginning; empty if there is none.
std::string lastWordsOf(Rank rank, const std::string& output);

/// The last lines with a meaning, joined, at most `limit` bytes: for a start that fails before any
/// rank can speak.
std::string lastWords(const std::string& output, std::size_t limit = 400);

} // namespace triaxis
