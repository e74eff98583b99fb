#include <QtTest>

#include "engine/timeline/prediction_join.h"
#include "engine/schedule/passes.h"
#include "tests/engine/timeline/played_run.h"

using namespace triaxis;

namespace
{

std::vector<Span> played(const RunPlan& plan, const tests::Durations& durations, std::int32_t step,
                         double begin = 0)
{
    const Program program =
        programFor(plan.training.schedule, {plan.model, plan.layout, plan.training.batch});
    return tests::playStep(program, plan.layout, durations, step, begin);
}

const SpanErrors& errorsOf(const PredictionJoin& join, Kind kind)
{
    for (const KindErrors& row : join.byKind)
        if (row.kind == kind)
            return row.errors;
    static const SpanErrors none;
    return none;
}

} // namespace

class PredictionJoinTest : public QObject
{
    Q_OBJECT

private slots:
    void theSameStepJoinsWithoutAnError()
    {
        const RunPlan plan = tests::smallPlan(2, 2, 2, 4);
        const auto predicted = played(plan, {}, 1);
        auto measured = played(plan, {}, 7, 3.5);
        const auto later = played(plan, {}, 8, 4.5);
        measured.insert(measured.end(), later.begin(), later.end());
        const PredictionJoin join = joinPrediction(predicted, measured, plan.layout);
        QCOMPARE(join.steps, 2);
        QCOMPARE(join.joined, measured.size());
        QCOMPARE(join.measuredOnly, std::size_t(0));
        QCOMPARE(join.predictedOnly, std::size_t(0));
        for (const KindErrors& row : join.byKind) {
            QVERIFY(qAbs(row.errors.median) < 1e-6);
            QVERIFY(qAbs(row.errors.worst) < 1e-6);
        }
        QVERIFY(qAbs(join.measuredStep - join.predictedStep) < 1e-9);
        QVERIFY(qAbs(join.measuredBubble - join.predictedBubble) < 1e-9);
    }

    void errorsAreSignedAndByKind()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        tests::Durations shorter;
        shorter.forward *= 0.8;
        shorter.backward *= 1.5;
        const auto join = joinPrediction(played(plan, shorter, 1), played(plan, {}, 3), plan.layout);
        QVERIFY(qAbs(errorsOf(join, Kind::Forward).median + 0.2) < 1e-9);
        QVERIFY(qAbs(errorsOf(join, Kind::Backward).median - 0.5) < 1e-9);
        QCOMPARE(errorsOf(join, Kind::Forward).spans, std::size_t(8));
    }

    void oneSlowSpanIsTheWorstAndSaysWhere()
    {
        const RunPlan plan = tests::smallPlan(2, 1, 2, 4);
        const auto predicted = played(plan, {}, 1);
        auto measured = played(plan, {}, 5);
        for (Span& span : measured)
            if (span.rank == Rank(3) && span.id.kind() == Kind::Forward &&
                span.id.microbatch().value == 2)
                span.end += span.end - span.begin;
        const auto join = joinPrediction(predicted, measured, plan.layout);
        const SpanErrors& errors = errorsOf(join, Kind::Forward);
        QVERIFY(qAbs(errors.worst + 0.5) < 1e-9);
        QCOMPARE(errors.worstRank, Rank(3));
        QCOMPARE(errors.worstId.microbatch().value, 2);
        QCOMPARE(errors.worstStep, 5);
        QVERIFY(qAbs(errors.median) < 1e-9);
        QVERIFY(join.byRank[3].measuredSeconds > join.byRank[2].measuredSeconds);
    }

    void whatOneSideLacksIsCounted()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        const auto predicted = played(plan, {}, 1);
        auto measured = played(plan, {}, 2);
        measured.resize(measured.size() - 5);
        const auto fewer = joinPrediction(predicted, measured, plan.layout);
        QCOMPARE(fewer.predictedOnly, std::size_t(5));
        QCOMPARE(fewer.measuredOnly, std::size_t(0));
        const auto other = joinPrediction(measured, predicted, plan.layout);
        QCOMPARE(other.measuredOnly, std::size_t(5));
    }

    void nothingIsNoError()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 1, 2);
        const auto join = joinPrediction({}, {}, plan.layout);
        QCOMPARE(join.joined, std::size_t(0));
        QVERIFY(std::isnan(join.measuredStep));
        QVERIFY(std::isnan(join.predictedStep));
    }
};

QTEST_GUILESS_MAIN(PredictionJoinTest)
#include "test_prediction_join.moc"
