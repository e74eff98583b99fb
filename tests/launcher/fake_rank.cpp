// Stands in for triaxis-rank in the launcher's tests: it keeps a record and a status as a rank
// does, without MPI, and misbehaves as the label of the plan says: "ROLE RANK", for example "kill
// 2".

#include "engine/core/error.h"
#include "engine/record/rank_status.h"
#include "engine/record/records.h"
#include "engine/record/run_directory.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace
{

using namespace triaxis;

constexpr int misbehavingStep = 3;

struct Role
{
    std::string name;
    int rank = -1;
};

void rest(int milliseconds)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

[[noreturn]] void restForEver()
{
    for (;;)
        rest(1000);
}

Role roleOf(const RunPlan& plan)
{
    Role role;
    std::istringstream(plan.label) >> role.name >> role.rank;
    return role;
}

/// A process that nobody asked to go on: it ignores SIGTERM.
void leaveSomeoneBehind()
{
    if (::fork() != 0)
        return;
    ::setsid();
    std::signal(SIGTERM, SIG_IGN);
    restForEver();
}

void limitFiles()
{
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{2000, 2000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

void printALot()
{
    const std::string line(1000, 'x');
    for (int i = 0; i < 12000; ++i)
        std::fprintf(stderr, "%s\n", line.c_str());
}

class FakeRank
{
public:
    FakeRank(const RunDirectory& run, int rank)
        : m_plan(run.plan()), m_role(roleOf(m_plan)), m_rank(rank),
          m_records(run.recordFile(Rank(rank))), m_status(run.statusFile(Rank(rank)), ::getpid())
    {
        HelloRecord hello;
        hello.rank = Rank(rank);
        hello.pid = ::getpid();
        m_records.hello(hello);
    }

    int run()
    {
        if (isIt("deaf"))
            std::signal(SIGTERM, SIG_IGN);
        for (int step = 1; step <= int(m_plan.training.steps); ++step) {
            if (m_rank == m_role.rank && step == misbehavingStep)
                misbehave(step);
            doStep(step);
            // Ranks that step together come no further than the one that does not.
            if (step > misbehavingStep && (m_role.name == "hang" || m_role.name == "stop"))
                restForEver();
        }
        if (isIt("forget"))
            return 0;
        m_records.end(now());
        return 0;
    }

private:
    bool isIt(const char* role) const { return m_rank == m_role.rank && m_role.name == role; }
    double now() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    }

    void doStep(int step)
    {
        const double begin = now();
        const InstructionId id(Kind::Forward, Chunk(0), Microbatch(0));
        m_status.begin(step, id);
        rest(40);
        m_status.finished();
        Span span;
        span.step = step;
        span.rank = Rank(m_rank);
        span.id = id;
        span.ready = span.begin = begin;
        span.end = now();
        m_records.span(span);
        if (m_rank == 0)
            m_records.step({step, 1.0 / step, 1.0, begin, now() - begin, 100});
        m_records.endStep();
        m_status.begin(step, waitFor(InstructionId(Kind::LossReduce, Chunk(0), Microbatch(0))));
    }

    void misbehave(int step)
    {
        if (m_role.name == "exit")
            std::_Exit(3);
        if (m_role.name == "kill")
            ::raise(SIGKILL);
        if (m_role.name == "segfault") {
            std::signal(SIGSEGV, SIG_DFL);
            ::raise(SIGSEGV);
        }
        if (m_role.name == "stop")
            ::raise(SIGSTOP);
        if (m_role.name == "hang") {
            m_status.begin(step, InstructionId(Kind::Backward, Chunk(0), Microbatch(1)));
            restForEver();
        }
        if (m_role.name == "fault") {
            m_records.fault({now(), Rank(m_rank), step,
                             InstructionId(Kind::Forward, Chunk(0), Microbatch(0)),
                             "the loss is not finite in layer 2"});
            std::_Exit(3);
        }
        if (m_role.name == "full")
            limitFiles();
        if (m_role.name == "spam")
            printALot();
        if (m_role.name == "leave")
            leaveSomeoneBehind();
    }

    RunPlan m_plan;
    Role m_role;
    int m_rank;
    RecordWriter m_records;
    RankStatusWriter m_status;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace

int main(int argc, char** argv)
{
    const char* number = std::getenv("OMPI_COMM_WORLD_RANK");
    if (argc != 3 || !number)
        return 2;
    const int rank = std::atoi(number);
    try {
        const RunDirectory run = RunDirectory::open(argv[2]);
        if (run.plan().label == "refuse 0") {
            std::fprintf(stderr, "the weights do not fit the model\n");
            return 2;
        }
        return FakeRank(run, rank).run();
    } catch (const Error& error) {
        std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
        return 3;
    }
}
