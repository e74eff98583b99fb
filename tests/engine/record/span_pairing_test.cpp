#include "engine/layout/layout.h"
#include "engine/record/records.h"
#include "engine/schedule/passes.h"
#include "tests/engine/record/plan_fixture.h"

#include <QTest>
#include <algorithm>

using namespace triaxis;
using namespace triaxis::test;

namespace
{

Span spanOf(int step, Rank rank, InstructionId id, double ready, double end)
{
    Span span;
    span.step = step;
    span.rank = rank;
    span.id = id;
    span.ready = ready;
    span.begin = ready;
    span.end = end;
    return span;
}

/// Every transfer and collective of a step on every rank, ready at a time that only its rank and
/// place decide.
std::vector<Span> communicationOf(const RunPlan& plan, int step)
{
    ProgramInputs inputs;
    inputs.model = plan.model;
    inputs.layout = plan.layout;
    inputs.batch = plan.training.batch;
    const Program program = programFor(plan.training.schedule, inputs);
    std::vector<Span> spans;
    for (int rank = 0; rank < plan.layout.ranks(); ++rank) {
        const int stage = coordinatesOf(plan.layout, Rank(rank)).pipeline;
        int place = 0;
        for (const Instruction& instruction : program.perStage[std::size_t(stage)].instructions) {
            const Kind kind = instruction.id.kind();
            if (!isSend(kind) && !isReceive(kind) && !isCollective(kind))
                continue;
            const double ready = 100 * step + 0.001 * ((place * 7 + rank * 13) % 50);
            spans.push_back(spanOf(step, Rank(rank), instruction.id, ready, 100 * step + 50));
            ++place;
        }
    }
    return spans;
}

const Span* find(const std::vector<Span>& spans, int step, Rank rank, InstructionId id)
{
    for (const Span& span : spans)
        if (span.step == step && span.rank == rank && span.id == id)
            return &span;
    return nullptr;
}

} // namespace

class SpanPairingTest : public QObject
{
    Q_OBJECT

private slots:
    void transfersBeginWhenBothEndsAreReady_data();
    void transfersBeginWhenBothEndsAreReady();
    void collectivesBeginWhenTheLastOfTheGroupIsReady();
    void tiedReductionJoinsFirstAndLastStage();
    void tensorCollectivesJoinTheTensorGroup();
    void beginStaysWithinTheSpan();
    void aSendEndsWhenItsReceiverHasEverything();
    void aReceiveThatCameEarlyHeldUpNobody();
    void stepsAreNotMixed();
    void missingPartnerLeavesWhatTheRankKnew();
    void foreignRanksAndComputeSpansAreLeftAlone();
};

void SpanPairingTest::transfersBeginWhenBothEndsAreReady_data()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<QString>("order");
    QTest::newRow("1f1b, Megatron's order") << "1f1b"
                                            << "tp-dp-pp";
    QTest::newRow("gpipe, pipeline fastest") << "gpipe"
                                             << "pp-dp-tp";
}

void SpanPairingTest::transfersBeginWhenBothEndsAreReady()
{
    QFETCH(const QString, schedule);
    QFETCH(const QString, order);
    RunPlan plan = smallPlan(2, 2, 4);
    plan.training.schedule = schedule.toStdString();
    plan.layout.order = parseRankOrder(order.toStdString());
    ProgramInputs inputs{plan.model, plan.layout, plan.training.batch};
    const Program program = programFor(plan.training.schedule, inputs);
    const std::vector<Span> before = communicationOf(plan, 1);
    std::vector<Span> after = before;
    pairSpans(after, plan);
    int transfers = 0;
    for (const StageProgram& stage : program.perStage) {
        for (const Instruction& instruction : stage.instructions) {
            if (!isSend(instruction.id.kind()))
                continue;
            for (int rank = 0; rank < plan.layout.ranks(); ++rank) {
                Coordinates at = coordinatesOf(plan.layout, Rank(rank));
                if (at.pipeline != stage.stage.value)
                    continue;
                at.pipeline = instruction.peer.value;
                const Rank peer = rankOf(plan.layout, at);
                const Span* send = find(before, 1, Rank(rank), instruction.id);
                const Span* receive = find(before, 1, peer, instruction.counterpart);
                QVERIFY(send && receive);
                const double latest = std::max(send->ready, receive->ready);
                QCOMPARE(find(after, 1, Rank(rank), instruction.id)->begin, latest);
                QCOMPARE(find(after, 1, peer, instruction.counterpart)->begin, latest);
                ++transfers;
            }
        }
    }
    // Activations and gradients of 4 microbatches over 3 borders in 2 × 2 columns.
    QCOMPARE(transfers, 2 * 4 * 3 * 4);
}

