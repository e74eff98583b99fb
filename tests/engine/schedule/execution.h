#pragma once

#include "engine/schedule/program.h"

#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace triaxis::tests::interpreter
{

struct Fault : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

inline void demand(bool holds, const char* what)
{
    if (!holds)
        throw Fault(what);
}

/// A tensor by name: what it is, of which virtual stage, replica and microbatch.
using Tensor = std::tuple<char, int, int, int>;

/// What stands in a lane: a send, a receive, or one stage's part of a collective.
struct Operation
{
    std::uint64_t id = 0;
    enum class Type { Put, Take, Join } type = Type::Join;
    Tensor tensor{};         ///< Put, Take
    int peer = -1;           ///< Put, Take
    std::uint64_t other = 0; ///< Put, Take: id at the peer
    std::string meeting;     ///< Join: all who join name it alike
    std::set<int> members;   ///< Join
    std::int64_t bytes = 0;
    bool finished = false;
    bool waited = false;
};

/// One stage under way.
struct Worker
{
    std::size_t next = 0;
    std::set<std::uint64_t> seen;
    std::set<Tensor> tensors; ///< computed here or received and waited for
    std::map<int, std::deque<Operation*>> lanes;
    std::map<std::uint64_t, Operation> operations;
    std::set<int> frozenChunks; ///< their gradients have been given to a sum
    bool lossGiven = false;
    bool normGiven = false;
    bool normKnown = false;
    bool updated = false;
    std::map<int, std::set<int>> buckets; ///< chunk → parts
    int lastFuse = 0;
    int fuseLength = 0;
    int fusePeer = -1;
    std::set<int> fusesSeen;
    int lastPair = 0;
    std::vector<InstructionId> pair; ///< steps seen of the overlap under way
    std::set<int> pairsSeen;
};

/// One execution of a program; see interpreter.h.
class Execution
{
public:
    Execution(const Program& program, std::uint64_t seed);
    void run();

private:
    const ChunkContent& held(int stage, int chunk) const;
    bool canIssue(int stage);

    // Meetings at the heads of lanes (execution.cpp).
    Operation* frontTowards(int stage, int peer, Operation::Type type);
    Operation* frontOf(int stage, const std::string& meeting);
    bool canMeet(int stage, const Operation& operation);
    void meet(int stage, Operation& operation);
    void release(int stage, Operation& operation);

    // What a stage does when it comes to an instruction (execution_issue.cpp).
    void issue(int stage, const Instruction& instruction);
    /// Transfers with one number are handed over in one go.
    void followFuse(Worker& worker, const Instruction& instruction);
    /// Overlapped steps are one forward and one full backward in a row that need nothing of each
    /// other.
    void followPair(Worker& worker, const Instruction& instruction);
    void endPair(Worker& worker);
    static bool plain(const Instruction& instruction);
    bool inRange(const Instruction& instruction) const;
    void compute(int stage, const Instruction& instruction);
    void enqueue(int stage, const Instruction& instruction, Operation operation);
    /// Lane of a neighbour on the ring; the nearer one in the line where both ways lead there.
    static Lane laneTowards(int stage, int peer, int stages, bool sending);
    void transfer(int stage, const Instruction& instruction);
    void wait(int stage, const Instruction& instruction);
    void freeze(int stage, int chunk);
    void demandSummed(int stage, Kind kind, int chunk);
    void join(int stage, const Instruction& instruction);
    void joinAll(Operation& operation, const char* meeting);
    void joinTied(int stage, Operation& operation);

    // Nothing may be left at the end (execution.cpp).
    void finish(int stage);
    void demandCoverage();

    const Program& m_program;
    std::vector<Worker> m_workers;
    std::mt19937_64 m_random;
    /// (virtual stage, replica) → (stage, chunk)
    std::map<std::pair<int, int>, std::pair<int, int>> m_home;
    int m_last = 0;
    std::map<int, std::set<int>> m_ran;            ///< microbatch → replicas
    std::set<std::tuple<int, int, int>> m_trained; ///< (virtual stage, replica, microbatch)
    std::map<int, std::set<int>> m_tied;           ///< stage → chunks whose tied sum was taken
    std::map<int, std::set<int>> m_shared;         ///< stage → chunks whose KV sum was taken
};

} // namespace triaxis::tests::interpreter
