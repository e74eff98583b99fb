#pragma once

#include "engine/record/run_directory.h"
#include "tests/engine/timeline/played_run.h"

#include <filesystem>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace triaxis::tests
{

/// Writes a played run into a run directory as its ranks would, step by step.
class StoredRun
{
public:
    StoredRun(const std::filesystem::path& home, const RunPlan& plan, int steps);

    /// Records of the next step on every rank, or on one of them only.
    void writeStep();
    void writeStepOf(Rank rank);
    /// Everything that is left, then the end of every rank and the final state.
    void finish();
    /// A fault of `rank`, and the state Failed with it.
    void fail(Rank rank, const std::string& reason);
    void setState(RunState state, const std::string& reason = {});

    const RunDirectory& directory() const { return m_directory; }
    const RunRecords& records() const { return m_records; }
    int steps() const { return m_steps; }

private:
    RunDirectory m_directory;
    RunPlan m_plan;
    int m_steps;
    RunRecords m_records;
    std::vector<RecordWriter> m_writers;
    std::vector<int> m_written;                                               ///< steps by rank
    std::map<std::pair<int, std::int32_t>, std::vector<const Span*>> m_spans; ///< by rank and step
    std::map<std::pair<int, std::int32_t>, std::vector<const MemorySample*>> m_memory;
};

/// A run under `home` that has finished.
std::filesystem::path storeFinishedRun(const std::filesystem::path& home, const RunPlan& plan,
                                       int steps);

} // namespace triaxis::tests
