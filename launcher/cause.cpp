#include "launcher/cause.h"

#include "launcher/mpirun_messages.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <sys/wait.h>

namespace triaxis
{
namespace
{

constexpr int shellSignalBase = 128; ///< mpirun ends with this plus the signal that ended a rank

std::string name(Rank rank)
{
    return "rank " + std::to_string(rank.value);
}

/// mpirun ends the other ranks with SIGTERM, and with SIGKILL only if that did not help.
bool mayBeAnEffect(const std::optional<int>& waitStatus)
{
    return !waitStatus || (WIFSIGNALED(*waitStatus) && WTERMSIG(*waitStatus) == SIGTERM);
}

std::string faultText(const FaultRecord& fault)
{
    const std::string who = name(fault.rank);
    return fault.reason.find(who) != std::string::npos ? fault.reason : who + ": " + fault.reason;
}

std::string killedText(const std::string& who, int number)
{
    std::string text = who + " was killed by " + signalText(number);
    if (number == SIGKILL)
        text += "; if nobody ended it, the system ran out of memory";
    return text;
}

} // namespace

std::string signalText(int number)
{
    const char* abbreviation = ::sigabbrev_np(number);
    std::string text = "signal " + std::to_string(number);
    if (abbreviation)
        text += " (SIG" + std::string(abbreviation) + ")";
    return text;
}

void Evidence::fault(const FaultRecord& record, int look)
{
    if (m_faults.empty())
        m_faultLook = look;
    m_faults.push_back(record);
}

void Evidence::vanished(Rank rank, std::optional<int> waitStatus, int look)
{
    m_vanished.push_back({rank, waitStatus, look});
}

void Evidence::mpirunEnded(int waitStatus, int look)
{
    m_mpirun = waitStatus;
    m_mpirunLook = look;
}

bool Evidence::empty() const
{
    return m_faults.empty() && m_vanished.empty() && !m_mpirun;
}

bool Evidence::isClean() const
{
    return m_faults.empty() && m_vanished.empty() && m_mpirun == 0;
}

const FaultRecord* Evidence::firstFault() const
{
    const auto first = std::min_element(
        m_faults.begin(), m_faults.end(),
        [](const FaultRecord& a, const FaultRecord& b) { return a.time < b.time; });
    return first == m_faults.end() ? nullptr : &*first;
}

const Evidence::Vanished* Evidence::firstVanished(const std::string& output) const
{
    if (m_vanished.empty())
        return nullptr;
    std::optional<Rank> blamed;
    if (const auto notice = signalNotice(output))
        blamed = notice->rank;
    else if (const auto exit = exitNotice(output))
        blamed = exit->rank;
    // Of a rank on another host only mpirun knows; those here were then ended by mpirun.
    if (blamed && std::all_of(m_vanished.begin(), m_vanished.end(), [&](const Vanished& vanished) {
            return vanished.rank != *blamed && mayBeAnEffect(vanished.waitStatus);
        }))
        return nullptr;
    const int look = m_vanished.front().look;
    const Vanished* best = &m_vanished.front();
    for (const Vanished& vanished : m_vanished) {
        const bool named = blamed == vanished.rank && !vanished.waitStatus;
        if (vanished.look == look && (named || !mayBeAnEffect(vanished.waitStatus)))
            return &vanished;
    }
    if (!mayBeAnEffect(best->waitStatus))
        return best;
    // All may have been ended by mpirun: then it was the one that had something to say.
    for (const Vanished& vanished : m_vanished)
        if (!lastWordsOf(vanished.rank, output).empty())
            return &vanished;
    return best;
}

bool Evidence::mpirunWasFirst() const
{
    if (!m_mpirun || !WIFSIGNALED(*m_mpirun))
        return false;
    const bool rankBefore = !m_vanished.empty() && m_vanished.front().look < m_mpirunLook;
    const bool faultBefore = !m_faults.empty() && m_faultLook < m_mpirunLook;
    return !rankBefore && !faultBefore;
}

Cause Evidence::ofVanished(const Vanished& vanished, const std::string& output) const
{
    const std::string who = name(vanished.rank);
    std::optional<int> status = vanished.waitStatus;
    const auto notice = signalNotice(output);
    if (!status && notice && notice->rank == vanished.rank)
        status = notice->signal; // a wait status of a signal is its number
    if (!status && m_mpirun && WIFEXITED(*m_mpirun)) {
        const int code = WEXITSTATUS(*m_mpirun);
        status = code > shellSignalBase ? code - shellSignalBase : W_EXITCODE(code, 0);
    }
    const bool killed = status && WIFSIGNALED(*status);
    // Who has said why and is then ended by mpirun was not killed for another reason.
    const std::string words = lastWordsOf(vanished.rank, output);
    if (!words.empty() && (!killed || mayBeAnEffect(status)))
        return {who + ": " + words, vanished.rank};
    if (killed)
        return {killedText(who, WTERMSIG(*status)), vanished.rank};
    if (status && WEXITSTATUS(*status) != 0)
        return {who + " ended with exit code " + std::to_string(WEXITSTATUS(*status)),
                vanished.rank};
    return {who + (status ? " ended" : " vanished") + " before the run was done", vanished.rank};
}

Cause Evidence::ofMpirun(const std::string& output) const
{
    if (m_mpirun && WIFSIGNALED(*m_mpirun))
        return {killedText("mpirun", WTERMSIG(*m_mpirun)), std::nullopt};
    // mpirun names the rank before it ends itself, on a busy machine seconds before.
    if (const auto notice = signalNotice(output))
        return {killedText(name(notice->rank), notice->signal), notice->rank};
    const std::string words = lastWords(output);
    const std::string quoted = words.empty() ? std::string() : ": " + words;
    if (const auto notice = exitNotice(output))
        return {name(notice->rank) + " ended with exit code " + std::to_string(notice->code) +
                    quoted,
                notice->rank};
    if (!m_mpirun)
        return {"the ranks ended before the run was done", std::nullopt};
    return {"mpirun ended with exit code " + std::to_string(WEXITSTATUS(*m_mpirun)) + quoted,
            std::nullopt};
}

Cause Evidence::conclude(const std::string& output) const
{
    if (mpirunWasFirst())
        return ofMpirun(output);
    const FaultRecord* fault = firstFault();
    const Vanished* vanished = firstVanished(output);
    if (fault && vanished) {
        // A rank's own word explains more than its end, unless another rank's end came before it
        // and brought it about.
        const bool before = vanished->look < m_faultLook;
        const bool violent = vanished->look == m_faultLook &&
                             !mayBeAnEffect(vanished->waitStatus) &&
                             WIFSIGNALED(*vanished->waitStatus);
        if (vanished->rank != fault->rank && (before || violent))
            return ofVanished(*vanished, output);
    }
    if (fault)
        return {faultText(*fault), fault->rank};
    if (vanished)
        return ofVanished(*vanished, output);
    return ofMpirun(output);
}

} // namespace triaxis
