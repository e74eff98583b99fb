#include <QTest>

#include "engine/core/error.h"
#include "engine/formats/hf_config.h"
#include "engine/formats/model_shape.h"
#include "engine/record/run_plan.h"
#include "engine/simulate/critical_path.h"
#include "engine/simulate/path_collectives.h"
#include "engine/simulate/exposed.h"
#include "engine/simulate/memory_over_time.h"
#include "engine/simulate/out_of_memory.h"
#include "engine/simulate/replay_recorded.h"
#include "engine/simulate/what_if.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

using namespace triaxis;

namespace
{

bool near(double a, double b, double tolerance = 1e-9)
{
    return std::abs(a - b) <= tolerance * std::max(1e-12, std::abs(a));
}

TrainingJob jobOf(const std::string& model, int devices, std::int64_t batch)
{
    TrainingJob job;
    job.model = findModelShape(model);
    job.cluster = clusterPreset("dgx-h100");
    job.software = softwareProfile("megatron-core-2024");
    job.devices = devices;
    job.sequence = 2048;
    job.globalBatch = batch;
    return job;
}

ParallelPlan planOf(int dp, int tp, int pp, const std::string& schedule = "1f1b",
                    int virtualStages = 1)
{
    ParallelPlan plan;
    plan.dp = dp;
    plan.tp = tp;
    plan.pp = pp;
    plan.schedule = schedule;
    plan.virtualStages = virtualStages;
    return plan;
}

std::vector<ParallelPlan> plans()
{
    std::vector<ParallelPlan> all = {planOf(4, 2, 4),
                                     planOf(32, 1, 1),
                                     planOf(2, 2, 8, "gpipe"),
                                     planOf(4, 2, 4, "interleaved", 4),
                                     planOf(4, 1, 8, "zb-h1"),
                                     planOf(4, 2, 4, "zb-v", 2),
                                     planOf(4, 2, 4, "v-half", 2)};
    all.front().zero = ZeroStage::Optimizer;
    all.front().recompute = Recompute::Full;
    return all;
}

std::int64_t totalOf(const MemorySample& sample)
{
    return std::accumulate(sample.live.begin(), sample.live.end(), std::int64_t(0));
}

/// Spans as two replicas record them: gradients are reduced one bucket after the other although all
/// are enqueued at once, before the norm each rank adds up squares, and one enters the step late and
/// learns late of the loss.
std::vector<Span> stepOfTwoReplicas(const RunPlan& plan)
{
    constexpr double reduction = 7;
    constexpr double squares = 0.5;
    std::vector<Span> spans;
    std::array<double, 2> now{0, 0.25}; // one enters the step late
    double laneFree = 0;
    std::map<InstructionId, std::array<double, 2>> ends;
    const Program program = programOf(plan);
    const auto add = [&](int rank, const Instruction& instruction, double ready, double begin,
                         double end) {
        Span span;
        span.step = 3;
        span.rank = Rank(rank);
        span.id = instruction.id;
        span.lane = instruction.lane;
        span.ready = ready;
        span.begin = begin;
        span.end = end;
        spans.push_back(span);
    };
    for (const Instruction& instruction : program.perStage[0].instructions) {
        const Kind kind = instruction.id.kind();
        if (isCompute(kind)) {
            for (int rank = 0; rank < 2; ++rank) {
                double& at = now[std::size_t(rank)];
                add(rank, instruction, at, at, at + 1 + 0.1 * rank);
                at += 1 + 0.1 * rank;
            }
        } else if (isCollective(kind)) {
            const bool together = kind == Kind::GradientReduce || kind == Kind::LossReduce;
            for (double& at : now)
                at += kind == Kind::NormReduce ? squares : 0;
            const double ready = std::max(now[0], now[1]);
            const double begin = std::max(ready, laneFree);
            laneFree = begin + reduction;
            ends[instruction.id] = {laneFree, laneFree + (kind == Kind::LossReduce ? 0.3 : 0)};
            for (int rank = 0; rank < 2; ++rank)
                add(rank, instruction, now[std::size_t(rank)],
                    together ? ready : now[std::size_t(rank)],
                    ends[instruction.id][std::size_t(rank)]);
        } else if (kind == Kind::Wait) {
            for (std::size_t rank = 0; rank < 2; ++rank)
                now[rank] = std::max(now[rank], ends.at(instruction.target)[rank]);
        }
    }
    return spans;
}

RunPlan planOfTwoStages()
{
    RunPlan plan;
    plan.model = modelPreset("gpt2-1m");
    plan.layout.pp = 2;
    plan.training.batch = {8, 1, 64};
    return plan;
}

Prediction stepOfTwoStages(const RunPlan& plan)
{
    StageCosts costs = evenCosts(2, 1, 1, 1.2, 0.8);
    costs.transfer = 0.05;
    StepTail tail;
    tail.embedding = 0.3;
    tail.optimizer = 0.2;
    return predict(simulatedPlan(plan.layout, programOf(plan), costs, tail, {}));
}

} // namespace