void SpanPairingTest::collectivesBeginWhenTheLastOfTheGroupIsReady()
{
    const RunPlan plan = smallPlan(2, 2, 2);
    const std::vector<Span> before = communicationOf(plan, 1);
    std::vector<Span> after = before;
    pairSpans(after, plan);
    int checked = 0;
    for (const Span& span : after) {
        std::vector<Rank> group;
        switch (span.id.kind()) {
        case Kind::GradientReduce:
            group = groupOf(plan.layout, span.rank, Axis::Data);
            break;
        case Kind::NormReduce:
            group = modelGroupOf(plan.layout, span.rank);
            break;
        case Kind::LossReduce:
            for (int rank = 0; rank < plan.layout.ranks(); ++rank)
                group.push_back(Rank(rank));
            break;
        default:
            continue;
        }
        double latest = 0;
        for (Rank rank : group)
            latest = std::max(latest, find(before, 1, rank, span.id)->ready);
        QCOMPARE(span.begin, latest);
        ++checked;
    }
    QVERIFY(checked >= 3 * plan.layout.ranks());
}

void SpanPairingTest::tiedReductionJoinsFirstAndLastStage()
{
    const RunPlan plan = smallPlan(1, 1, 3);
    const std::vector<Span> before = communicationOf(plan, 1);
    std::vector<Span> after = before;
    pairSpans(after, plan);
    std::vector<const Span*> tied;
    double latest = 0;
    for (const Span& span : after) {
        if (span.id.kind() != Kind::TiedReduce)
            continue;
        tied.push_back(&span);
        latest = std::max(latest, span.ready);
    }
    QCOMPARE(tied.size(), 2u);
    QVERIFY(tied[0]->ready != tied[1]->ready);
    for (const Span* span : tied)
        QCOMPARE(span->begin, latest);
}

void SpanPairingTest::tensorCollectivesJoinTheTensorGroup()
{
    const RunPlan plan = smallPlan(2, 2, 1);
    const InstructionId id(Kind::TensorCollective, Chunk(0), Microbatch(1), 6);
    std::vector<Span> spans;
    for (int rank = 0; rank < 4; ++rank)
        spans.push_back(spanOf(1, Rank(rank), id, 1 + rank, 10));
    pairSpans(spans, plan);
    // Tensor ranks are neighbours in Megatron's order: {0, 1} and {2, 3}.
    QCOMPARE(spans[0].begin, 2.0);
    QCOMPARE(spans[1].begin, 2.0);
    QCOMPARE(spans[2].begin, 4.0);
    QCOMPARE(spans[3].begin, 4.0);
}

void SpanPairingTest::beginStaysWithinTheSpan()
{
    const RunPlan plan = smallPlan(2, 1, 1);
    const InstructionId id(Kind::LossReduce, Chunk(0), Microbatch(0));
    std::vector<Span> spans{spanOf(1, Rank(0), id, 1.0, 2.0), spanOf(1, Rank(1), id, 2.5, 3.0)};
    pairSpans(spans, plan);
    QCOMPARE(spans[0].begin, 2.0);
    QCOMPARE(spans[1].begin, 2.5);
}

