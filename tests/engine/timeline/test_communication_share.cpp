// Where a step is spent in communication alone.

#include <QtTest>

#include "engine/timeline/communication_share.h"

using namespace triaxis;

namespace
{

Span span(Kind kind, Lane lane, double ready, double begin, double end, int rank = 0)
{
    Span span;
    span.step = 1;
    span.rank = Rank(rank);
    span.id = InstructionId(kind, Chunk(0), Microbatch(0));
    span.lane = lane;
    span.ready = ready;
    span.begin = begin;
    span.end = end;
    return span;
}

CommunicationShare shareOf(const std::vector<Span>& spans, const Layout& layout)
{
    return communicationShare(spans, stepShares(spans, layout), layout);
}

} // namespace

class CommunicationShareTest : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsNotKnown() { QVERIFY(!std::isfinite(shareOf({}, {}).total())); }

    void tensorCollectivesCountWithTheirWaiting()
    {
        Span forward = span(Kind::Forward, Lane::Compute, 0, 0, 10);
        forward.tensorWait = 1;
        forward.tensorTransfer = 2;
        const CommunicationShare share = shareOf({forward}, {});
        QCOMPARE(share.tensor, 0.3);
        QCOMPARE(share.pipeline, 0.0);
        QCOMPARE(share.data, 0.0);
    }

    void sumsHiddenByBackwardDoNotCount()
    {
        const std::vector<Span> spans{span(Kind::Forward, Lane::Compute, 0, 0, 4),
                                      span(Kind::Backward, Lane::Compute, 4, 4, 8),
                                      span(Kind::GradientReduce, Lane::Data, 6, 6, 9),
                                      span(Kind::OptimizerStep, Lane::Compute, 9, 9, 10)};
        QCOMPARE(shareOf(spans, {}).data, 0.1); // 8 … 9
    }

    void isTheMeanOverTheRanks()
    {
        Layout layout;
        layout.dp = 2;
        Span forward = span(Kind::Forward, Lane::Compute, 0, 0, 10);
        forward.tensorTransfer = 4;
        const CommunicationShare share =
            shareOf({forward, span(Kind::Forward, Lane::Compute, 0, 0, 10, 1)}, layout);
        QCOMPARE(share.tensor, 0.2);
    }
};

QTEST_GUILESS_MAIN(CommunicationShareTest)
#include "test_communication_share.moc"