class JobPredictionTest : public QObject
{
    Q_OBJECT

private slots:
    void stepIsTheEstimatesStep()
    {
        const TrainingJob job = jobOf("llama3-8b", 32, 64);
        for (const ParallelPlan& plan : plans()) {
            const Prediction prediction = predict(simulatedPlan(job, plan));
            const StepEstimate estimate = estimateStep(job, plan);
            QVERIFY2(near(prediction.seconds, estimate.seconds),
                     (plan.schedule + ": " + std::to_string(prediction.seconds) + ", estimate " +
                      std::to_string(estimate.seconds))
                         .c_str());
        }
    }

    void refusesPlansThatBreakARule()
    {
        QVERIFY_THROWS_EXCEPTION(Error, simulatedPlan(jobOf("llama3-8b", 32, 64), planOf(4, 3, 4)));
    }

    void memoryPeaksWhereTheMemoryModelSays()
    {
        const TrainingJob job = jobOf("llama3-8b", 32, 64);
        for (const ParallelPlan& plan : plans()) {
            const SimulatedPlan simulated = simulatedPlan(job, plan);
            const Prediction prediction = predict(simulated);
            const std::vector<MemoryParts> parts = memoryByStage(job, plan);
            std::vector<std::int64_t> peak(parts.size(), 0);
            for (const MemorySample& sample : memoryOverTime(simulated, prediction, parts)) {
                const int stage = coordinatesOf(prediction.layout, sample.rank).pipeline;
                peak[std::size_t(stage)] = std::max(peak[std::size_t(stage)], totalOf(sample));
                QVERIFY(sample.peakTotal >= totalOf(sample));
            }
            for (std::size_t stage = 0; stage < parts.size(); ++stage)
                QVERIFY(near(double(peak[stage]), parts[stage].total(), 1e-8));
        }
    }

    void pathFillsTheStep()
    {
        const TrainingJob job = jobOf("llama3-8b", 32, 64);
        for (const ParallelPlan& plan : plans()) {
            const SimulatedPlan simulated = simulatedPlan(job, plan);
            const Prediction prediction = predict(simulated);
            const std::vector<Span> path = criticalPath(simulated, prediction);
            QVERIFY(!path.empty());
            for (std::size_t i = 1; i < path.size(); ++i)
                QVERIFY(path[i].end >= path[i - 1].end - 1e-9);
            QVERIFY(near(path.front().begin, simulated.tail.overhead, 1e-6) ||
                    path.front().begin == 0);
            const PathTimes times = pathTimes(path);
            const double collectives = collectivesOf(path);
            QVERIFY(times.compute + collectives + times.transfers + times.reductions +
                        times.update <=
                    prediction.seconds * (1 + 1e-9));
            QVERIFY(times.compute + collectives > 0.5 * prediction.pipeline);
            // What tensor ranks tell each other is no compute.
            QCOMPARE(collectives > 0, plan.tp > 1);
            double within = 0;
            for (const Span& span : path)
                within += span.tensorWait + span.tensorTransfer;
            QVERIFY(collectives == 0 ? within == 0 : near(collectives, within, 1e-9));
        }
    }

    void exposedTimesAreThoseOfTheAxesThatExist()
    {
        const TrainingJob job = jobOf("llama3-8b", 32, 64);
        const ParallelPlan plan = planOf(4, 2, 4);
        for (const ExposedTime& time :
             exposedByStage(job, plan, predict(simulatedPlan(job, plan)))) {
            // Where backward hides the whole reduction, none of it is exposed.
            QVERIFY(time.tensor > 0 && time.data >= 0);
            QVERIFY(time.context == 0 && time.expert < 1e-12);
        }
    }

    void moreBandwidthNeverHurts()
    {
        TrainingJob job = jobOf("llama3-8b", 32, 64);
        for (const ParallelPlan& plan : plans()) {
            const double before = predict(simulatedPlan(job, plan)).seconds;
            for (std::size_t level = 0; level < job.cluster.levels.size(); ++level) {
                TrainingJob faster = job;
                faster.cluster.levels[level].bandwidth *= 2;
                QVERIFY(predict(simulatedPlan(faster, plan)).seconds <= before * (1 + 1e-12));
            }
        }
    }

