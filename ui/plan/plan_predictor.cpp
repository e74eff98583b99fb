#include "ui/plan/plan_predictor.h"

#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "ui/plan/finished_runs.h"
#include "ui/plan/plan_document.h"

namespace triaxis::ui
{
namespace
{

std::shared_ptr<const MachineFacts> machineFacts(const std::filesystem::path& home)
{
    auto facts = std::make_shared<MachineFacts>();
    facts->memoryBytes = hostMemoryBytes();
    try {
        facts->calibration = loadCalibration(home);
        if (facts->calibration && !whyForeign(*facts->calibration).empty())
            facts->calibration.reset();
    } catch (const Error&) {
        facts->calibration.reset(); // as good as none: the panel offers to measure
    }
    return facts;
}

bool isOutOfMemory(const DrawnPrediction& prediction, const DrawnPlan& plan)
{
    return prediction.known && !plan.cluster.thisMachine && hasErrors(prediction.findings);
}

std::shared_ptr<const OutOfMemory> explain(const DrawnPlan& plan)
{
    try {
        if (auto explained =
                explainOutOfMemory(trainingJob(plan), parallelPlan(plan), nullptr, nullptr))
            return std::make_shared<const OutOfMemory>(std::move(*explained));
    } catch (const Error&) {
        return nullptr; // the findings say what is wrong
    }
    return nullptr;
}

} // namespace

PlanPredictor::PlanPredictor(PlanDocument& document, std::filesystem::path home, QObject* parent)
    : QObject(parent), m_document(document), m_home(std::move(home)),
      m_machine(machineFacts(m_home)), m_runs(std::make_shared<FinishedRunErrors>()),
      m_newest(std::make_shared<std::atomic<std::uint64_t>>(0)),
      m_computed(std::make_shared<std::atomic<int>>(0))
{
    m_worker.moveToThread(&m_thread);
    m_thread.start();
    connect(&m_document, &PlanDocument::changed, this, &PlanPredictor::request);
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &PlanPredictor::remember);
    request();
    lookAtRuns();
}

PlanPredictor::~PlanPredictor()
{
    ++*m_newest; // what waits is overtaken
    m_thread.quit();
    m_thread.wait();
}

void PlanPredictor::reloadMachine()
{
    m_machine = machineFacts(m_home);
    request();
    lookAtRuns();
}

void PlanPredictor::lookAtRuns()
{
    if (!m_machine->calibration)
        return;
    m_lookAgain = m_looking;
    if (m_looking)
        return;
    m_looking = true;
    m_background.post(
        this, [this, runs = m_runs, home = m_home, machine = m_machine]() -> Background::Delivery {
            const FinishedRunErrors::Found found = runs->look(home, *machine->calibration);
            return [this, found] {
                m_looking = false;
                takeRuns(found.finished, found.paced);
                if (m_lookAgain)
                    lookAtRuns();
            };
        });
}

void PlanPredictor::takeRuns(const FinishedRuns& finished, const FinishedRuns& paced)
{
    const auto same = [](const FinishedRuns& a, const FinishedRuns& b) {
        return a.runs == b.runs && (a.runs == 0 || a.error == b.error);
    };
    if (same(finished, m_machine->finished) && same(paced, m_machine->paced))
        return;
    auto facts = std::make_shared<MachineFacts>(*m_machine);
    facts->finished = finished;
    facts->paced = paced;
    m_machine = std::move(facts);
    request();
}

void PlanPredictor::setMachineMemory(std::int64_t bytes)
{
    if (bytes == m_machine->memoryBytes)
        return;
    auto facts = std::make_shared<MachineFacts>(*m_machine);
    facts->memoryBytes = bytes;
    m_machine = std::move(facts);
    request();
}

void PlanPredictor::setTimelineWanted(bool wanted)
{
    if (m_timelineWanted == wanted)
        return;
    m_timelineWanted = wanted;
    if (wanted)
        request();
}

/// The stack tells of an edit before its prediction can be there; a drag's further moves leave its
/// index as it is.
void PlanPredictor::remember(int index)
{
    if (index != m_index)
        m_before = m_now;
    m_index = index;
}

void PlanPredictor::request()
{
    const std::uint64_t number = ++*m_newest;
    const auto job = [this, number, plan = m_document.drawn(), machine = m_machine,
                      newest = m_newest, computed = m_computed, wanted = m_timelineWanted] {
        if (newest->load() != number)
            return;
        ++*computed;
        auto prediction = std::make_shared<const DrawnPrediction>(predictDrawn(plan, *machine));
        QMetaObject::invokeMethod(
            this, [this, number, prediction] { take(number, prediction); }, Qt::QueuedConnection);
        if (newest->load() == number && isOutOfMemory(*prediction, plan)) {
            const auto explained = explain(plan);
            QMetaObject::invokeMethod(
                this,
                [this, number, explained] {
                    if (m_newest->load() != number)
                        return;
                    m_outOfMemory = explained;
                    emit mendsReady();
                },
                Qt::QueuedConnection);
        }
        if (!wanted || newest->load() != number)
            return;
        auto timeline = std::make_shared<const DrawnTimeline>(drawnTimeline(plan, *machine));
        QMetaObject::invokeMethod(
            this,
            [this, number, timeline] {
                if (m_newest->load() != number)
                    return;
                m_timeline = timeline;
                emit timelineReady();
            },
            Qt::QueuedConnection);
    };
    QMetaObject::invokeMethod(&m_worker, job, Qt::QueuedConnection);
}

void PlanPredictor::take(std::uint64_t number, std::shared_ptr<const DrawnPrediction> prediction)
{
    m_now = std::move(prediction);
    m_outOfMemory.reset();
    m_shown = number;
    emit predicted();
}

} // namespace triaxis::ui
