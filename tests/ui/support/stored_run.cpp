#include "tests/ui/support/stored_run.h"

#include <algorithm>

namespace triaxis::tests
{
namespace
{

RunPlan planned(RunPlan plan, int steps)
{
    plan.training.steps = steps;
    return plan;
}

} // namespace

StoredRun::StoredRun(const std::filesystem::path& home, const RunPlan& plan, int steps)
    : m_directory(RunDirectory::create(home, planned(plan, steps), sampleEnvironment())),
      m_plan(planned(plan, steps)), m_steps(steps), m_records(playRun(m_plan, steps, {}))
{
    for (int rank = 0; rank < plan.layout.ranks(); ++rank) {
        m_writers.emplace_back(m_directory.recordFile(Rank(rank)));
        HelloRecord hello;
        hello.rank = Rank(rank);
        hello.host = "workshop-3";
        hello.pid = 4000 + rank;
        hello.device = "CPU, 1 thread";
        hello.blas = "OpenBLAS 0.3.21 Haswell";
        hello.mpi = "Open MPI 4.1.4";
        m_writers.back().hello(hello);
        m_writers.back().clock({0, 0, 0, 8e-6});
    }
    m_written.assign(m_writers.size(), 0);
    for (const Span& span : m_records.all.spans)
        m_spans[{span.rank.value, span.step}].push_back(&span);
    for (const MemorySample& sample : m_records.all.memory)
        m_memory[{sample.rank.value, sample.step}].push_back(&sample);
}

void StoredRun::writeStepOf(Rank rank)
{
    RecordWriter& writer = m_writers[std::size_t(rank.value)];
    const int step = ++m_written[std::size_t(rank.value)];
    for (const Span* span : m_spans[{rank.value, step}]) {
        Span own = *span;
        own.begin = own.lane == Lane::Compute ? span->begin : span->ready;
        writer.span(own);
    }
    for (const MemorySample* sample : m_memory[{rank.value, step}])
        writer.memory(*sample);
    for (const StepResult& result : m_records.all.steps) {
        if (result.step == step)
            writer.step(result);
    }
    writer.endStep();
}

void StoredRun::writeStep()
{
    for (std::size_t rank = 0; rank < m_writers.size(); ++rank)
        writeStepOf(Rank(int(rank)));
}

void StoredRun::setState(RunState state, const std::string& reason)
{
    RunStatus status = m_directory.status();
    status.state = state;
    status.reason = reason;
    status.lastStep = *std::min_element(m_written.begin(), m_written.end());
    if (isFinal(state))
        status.endedUtc = "2026-02-14T15:31:40Z";
    m_directory.setStatus(status);
}

void StoredRun::finish()
{
    for (std::size_t rank = 0; rank < m_writers.size(); ++rank) {
        while (m_written[rank] < m_steps)
            writeStepOf(Rank(int(rank)));
        m_writers[rank].end(100);
        m_writers[rank].endStep();
    }
    setState(RunState::Finished);
}

void StoredRun::fail(Rank rank, const std::string& reason)
{
    FaultRecord fault;
    fault.time = 1.5;
    fault.rank = rank;
    fault.step = m_written[std::size_t(rank.value)] + 1;
    fault.reason = reason;
    m_writers[std::size_t(rank.value)].fault(fault);
    m_writers[std::size_t(rank.value)].endStep();
    RunStatus status = m_directory.status();
    status.state = RunState::Failed;
    status.reason = reason;
    status.failedRank = rank;
    status.endedUtc = "2026-02-14T15:31:40Z";
    m_directory.setStatus(status);
}

std::filesystem::path storeFinishedRun(const std::filesystem::path& home, const RunPlan& plan,
                                       int steps)
{
    StoredRun run(home, plan, steps);
    run.finish();
    return run.directory().path();
}

} // namespace triaxis::tests
