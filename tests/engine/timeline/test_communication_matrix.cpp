#include <QtTest>

#include "engine/timeline/communication_matrix.h"
#include "tests/engine/timeline/played_run.h"

#include <set>

using namespace triaxis;

namespace
{

ProgramInputs inputsOf(const RunPlan& plan)
{
    return {plan.model, plan.layout, plan.training.batch};
}

std::vector<TrafficLink> linksOf(const RunPlan& plan, int steps = 2)
{
    const ProgramInputs inputs = inputsOf(plan);
    const Program program = programFor(plan.training.schedule, inputs);
    std::vector<StepTraffic> traffic;
    for (std::int32_t step = 1; step <= steps; ++step)
        traffic.push_back(
            stepTraffic(tests::playStep(program, plan.layout, {}, step, step), plan.layout));
    return trafficLinks(program, inputs, traffic);
}

double bytesOf(const std::vector<TrafficLink>& links, Rank from, Rank to, TrafficAxis axis)
{
    for (const TrafficLink& link : links)
        if (link.from == from && link.to == to && link.axis == axis)
            return link.bytes;
    return 0;
}

} // namespace

class CommunicationMatrixTest : public QObject
{
    Q_OBJECT

private slots:
    void stagesSendOneActivationForEachMicrobatch()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 4, 8);
        const auto links = linksOf(plan);
        const double activation = 4.0 * plan.training.batch.sequence * plan.model.hidden;
        for (int stage = 0; stage < 3; ++stage) {
            const double forward =
                bytesOf(links, Rank(stage), Rank(stage + 1), TrafficAxis::Pipeline);
            const double backward =
                bytesOf(links, Rank(stage + 1), Rank(stage), TrafficAxis::Pipeline);
            QCOMPARE(forward, 8 * activation);
            QCOMPARE(backward, 8 * activation);
        }
        QCOMPARE(bytesOf(links, Rank(0), Rank(2), TrafficAxis::Pipeline), 0.0);
    }

    void secondsAreThoseOfTheSendersTransfers()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        for (const TrafficLink& link : linksOf(plan)) {
            if (link.axis == TrafficAxis::Pipeline && link.from == Rank(0) && link.to == Rank(1))
                QVERIFY2(link.seconds > 3.9 * 0.8e-3, qPrintable(QString::number(link.seconds)));
        }
    }

    void replicasReduceTheirGradientsInARing()
    {
        const RunPlan plan = tests::smallPlan(4, 1, 1, 2);
        const auto links = linksOf(plan);
        const Program program = programFor("1f1b", inputsOf(plan));
        double payload = 0;
        for (const Instruction& instruction : program.perStage[0].instructions)
            payload += instruction.id.kind() == Kind::GradientReduce ? double(instruction.bytes) : 0;
        QVERIFY(payload > 0);
        for (int rank = 0; rank < 4; ++rank)
            QVERIFY(qAbs(bytesOf(links, Rank(rank), Rank((rank + 1) % 4), TrafficAxis::Data) -
                         1.5 * payload) < 1e-6 * payload);
        double seconds = 0;
        for (const TrafficLink& link : links)
            seconds += link.axis == TrafficAxis::Data ? link.seconds : 0;
        QVERIFY(seconds > 0);
    }

    void tensorRanksSumTwiceALayerAndPass()
    {
        const RunPlan plan = tests::smallPlan(1, 2, 2, 4);
        const auto links = linksOf(plan);
        const double activation = 4.0 * plan.training.batch.sequence * plan.model.hidden;
        // Stage 0: 2 layers, 2 sums each in forward and backward, and the embedding's.
        const double expected = 4 * (2 * 2 * 2 + 1) * activation;
        const auto [a, b] = std::pair(rankOf(plan.layout, {0, 0, 0}), rankOf(plan.layout, {0, 1, 0}));
        QVERIFY2(qAbs(bytesOf(links, a, b, TrafficAxis::Tensor) - expected) < 1,
                 qPrintable(QString::number(bytesOf(links, a, b, TrafficAxis::Tensor) / activation)));
    }

    void onlyNeighboursOfAnAxisExchangeItsBytes()
    {
        const RunPlan plan = tests::smallPlan(2, 2, 2, 4);
        for (const TrafficLink& link : linksOf(plan)) {
            const Coordinates from = coordinatesOf(plan.layout, link.from);
            const Coordinates to = coordinatesOf(plan.layout, link.to);
            QVERIFY(link.from != link.to);
            QVERIFY(link.bytes > 0);
            if (link.axis == TrafficAxis::Tensor)
                QVERIFY(from.data == to.data && from.pipeline == to.pipeline);
            if (link.axis == TrafficAxis::Data)
                QVERIFY(from.tensor == to.tensor && from.pipeline == to.pipeline);
            if (link.axis == TrafficAxis::Pipeline)
                QVERIFY(from.data == to.data && from.tensor == to.tensor);
        }
    }

    void twoReplicasInOnePipelineReduceOverTheMirroredStages()
    {
        RunPlan plan = tests::smallPlan(2, 1, 4, 8, "dualpipe");
        bool mirrored = false;
        for (const TrafficLink& link : linksOf(plan, 0)) {
            if (link.axis != TrafficAxis::Data)
                continue;
            const int from = coordinatesOf(plan.layout, link.from).pipeline;
            const int to = coordinatesOf(plan.layout, link.to).pipeline;
            QVERIFY(from == to || from == 3 - to);
            mirrored = mirrored || from == 3 - to;
        }
        QVERIFY(mirrored);
    }

    void foldingKeepsTheBytes()
    {
        const RunPlan plan = tests::smallPlan(2, 2, 2, 4);
        const auto links = linksOf(plan);
        double all = 0;
        for (const TrafficLink& link : links)
            all += link.bytes;
        const std::pair<TrafficFold, std::size_t> folds[] = {{TrafficFold::Rank, 8},
                                                             {TrafficFold::StageOfReplica, 4},
                                                             {TrafficFold::Stage, 2},
                                                             {TrafficFold::Replica, 2}};
        for (const auto& [fold, rows] : folds) {
            const TrafficMatrix matrix = trafficMatrix(links, plan.layout, fold);
            QCOMPARE(matrix.size(), rows);
            double sum = 0;
            for (const TrafficMatrix::Cell& cell : matrix.cells)
                sum += cell.bytes;
            QVERIFY(qAbs(sum - all) < 1e-9 * all);
        }
        double byAxis = 0;
        for (int axis = 0; axis < trafficAxisCount; ++axis)
            for (const TrafficMatrix::Cell& cell :
                 trafficMatrix(links, plan.layout, TrafficFold::Rank, TrafficAxis(axis)).cells)
                byAxis += cell.bytes;
        QVERIFY(qAbs(byAxis - all) < 1e-9 * all);
    }

    void largeWorldsAreFoldedUntilTheyFit()
    {
        Layout layout;
        layout.dp = 16;
        layout.tp = 8;
        layout.pp = 4;
        QCOMPARE(foldThatFits(layout, 1024), TrafficFold::Rank);
        QCOMPARE(foldThatFits(layout, 64), TrafficFold::StageOfReplica);
        QCOMPARE(foldThatFits(layout, 10), TrafficFold::Stage);
        layout.dp = 4096;
        layout.pp = 64;
        QCOMPARE(foldThatFits(layout, 32), TrafficFold::Stage);
    }
};

QTEST_GUILESS_MAIN(CommunicationMatrixTest)
#include "test_communication_matrix.moc"
