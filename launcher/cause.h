#pragma once

#include "engine/record/records.h"

#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// Why a run failed, and by which rank if it was one.
struct Cause
{
    std::string reason;
    std::optional<Rank> rank;
};

/// "signal 9 (SIGKILL)".
std::string signalText(int number);

/// What was seen going wrong, in the order in which it was seen. When one rank breaks off, its
/// partners and mpirun follow within milliseconds, so that the first cause has to be told from its
/// effects.
class Evidence
{
public:
    /// A rank's own word why it gives up. `look` counts the looks at the run, so that what was seen
    /// together is known.
    void fault(const FaultRecord& record, int look);
    /// A rank's process has ended without an end record; its wait status if it is known.
    void vanished(Rank rank, std::optional<int> waitStatus, int look);
    void mpirunEnded(int waitStatus, int look);

    bool empty() const;
    /// Only that mpirun ended well.
    bool isClean() const;
    /// The conclusion; `output`: the last of what mpirun and the ranks printed.
    Cause conclude(const std::string& output) const;

private:
    struct Vanished
    {
        Rank rank;
        std::optional<int> waitStatus;
        int look = 0;
    };

    const FaultRecord* firstFault() const;
    /// The rank that ended first, effects of another's end left out.
    const Vanished* firstVanished(const std::string& output) const;
    bool mpirunWasFirst() const;
    Cause ofVanished(const Vanished& vanished, const std::string& output) const;
    Cause ofMpirun(const std::string& output) const;

    std::vector<FaultRecord> m_faults;
    int m_faultLook = 0;
    std::vector<Vanished> m_vanished;
    std::optional<int> m_mpirun;
    int m_mpirunLook = 0;
};

} // namespace triaxis
