#include "ui/run/run_tail.h"

#include "engine/core/error.h"
#include "engine/core/parallel.h"
#include "engine/record/process_info.h"
#include "engine/record/run_bubble.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

namespace triaxis::ui
{
namespace
{

constexpr auto statusPeriod = std::chrono::milliseconds(150);
constexpr std::size_t filesAtOnce = 4;
constexpr std::size_t stepsAtOnce = 64;
constexpr std::size_t mostErrorLines = 40;
constexpr std::streamoff mostErrorBytes = 16 * 1024;

double closedFormOf(const PlanClosedForm& closed)
{
    const double bubble = closedBubble(closed.form);
    return std::isfinite(bubble) ? bubble : -1;
}

/// Gives up the spans of every other step, the older half first, until few enough are left.
void thinSpans(std::vector<StepDetail>& details)
{
    std::size_t spans = 0;
    for (const StepDetail& detail : details)
        spans += detail.spans ? detail.spans->size() : 0;
    for (std::size_t stride = 2; spans > detailSpansKept && stride <= 2 * details.size();
         stride *= 2) {
        for (std::size_t i = 0; i + 1 < details.size() && spans > detailSpansKept; ++i) {
            if (i % stride == 0 || !details[i].spans)
                continue;
            spans -= details[i].spans->size();
            details[i].spans.reset();
        }
    }
}

bool differs(const RunStatus& a, const RunStatus& b)
{
    return a.state != b.state || a.reason != b.reason || a.endedUtc != b.endedUtc ||
           a.launcherPid != b.launcherPid;
}

std::int32_t latestStep(const RecordBatch& batch)
{
    std::int32_t latest = 0;
    for (const Span& span : batch.spans)
        latest = std::max(latest, span.step);
    for (const StepResult& result : batch.steps)
        latest = std::max(latest, result.step);
    for (const MemorySample& sample : batch.memory)
        latest = std::max(latest, sample.step);
    return latest;
}

std::shared_ptr<const SpanPartners> partnersOf(const RunPlan& plan)
{
    try {
        return std::make_shared<const SpanPartners>(programOf(plan), plan.layout);
    } catch (const Error&) {
        return nullptr; // its spans can be looked at without
    }
}

template <class Item>
void moveInto(std::vector<Item>& to, std::vector<Item>& from)
{
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

} // namespace

bool RunUpdate::empty() const
{
    return !status && !environment && !lanes && spans.empty() && shares.empty() && steps.empty() &&
           memory.empty() && logs.empty() && faults.empty() && hellos.empty() &&
           errorLines.empty() && droppedSpans == 0 && tornBytes == 0 && !over;
}

RunTail::RunTail(const std::filesystem::path& directory, int starter)
    : m_directory(RunDirectory::open(directory)), m_starter(starter)
{
    m_opening.directory = m_directory.path();
    m_opening.plan = m_directory.plan();
    m_opening.environment = m_directory.environment();
    m_opening.form = planClosedForm(m_opening.plan);
    m_opening.closedForm = closedFormOf(m_opening.form);
    m_opening.partners = partnersOf(m_opening.plan);
    const int ranks = m_opening.plan.layout.ranks();
    for (int rank = 0; rank < ranks; ++rank)
        m_readers.emplace_back(m_directory.recordFile(Rank(rank)));
    m_progress.resize(std::size_t(ranks));
}

RunUpdate RunTail::poll()
{
    RunUpdate update;
    if (m_over)
        return update;
    // The state is read before the records: once it is final, nothing more can come into them.
    pollStatus(update);
    const bool final = isFinal(m_status.state);
    pollRanks(final, update);
    releaseSteps(final, update);
    std::sort(update.steps.begin(), update.steps.end(),
              [](const StepResult& a, const StepResult& b) { return a.step < b.step; });
    std::stable_sort(update.logs.begin(), update.logs.end(),
                     [](const LogRecord& a, const LogRecord& b) { return a.time < b.time; });
    update.clockError = m_clockError;
    if (final) {
        if (m_status.state == RunState::Failed)
            readStandardError(update);
        update.over = true;
        m_over = true;
    }
    return update;
}

RunStatus RunTail::readStatus()
{
    // In this order: the starter writes its state before it ends.
    const bool gone = m_starter > 0 && !isAlive(m_starter, 0);
    RunStatus status = m_directory.status();
    if (status.state != RunState::Draft || !gone)
        return status;
    status.state = RunState::Failed;
    status.reason = "triaxis run ended before the run began";
    std::ifstream log(m_directory.path() / "launcher.log");
    std::string line;
    if (std::getline(log, line) && !line.empty())
        status.reason += ": " + line;
    m_directory.setStatus(status);
    return status;
}

void RunTail::pollStatus(RunUpdate& update)
{
    const auto now = std::chrono::steady_clock::now();
    if (m_statusRead && now - *m_statusRead < statusPeriod)
        return;
    const bool first = !m_statusRead;
    m_statusRead = now;
    try {
        const RunStatus status = readStatus();
        if (first || differs(status, m_status)) {
            update.status = status;
            update.environment = m_directory.environment();
        }
        m_status = status;
    } catch (const Error& error) {
        // A directory that vanishes under the window ends the run for it.
        m_status.state = RunState::Failed;
        m_status.reason = error.what();
        update.status = m_status;
    }
}

/// A few files at once: what lies on the disk is waited for and taken apart side by side, and
/// little of it is held twice.
void RunTail::pollRanks(bool final, RunUpdate& update)
{
    std::array<RecordBatch, filesAtOnce> batches;
    for (std::size_t first = 0; first < m_readers.size(); first += filesAtOnce) {
        const std::size_t count = std::min(filesAtOnce, m_readers.size() - first);
        const auto poll = [&](std::size_t i) { batches[i] = m_readers[first + i].poll(final); };
        if (m_caughtUp)
            for (std::size_t i = 0; i < count; ++i)
                poll(i);
        else
            inParallel(count, poll);
        for (std::size_t i = 0; i < count; ++i)
            take(first + i, std::move(batches[i]), update);
    }
    m_caughtUp = true; // later looks find little
}

void RunTail::take(std::size_t rank, RecordBatch batch, RunUpdate& update)
{
    Progress& progress = m_progress[rank];
    progress.quiet = batch.empty();
    if (progress.quiet && batch.tornBytes == 0)
        return;
    progress.step = std::max(progress.step, latestStep(batch));
    progress.ended = progress.ended || !batch.ended.empty() || !batch.faults.empty();
    std::vector<Span>* pending = nullptr;
    for (const Span& span : batch.spans) {
        if (pending == nullptr || pending->front().step != span.step)
            pending = &m_pending[span.step];
        pending->push_back(span);
    }
    for (const ClockRecord& clock : batch.clocks)
        m_clockError = std::max(m_clockError, clock.error);
    // Every rank may report the step; one voice is enough.
    for (const StepResult& result : batch.steps) {
        if (result.step <= m_lastResult)
            continue;
        m_lastResult = result.step;
        update.steps.push_back(result);
    }
    moveInto(update.memory, batch.memory);
    moveInto(update.logs, batch.logs);
    moveInto(update.faults, batch.faults);
    moveInto(update.hellos, batch.hellos);
    update.droppedSpans += batch.droppedSpans;
    update.tornBytes += batch.tornBytes;
}

bool RunTail::isComplete(std::int32_t step) const
{
    // A rank writes a step at once: when a later look finds nothing, all of it has been read.
    return std::all_of(m_progress.begin(), m_progress.end(), [step](const Progress& progress) {
        return progress.ended || progress.step > step || (progress.step == step && progress.quiet);
    });
}

/// Pairs a step and works out what is kept of it, its spans included.
StepDetail RunTail::release(std::vector<Span> step) const
{
    const std::int32_t number = step.front().step;
    m_pairing->pair(step);
    StepDetail detail{stepShares(step, m_opening.plan.layout),
                      stepTraffic(step, m_opening.plan.layout), nullptr};
    detail.shares.step = detail.traffic.step = number;
    detail.spans = std::make_shared<const std::vector<Span>>(std::move(step));
    return detail;
}

void RunTail::releaseSteps(bool all, RunUpdate& update)
{
    std::vector<std::vector<Span>> steps;
    std::vector<Span> spans;
    while (!m_pending.empty() && (all || isComplete(m_pending.begin()->first))) {
        steps.push_back(std::move(m_pending.begin()->second));
        m_pending.erase(m_pending.begin());
        if (steps.size() == stepsAtOnce)
            releaseSome(steps, update, spans);
    }
    releaseSome(steps, update, spans);
    if (spans.empty())
        return;
    if (m_lanesSent) {
        update.spans = std::move(spans);
        return;
    }
    update.lanes = std::make_shared<Lanes>(m_opening.plan.layout);
    update.lanes->append(spans);
    m_lanesSent = true;
}

void RunTail::releaseSome(std::vector<std::vector<Span>>& steps, RunUpdate& update,
                          std::vector<Span>& spans)
{
    if (steps.empty())
        return;
    if (!m_pairing)
        m_pairing.emplace(m_opening.plan);
    const std::size_t before = update.details.size();
    update.details.resize(before + steps.size());
    const auto work = [&](std::size_t i) {
        update.details[before + i] = release(std::move(steps[i]));
    };
    if (steps.size() > 1)
        inParallel(steps.size(), work);
    else
        work(0);
    for (std::size_t i = before; i < update.details.size(); ++i) {
        StepDetail& detail = update.details[i];
        spans.insert(spans.end(), detail.spans->begin(), detail.spans->end());
        update.shares.push_back(detail.shares);
        if (detail.spans->size() > detailSpansKept)
            detail.spans.reset();
    }
    thinSpans(update.details);
    steps.clear();
}

void RunTail::readStandardError(RunUpdate& update) const
{
    std::ifstream in(m_directory.standardError(), std::ios::binary);
    if (!in)
        return;
    in.seekg(0, std::ios::end);
    const std::streamoff size = in.tellg();
    in.seekg(std::max<std::streamoff>(0, size - mostErrorBytes));
    std::string line;
    while (std::getline(in, line)) {
        if (!line.empty())
            update.errorLines.push_back(line);
    }
    if (update.errorLines.size() > mostErrorLines)
        update.errorLines.erase(update.errorLines.begin(),
                                update.errorLines.end() - std::ptrdiff_t(mostErrorLines));
}

} // namespace triaxis::ui