void SpanPairingTest::aSendEndsWhenItsReceiverHasEverything()
{
    const RunPlan plan = smallPlan(1, 1, 2);
    const InstructionId sent(Kind::SendActivation, Chunk(0), Microbatch(0));
    const InstructionId received(Kind::ReceiveActivation, Chunk(0), Microbatch(0));
    // The sender looked at its send only at 9; it was through at 5, when the receiver had it.
    std::vector<Span> spans{spanOf(1, Rank(0), sent, 1, 9), spanOf(1, Rank(1), received, 3, 5)};
    pairSpans(spans, plan);
    QCOMPARE(spans[0].begin, 3.0);
    QCOMPARE(spans[0].end, 5.0);
    QCOMPARE(spans[1].end, 5.0);
}

void SpanPairingTest::aReceiveThatCameEarlyHeldUpNobody()
{
    const RunPlan plan = smallPlan(1, 1, 2);
    const InstructionId sent(Kind::SendActivation, Chunk(0), Microbatch(0));
    const InstructionId received(Kind::ReceiveActivation, Chunk(0), Microbatch(0));
    // All had come at 3; the consumer looked for it only at 8.
    std::vector<Span> spans{spanOf(1, Rank(0), sent, 1, 4), spanOf(1, Rank(1), received, 8, 3)};
    pairSpans(spans, plan);
    QCOMPARE(spans[0].ready, 1.0);
    QCOMPARE(spans[0].begin, 1.0);
    QCOMPARE(spans[0].end, 3.0);
    QCOMPARE(spans[1].ready, 1.0);
    QCOMPARE(spans[1].begin, 1.0);
    QCOMPARE(spans[1].end, 3.0);
    // Without the sender's word.
    std::vector<Span> alone{spanOf(1, Rank(1), received, 8, 3)};
    pairSpans(alone, plan);
    QCOMPARE(alone[0].begin, 3.0);
    QVERIFY(alone[0].ready <= alone[0].begin && alone[0].begin <= alone[0].end);
}

void SpanPairingTest::stepsAreNotMixed()
{
    const RunPlan plan = smallPlan(2, 1, 1);
    const InstructionId id(Kind::LossReduce, Chunk(0), Microbatch(0));
    std::vector<Span> spans{spanOf(1, Rank(0), id, 1, 9), spanOf(1, Rank(1), id, 2, 9),
                            spanOf(2, Rank(0), id, 3, 9), spanOf(2, Rank(1), id, 4, 9)};
    pairSpans(spans, plan);
    QCOMPARE(spans[0].begin, 2.0);
    QCOMPARE(spans[2].begin, 4.0);
}

void SpanPairingTest::missingPartnerLeavesWhatTheRankKnew()
{
    const RunPlan plan = smallPlan(1, 1, 2);
    std::vector<Span> spans = communicationOf(plan, 1);
    std::erase_if(spans, [](const Span& span) { return span.rank == Rank(1); });
    for (Span& span : spans)
        span.begin = span.ready + 0.25;
    const std::vector<Span> before = spans;
    pairSpans(spans, plan);
    QVERIFY(!spans.empty());
    for (std::size_t i = 0; i < spans.size(); ++i)
        QCOMPARE(spans[i].begin, before[i].begin);
}

void SpanPairingTest::foreignRanksAndComputeSpansAreLeftAlone()
{
    const RunPlan plan = smallPlan(1, 1, 2);
    const InstructionId forward(Kind::Forward, Chunk(0), Microbatch(0));
    const InstructionId receive(Kind::ReceiveActivation, Chunk(0), Microbatch(900));
    std::vector<Span> spans{
        spanOf(1, Rank(0), forward, 1, 9), spanOf(1, Rank(1), forward, 2, 9),
        spanOf(1, Rank(77), InstructionId(Kind::LossReduce, Chunk(0), Microbatch(0)), 2, 9),
        spanOf(1, Rank(-1), receive, 2, 9), spanOf(1, Rank(1), receive, 2, 9)};
    pairSpans(spans, plan);
    for (const Span& span : spans)
        QCOMPARE(span.begin, span.ready);
}

QTEST_APPLESS_MAIN(SpanPairingTest)
#include "span_pairing_test.moc"
