#include <QTest>

#include "random_programs.h"

#include "engine/core/error.h"
#include "engine/formats/hf_config.h"
#include "engine/schedule/passes.h"
#include "engine/simulate/prediction.h"
#include "engine/timeline/metrics.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

bool near(double a, double b, double tolerance = 1e-12)
{
    return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(a));
}

struct Case
{
    std::string schedule = "1f1b";
    int dp = 2, tp = 2, pp = 4, virtualStages = 1, microbatches = 8;
};

Program programFor(const Case& c, Layout& layout)
{
    ProgramInputs inputs;
    inputs.model = modelPreset("gpt2");
    inputs.model.layers = 24;
    inputs.layout.dp = c.dp;
    inputs.layout.tp = c.tp;
    inputs.layout.pp = c.pp;
    inputs.layout.virtualStages = c.virtualStages;
    inputs.batch = {c.dp * c.microbatches, 1, 64};
    inputs.bucketBytes = 64 << 20;
    layout = inputs.layout;
    return completeProgram(generate(c.schedule, c.pp, c.microbatches, c.virtualStages), inputs);
}

SimulatedPlan planFor(const Case& c, const StageCosts& costs, const StepTail& tail = {},
                      int lockstep = 1)
{
    Layout layout;
    Program program = programFor(c, layout);
    return simulatedPlan(layout, std::move(program), costs, tail, {}, lockstep);
}

StepTail someTail()
{
    StepTail tail;
    tail.gradients = 0.7;
    tail.gathers = 0.05;
    tail.optimizer = 0.3;
    tail.overhead = 0.2;
    tail.embedding = 0.1;
    return tail;
}

std::vector<Case> cases()
{
    return {{"1f1b", 2, 2, 4, 1, 8},    {"gpipe", 4, 1, 3, 1, 5},  {"interleaved", 2, 1, 4, 3, 8},
            {"zb-h1", 2, 2, 4, 1, 9},   {"zb-v", 3, 1, 4, 2, 8},   {"dualpipe", 2, 1, 4, 1, 8},
            {"chimera", 2, 2, 4, 1, 8}, {"v-half", 2, 1, 4, 2, 8}, {"1f1b", 1, 1, 1, 1, 4},
            {"1f1b", 1, 1, 6, 1, 2}};
}

} // namespace

class PredictionTest : public QObject
{
    Q_OBJECT

private slots:
    void freeTransfersGiveWhatThePlayerGives()
    {
        Random random(3);
        for (const Case& c : cases()) {
            const ComputeProgram compute =
                generate(c.schedule, c.pp, c.microbatches, c.virtualStages);
            for (int draw = 0; draw < 10; ++draw) {
                const StageCosts costs = randomCosts(random, compute);
                const SimulatedPlan plan = planFor(c, costs);
                const Prediction prediction = predict(plan);
                const Played played = play(compute, costs);
                QVERIFY2(near(prediction.pipeline, played.makespan),
                         (c.schedule + ": " + std::to_string(prediction.pipeline) + ", played " +
                          std::to_string(played.makespan))
                             .c_str());
                for (const Span& span : prediction.spans) {
                    if (span.lane != Lane::Compute || span.id.kind() == Kind::OptimizerStep)
                        continue;
                    const int stage = coordinatesOf(plan.layout, span.rank).pipeline;
                    const auto& steps = played.stages[std::size_t(stage)];
                    const auto step =
                        std::find_if(steps.begin(), steps.end(), [&](const PlayedStep& s) {
                            return InstructionId(s.step.kind, s.step.chunk, s.step.microbatch) ==
                                   span.id;
                        });
                    QVERIFY(step != steps.end());
                    QVERIFY(near(span.begin, step->begin) && near(span.end, step->end));
                }
            }
        }
    }

    void stepIsThePipelineAndItsTail()
    {
        Random random(4);
        for (const Case& c : cases()) {
            const StageCosts costs =
                randomCosts(random, generate(c.schedule, c.pp, c.microbatches, c.virtualStages));
            StepTail tail = someTail();
            // Where no such sum is in the program nothing of it can be exposed.
            if (c.dp == 1 && c.schedule != "dualpipe" && c.schedule != "chimera")
                tail.gradients = 0;
            if (c.pp == 1 || c.schedule == "zb-v" || c.schedule == "v-half" ||
                c.schedule == "dualpipe" || c.schedule == "chimera")
                tail.embedding = 0;
            const Prediction prediction = predict(planFor(c, costs, tail));
            QVERIFY2(near(prediction.seconds, prediction.pipeline + tail.total(), 1e-9),
                     (c.schedule + ": " + std::to_string(prediction.seconds)).c_str());
        }
    }

