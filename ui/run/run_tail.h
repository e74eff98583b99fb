#pragma once

#include "engine/record/records.h"
#include "engine/record/run_bubble.h"
#include "engine/record/run_directory.h"
#include "engine/record/span_pairing.h"
#include "engine/timeline/communication_matrix.h"
#include "engine/timeline/lanes.h"
#include "engine/timeline/metrics.h"
#include "engine/timeline/span_partners.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace triaxis::ui
{

/// What a run directory says before any record.
struct RunOpening
{
    std::filesystem::path directory;
    RunPlan plan;
    RunEnvironment environment;
    double closedForm = -1; ///< bubble without transfer times; −1 where the schedule has none
    PlanClosedForm form;    ///< the same by stage, and what it assumes
    std::shared_ptr<const SpanPartners> partners; ///< null where the plan has no program
};

/// What is kept of one step with spans.
struct StepDetail
{
    StepShares shares;
    StepTraffic traffic;
    std::shared_ptr<const std::vector<Span>> spans; ///< paired; null where too many came at once
};
/// Most spans that details hold, all steps together (80 bytes each).
inline constexpr std::size_t detailSpansKept = 250'000;

/// Everything new since the update before. Immutable once it has left the worker.
struct RunUpdate
{
    std::optional<RunStatus> status;           ///< where it has changed
    std::optional<RunEnvironment> environment; ///< where the ranks have filled it in
    std::shared_ptr<Lanes> lanes;              ///< the first spans, built already
    std::vector<Span> spans;                   ///< later ones: whole steps, paired, to be appended
    std::vector<StepShares> shares;
    std::vector<StepDetail> details; ///< of the same steps
    std::vector<StepResult> steps;
    std::vector<MemorySample> memory;
    std::vector<LogRecord> logs;
    std::vector<FaultRecord> faults;
    std::vector<HelloRecord> hellos;
    std::vector<std::string>
        errorLines;                ///< end of the ranks' standard error, once, of a failed run
    double clockError = 0;         ///< worst so far, seconds
    std::int64_t droppedSpans = 0; ///< since the update before
    std::int64_t tornBytes = 0;    ///< since the update before
    bool over = false;             ///< the run is over and everything has been read

    bool empty() const;
};

/// Follows the files of one run directory, finished or going on. No thread of its own and no Qt:
/// one object belongs to the thread that polls it.
class RunTail
{
public:
    /// Throws Error if it is no run directory. `starter`: the process that is to run the draft,
    /// where it is known; a draft that it leaves behind has failed.
    explicit RunTail(const std::filesystem::path& directory, int starter = 0);

    const RunOpening& opening() const { return m_opening; }
    RunUpdate poll();
    bool isOver() const { return m_over; }

private:
    struct Progress
    {
        std::int32_t step = 0; ///< latest that the rank has written anything of
        bool quiet = true;     ///< the last look found nothing new
        bool ended = false;
    };
    void pollStatus(RunUpdate& update);
    RunStatus readStatus();
    void pollRanks(bool final, RunUpdate& update);
    void take(std::size_t rank, RecordBatch batch, RunUpdate& update);
    bool isComplete(std::int32_t step) const;
    void releaseSteps(bool all, RunUpdate& update);
    void releaseSome(std::vector<std::vector<Span>>& steps, RunUpdate& update,
                     std::vector<Span>& spans);
    StepDetail release(std::vector<Span> step) const;
    void readStandardError(RunUpdate& update) const;

    RunDirectory m_directory;
    int m_starter;
    RunOpening m_opening;
    std::vector<RecordReader> m_readers;
    std::vector<Progress> m_progress;
    std::map<std::int32_t, std::vector<Span>> m_pending;
    std::int32_t m_lastResult = 0;
    RunStatus m_status;
    std::optional<SpanPairing> m_pairing; ///< made for the first step with spans
    std::optional<std::chrono::steady_clock::time_point> m_statusRead;
    double m_clockError = 0;
    bool m_caughtUp = false;
    bool m_lanesSent = false;
    bool m_over = false;
};

} // namespace triaxis::ui