    void whatIfIsSortedAndTellsWhyNot()
    {
        const TrainingJob job = jobOf("llama3-8b", 32, 64);
        const std::vector<WhatIf> rows = whatIf(job, planOf(4, 2, 4));
        QVERIFY(rows.size() > 20);
        double last = 1e300;
        bool refused = false;
        for (const WhatIf& row : rows) {
            if (!row.refusal.empty()) {
                refused = true;
                QVERIFY(std::isnan(row.seconds));
                continue;
            }
            QVERIFY(!refused && row.effect != 0 && std::abs(row.effect) <= last);
            last = std::abs(row.effect);
            if (row.setting == "cluster.device.peak")
                QCOMPARE(row.effect < 0, row.change.front() == '+');
        }
        WhatIfOptions options;
        options.change = 1.5;
        QVERIFY_THROWS_EXCEPTION(Error, whatIf(job, planOf(4, 2, 4), options));
    }

    void explainsWhatDoesNotFit()
    {
        const TrainingJob job = jobOf("gpt3-175b", 64, 64);
        const ParallelPlan plan = planOf(2, 8, 4);
        const SimulatedPlan simulated = simulatedPlan(job, plan);
        const Prediction prediction = predict(simulated);
        const auto out = explainOutOfMemory(job, plan, &simulated, &prediction);
        QVERIFY(out.has_value());
        QVERIFY(out->needed > out->available);
        QVERIFY(near(out->needed, peakMemory(job, plan)));
        double sum = 0;
        double before = 1e300;
        for (const auto& [name, bytes] : out->largest) {
            QVERIFY(bytes <= before);
            before = bytes;
            sum += bytes;
        }
        QVERIFY(near(sum, out->needed));
        double last = 0;
        for (const MemoryMend& mend : out->mends) {
            QVERIFY(peakMemory(job, mend.plan()) <= out->available);
            QVERIFY(near(estimateStep(job, mend.plan()).seconds, mend.seconds));
            QVERIFY(mend.seconds >= last);
            last = mend.seconds;
        }
        QVERIFY(!explainOutOfMemory(jobOf("llama3-8b", 32, 64), planOf(1, 8, 4), nullptr, nullptr));
    }

    void aRecordedStepReplaysToItsLength()
    {
        const RunPlan plan = planOfTwoStages();
        const Prediction prediction = stepOfTwoStages(plan);
        const RecordedReplay replay = replayStep(plan, prediction.spans);
        QVERIFY(near(replay.replayed, prediction.seconds));
        QVERIFY(std::abs(replay.error()) < 1e-9);
        std::vector<Span> torn = prediction.spans;
        torn.pop_back();
        QVERIFY_THROWS_EXCEPTION(Error, replayStep(plan, torn));
    }

    void whatHoldsRanksUpBetweenInstructionsReplays()
    {
        const RunPlan plan = planOfTwoStages();
        const Prediction prediction = stepOfTwoStages(plan);
        const double held = prediction.seconds / 7;
        for (std::size_t i = 0; i < prediction.spans.size(); i += 5) {
            // All ranks stand still for a while from the moment when this instruction has ended.
            const double moment = prediction.spans[i].end;
            std::vector<Span> spans = prediction.spans;
            for (Span& span : spans)
                for (double* time : {&span.begin, &span.ready, &span.end})
                    if (*time > moment || (time != &span.end && *time == moment))
                        *time += held;
            const RecordedReplay replay = replayStep(plan, spans);
            QVERIFY2(std::abs(replay.error()) < 1e-9, toText(prediction.spans[i].id).c_str());
        }
    }

    void collectivesThatQueueUpAndWorkBeforeThemReplay()
    {
        RunPlan plan;
        plan.model = modelPreset("gpt2-1m");
        plan.layout.dp = 2;
        plan.training.batch = {8, 1, 64};
        const std::vector<Span> spans = stepOfTwoReplicas(plan);
        const RecordedReplay replay = replayStep(plan, spans);
        QVERIFY(near(replay.replayed, replay.measured));
        double collectives = 0;
        for (const Span& span : spans)
            collectives += isCollective(span.id.kind()) ? span.end - span.begin : 0;
        QVERIFY(collectives > replay.measured); // they wait for each other
    }
};

QTEST_APPLESS_MAIN(JobPredictionTest)
#include "job_prediction_test.moc"