    void symmetricAndFullAgreeToTheBit()
    {
        Random random(5);
        for (const Case& c : cases())
            for (const TransferRule rule : {TransferRule::Free, TransferRule::Rendezvous}) {
                const StageCosts costs = randomCosts(
                    random, generate(c.schedule, c.pp, c.microbatches, c.virtualStages));
                const SimulatedPlan plan = planFor(c, costs, someTail());
                PredictionOptions options;
                options.transfers = rule;
                const Prediction one = predict(plan, options);
                options.everyPipeline = true;
                const Prediction all = predict(plan, options);
                QCOMPARE(all.pipelines, c.dp);
                QVERIFY(one.seconds == all.seconds);
                QVERIFY(one.pipeline == all.pipeline);
                QCOMPARE(one.spans.size(), all.spans.size());
                for (std::size_t i = 0; i < one.spans.size(); ++i) {
                    QVERIFY(one.spans[i].begin == all.spans[i].begin);
                    QVERIFY(one.spans[i].end == all.spans[i].end);
                    QVERIFY(one.spans[i].ready == all.spans[i].ready);
                }
                QCOMPARE(int(all.ranks.size()), plan.layout.ranks());
                for (const RankTime& rank : all.ranks)
                    QVERIFY(costs.overlapGain > 0 ||
                            near(rank.compute + rank.idle, all.pipeline, 1e-9));
            }
    }

    void spansAreThoseOfTheProgram()
    {
        for (const Case& c : cases()) {
            const ComputeProgram compute =
                generate(c.schedule, c.pp, c.microbatches, c.virtualStages);
            const SimulatedPlan plan =
                planFor(c, evenCosts(c.pp, virtualStages(c, compute), 1, 1, 1), someTail());
            const Prediction prediction = predict(plan);
            std::set<std::pair<int, std::uint64_t>> predicted;
            for (const Span& span : prediction.spans) {
                const int stage = coordinatesOf(plan.layout, span.rank).pipeline;
                QVERIFY(predicted.insert({stage, span.id.packed}).second);
                QVERIFY(span.ready <= span.begin && span.begin <= span.end);
            }
            std::size_t expected = 0;
            for (const StageProgram& stage : plan.program.perStage)
                for (const Instruction& instruction : stage.instructions) {
                    if (instruction.id.kind() == Kind::Wait)
                        continue;
                    ++expected;
                    QVERIFY(predicted.count({stage.stage.value, instruction.id.packed}) == 1);
                }
            QCOMPARE(predicted.size(), expected);
        }
    }

    void bubbleOfSpansIsTheClosedForm()
    {
        const Case c{"1f1b", 2, 1, 4, 1, 12};
        Layout layout;
        const Prediction prediction = predict(planFor(c, evenCosts(4, 1, 1, 1, 1), someTail()));
        const std::vector<Span> spans = asOnePipeline(prediction, layout);
        QVERIFY(near(bubble(stepShares(spans, layout), layout), 3.0 / 15, 1e-9));
    }

    void rendezvousNeverBeatsFreeTransfers()
    {
        Random random(8);
        for (const Case& c : cases())
            for (int draw = 0; draw < 5; ++draw) {
                const StageCosts costs = randomCosts(
                    random, generate(c.schedule, c.pp, c.microbatches, c.virtualStages));
                const SimulatedPlan plan = planFor(c, costs);
                PredictionOptions options;
                const double free = predict(plan, options).seconds;
                options.transfers = TransferRule::Rendezvous;
                QVERIFY(predict(plan, options).seconds >= free - 1e-12);
            }
    }

