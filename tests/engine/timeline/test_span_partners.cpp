#include <QtTest>

#include "engine/timeline/span_partners.h"
#include "engine/timeline/span_search.h"
#include "engine/timeline/step_path.h"
#include "tests/engine/timeline/played_run.h"

using namespace triaxis;

namespace
{

struct Played
{
    explicit Played(int dp = 2, int tp = 1, int pp = 4, const std::string& schedule = "1f1b")
        : plan(tests::smallPlan(dp, tp, pp, 8, schedule)), lanes(plan.layout),
          partners(programOf(plan), plan.layout)
    {
        spans = tests::playRun(plan, 3, {.jitter = 0.2}).all.spans;
        lanes.append(spans);
    }

    RunPlan plan;
    Lanes lanes;
    SpanPartners partners;
    std::vector<Span> spans;
};

} // namespace

class TestSpanPartners : public QObject
{
    Q_OBJECT

private slots:
    void everyTransferHasItsOtherEnd()
    {
        for (const char* schedule : {"1f1b", "gpipe", "zb-h1"}) {
            const Played run(2, 1, 4, schedule);
            int transfers = 0;
            for (const Span& span : run.spans) {
                const bool transfer = isSend(span.id.kind()) || isReceive(span.id.kind());
                const auto other = run.partners.otherEnd(span.rank, span.id);
                QCOMPARE(other.has_value(), transfer);
                if (!transfer)
                    continue;
                ++transfers;
                QVERIFY(isSend(span.id.kind()) != isSend(other->id.kind()));
                const auto back = run.partners.otherEnd(other->rank, other->id);
                QVERIFY(back && back->rank == span.rank && back->id == span.id);
            }
            QVERIFY(transfers > 0);
        }
    }

    void theDataCanBeFollowedThroughTheWholePipeline()
    {
        const Played run;
        RankInstruction at{Rank(0), InstructionId(Kind::Forward, Chunk(0), Microbatch(3))};
        const Coordinates first = coordinatesOf(run.plan.layout, at.rank);
        QCOMPARE(first.pipeline, 0);
        std::vector<RankInstruction> chain{at};
        while (const auto next = run.partners.next(at.rank, at.id)) {
            at = *next;
            chain.push_back(at);
            QVERIFY(chain.size() < 100);
        }
        // Forward through four stages and back again: 4 F, 4 B, 6 sends, 6 receives.
        QCOMPARE(int(chain.size()), 20);
        QCOMPARE(at.id.kind(), Kind::Backward);
        QCOMPARE(coordinatesOf(run.plan.layout, at.rank).pipeline, 0);
        for (std::size_t i = chain.size() - 1; i > 0; --i) {
            const auto back = run.partners.previous(chain[i].rank, chain[i].id);
            QVERIFY(back && *back == chain[i - 1]);
        }
    }

    void collectivesNameTheirMembers()
    {
        const Played run(2, 2, 2);
        for (const Span& span : run.spans) {
            const auto members = run.partners.membersOf(span.rank, span.id);
            if (span.id.kind() == Kind::GradientReduce)
                QCOMPARE(int(members.size()), 2);
            else if (span.id.kind() == Kind::LossReduce)
                QCOMPARE(int(members.size()), 8);
            else if (span.id.kind() == Kind::NormReduce)
                QCOMPARE(int(members.size()), 4);
            else if (isCompute(span.id.kind()))
                QVERIFY(members.empty());
            if (!members.empty())
                QVERIFY(std::find(members.begin(), members.end(),
                                  RankInstruction{span.rank, span.id}) != members.end());
        }
    }

    void detailsTellWaitTransferAndBytes()
    {
        const Played run;
        int looked = 0;
        for (const Span& span : run.spans) {
            if (span.step != 2 || span.end - span.begin < 1e-6)
                continue;
            const auto place = findSpan(run.lanes, span.rank, span.step, span.id, true);
            if (!place)
                continue;
            const SpanDetails details = detailsOf(run.lanes, *place);
            QCOMPARE(details.id, span.id);
            QCOMPARE(details.rank, span.rank);
            if (isCompute(span.id.kind())) {
                QVERIFY(std::abs(details.begin - span.begin) < 1e-9);
                QCOMPARE(details.flops, span.flops);
            } else {
                QVERIFY(std::abs(details.end - span.end) < 1e-6);
                QCOMPARE(details.bytes, span.bytes);
            }
            ++looked;
        }
        QVERIFY(looked > 100);
    }

    void theCriticalPathReachesFromBeginToEndWithoutOverlap()
    {
        for (const char* schedule : {"1f1b", "gpipe", "zb-h1"}) {
            const Played run(2, 1, 4, schedule);
            const auto path = criticalPathOf(run.lanes, run.partners, 2);
            QVERIFY(path.size() > 10);
            const auto [begin, end] = run.lanes.stepRange(2);
            const auto at = [&](const SpanPlace& place) {
                const Track& track = trackOf(run.lanes, place);
                return std::pair(track.begin(place.index), track.end(place.index));
            };
            QVERIFY(std::abs(at(path.back()).second - end) < 1e-5);
            QVERIFY(at(path.front()).first - begin < 0.05 * (end - begin));
            double covered = 0;
            for (std::size_t i = 0; i < path.size(); ++i) {
                covered += at(path[i]).second - at(path[i]).first;
                if (i > 0)
                    QVERIFY(at(path[i]).first >= at(path[i - 1]).second - 1e-5);
            }
            // Nothing but the path determines the step, so that it has hardly any gaps.
            QVERIFY2(covered > 0.97 * (end - begin), schedule);
        }
    }

    void searchesByWordsAndNumbers()
    {
        const SpanQuery query = parseSpanQuery("Backward #3 rank 2 pp1 step 12");
        QCOMPARE(query.words, std::vector<std::string>{"backward"});
        QCOMPARE(query.microbatch, std::optional(3));
        QCOMPARE(query.rank, std::optional(2));
        QCOMPARE(query.pipeline, std::optional(1));
        QCOMPARE(query.step, std::optional(12));
        QCOMPARE(parseSpanQuery("mb 5").microbatch, std::optional(5));
        QCOMPARE(parseSpanQuery("microbatch5").microbatch, std::optional(5));
        QVERIFY(parseSpanQuery("   ").empty());
    }

    void findsEveryMatchOnceAndWrapsRound()
    {
        const Played run;
        const SpanQuery query = parseSpanQuery("forward #2 step 2");
        const std::size_t all = countMatches(run.lanes, query, 1000);
        QCOMPARE(all, std::size_t(8));
        for (const bool forward : {true, false}) {
            std::vector<SpanPlace> found;
            std::optional<SpanPlace> at;
            for (std::size_t i = 0; i < all; ++i) {
                at = findNext(run.lanes, query, at, run.lanes.begin(), forward);
                QVERIFY(at);
                QVERIFY(std::find(found.begin(), found.end(), *at) == found.end());
                found.push_back(*at);
            }
            QCOMPARE(*findNext(run.lanes, query, at, 0, forward), found.front());
        }
        QVERIFY(!findNext(run.lanes, parseSpanQuery("nonsense"), {}, 0, true));
        QVERIFY(!findNext(run.lanes, parseSpanQuery("rank 77"), {}, 0, true));
        QCOMPARE(countMatches(run.lanes, parseSpanQuery("w"), 1000), std::size_t(0));
    }
};

QTEST_APPLESS_MAIN(TestSpanPartners)
#include "test_span_partners.moc"