    void aTensorGroupMovesAtThePaceOfItsSlowest()
    {
        const Case c{"1f1b", 2, 2, 2, 1, 4};
        const SimulatedPlan plan = planFor(c, evenCosts(2, 1, 1, 1, 1));
        PredictionOptions options;
        options.everyPipeline = true;
        const double before = predict(plan, options).pipeline;
        const Rank slow = rankOf(plan.layout, {1, 1, 0});
        options.perturbations.slowRanks = {{slow, 2}};
        const Prediction prediction = predict(plan, options);
        // Stage 0 of replica 1 computes 4 · (2 + 4) s and waits 1 s, from its second forward's end
        // at 4 s to the first gradient at 5 s.
        QCOMPARE(before, 15.0);
        QCOMPARE(prediction.pipeline, 25.0);
        QCOMPARE(prediction.column, 1);
        const Rank partner = rankOf(plan.layout, {1, 0, 0});
        QCOMPARE(prediction.ranks[std::size_t(slow.value)].tensorWait, 0.0);
        QCOMPARE(prediction.ranks[std::size_t(partner.value)].tensorWait, 12.0);
        const Rank other = rankOf(plan.layout, {0, 0, 0});
        QCOMPARE(prediction.ranks[std::size_t(other.value)].tensorWait, 0.0);
        // The reduction waits for the slow replica.
        QVERIFY(prediction.seconds >= prediction.pipeline);
    }

    void slowLinksAndJitterOnlySlow()
    {
        const Case c{"1f1b", 3, 2, 4, 1, 8};
        StageCosts costs = evenCosts(4, 1, 1, 1, 1);
        costs.transfer = 0.1;
        const SimulatedPlan plan = planFor(c, costs, someTail());
        PredictionOptions options;
        const double before = predict(plan, options).seconds;
        options.perturbations.slowLinks = {
            {rankOf(plan.layout, {1, 0, 0}), rankOf(plan.layout, {1, 0, 1}), 5}};
        const double slow = predict(plan, options).seconds;
        QVERIFY(slow > before + 0.1);
        options.perturbations.slowLinks = {{rankOf(plan.layout, {2, 1, 2}), Rank(-1), 3}};
        // The exposed reduction of 0.7 s takes three times as long.
        QVERIFY(predict(plan, options).seconds > before + 1.3);
        options.perturbations.slowLinks.clear();
        options.perturbations.jitter = 0.05;
        options.perturbations.seed = 1;
        const double first = predict(plan, options).seconds;
        QVERIFY(first > before);
        QVERIFY(predict(plan, options).seconds == first);
        options.perturbations.seed = 2;
        QVERIFY(predict(plan, options).seconds != first);
    }

    void ranksThatMoveTogetherAreOneColumn()
    {
        const Case c{"1f1b", 4, 1, 2, 1, 4};
        const SimulatedPlan plan = planFor(c, evenCosts(2, 1, 1, 1, 1), {}, 2);
        PredictionOptions options;
        options.perturbations.slowRanks = {{rankOf(plan.layout, {3, 0, 1}), 3}};
        const Prediction prediction = predict(plan, options);
        QCOMPARE(prediction.pipelines, 2);
        QCOMPARE(prediction.column, 1);
        const Rank partner = rankOf(plan.layout, {2, 0, 1});
        QVERIFY(prediction.ranks[std::size_t(partner.value)].tensorWait > 0);
    }

    void refusesWhatDoesNotFit()
    {
        const Case c{"1f1b", 2, 1, 2, 1, 4};
        const SimulatedPlan plan = planFor(c, evenCosts(2, 1, 1, 1, 1));
        PredictionOptions options;
        options.perturbations.slowRanks = {{Rank(4), 2}};
        QVERIFY_THROWS_EXCEPTION(Error, predict(plan, options));
        options.perturbations.slowRanks = {{Rank(1), 0}};
        QVERIFY_THROWS_EXCEPTION(Error, predict(plan, options));
        options.perturbations.slowRanks.clear();
        options.perturbations.jitter = std::nan("");
        QVERIFY_THROWS_EXCEPTION(Error, predict(plan, options));
        QVERIFY_THROWS_EXCEPTION(Error, planFor(c, evenCosts(3, 1, 1, 1, 1)));
    }

private:
    static int virtualStages(const Case& c, const ComputeProgram& compute)
    {
        return compute.chunks * c.pp / compute.replicas / c.pp;
    }
};

QTEST_APPLESS_MAIN(PredictionTest)
#include "prediction_test.moc"
