#include <QtTest>

#include "engine/core/random.h"
#include "engine/timeline/flatten.h"
#include "engine/timeline/lanes.h"

#include <cmath>

using namespace triaxis;

namespace
{

InstructionId forward(int microbatch)
{
    return InstructionId(Kind::Forward, Chunk(0), Microbatch(microbatch));
}

Span transfer(Kind kind, Lane lane, int microbatch, double ready, double begin, double end,
              std::int32_t step = 1)
{
    Span s;
    s.step = step;
    s.id = InstructionId(kind, Chunk(0), Microbatch(microbatch));
    s.lane = lane;
    s.ready = ready;
    s.begin = begin;
    s.end = end;
    return s;
}

} // namespace

class TestLanes : public QObject
{
    Q_OBJECT

private slots:
    void sharesOfATrackAreExact()
    {
        Track track;
        const CounterRandom random(5, "track");
        double time = 0;
        std::vector<std::array<double, 3>> raw;
        for (std::uint64_t i = 0; i < 1000; ++i) {
            const double begin = time + random.uniform(3 * i) * 0.5;
            time = begin + random.uniform(3 * i + 1);
            const int category = int(random.bits(3 * i + 2) % 8);
            track.append(begin, time, Category(category), forward(int(i)), 1);
            raw.push_back({begin, time, double(category)});
        }
        for (const auto& [from, to] : {std::pair(0.0, time),
                                       {3.3, 3.4},
                                       {100.5, 401.25},
                                       {-5.0, 2.0},
                                       {time - 1, time + 10}}) {
            std::array<double, categoryCount> expected{};
            double busy = 0;
            for (const auto& [begin, end, category] : raw) {
                const double inside = std::max(0.0, std::min(end, to) - std::max(begin, from));
                expected[std::size_t(category)] += inside;
                busy += inside;
            }
            expected[std::size_t(Category::Idle)] = to - from - busy;
            const auto shares = track.shares(from, to);
            for (std::size_t c = 0; c < shares.size(); ++c)
                QVERIFY(std::abs(shares[c] - expected[c]) < 1e-9);
        }
    }

    void walkOverColumnsFindsTheSameShares()
    {
        Track track;
        const CounterRandom random(6, "columns");
        double time = 0;
        for (std::uint64_t i = 0; i < 2000; ++i) {
            const double begin = time + (i % 3 == 0 ? random.uniform(3 * i) : 0);
            time = begin + random.uniform(3 * i + 1);
            track.append(begin, time, Category(random.bits(3 * i + 2) % 8), forward(int(i)), 1);
        }
        // Columns narrower than a span, as wide as several blocks, and wider than everything.
        for (const double width : {0.01, 0.7, 25.0, 90.0, 5000.0}) {
            for (double from : {-3.0, 0.0, 17.25, track.end(31), time - 4}) {
                std::size_t span = track.lowerBound(from);
                for (int column = 0; column < 60; ++column, from += width) {
                    CategorySeconds sums{};
                    track.addShares(from, from + width, span, sums);
                    QCOMPARE(span, track.lowerBound(from + width));
                    const CategorySeconds expected = track.shares(from, from + width);
                    for (std::size_t c = 0; c < std::size_t(Category::Idle); ++c)
                        QVERIFY(std::abs(sums[c] - expected[c]) < 1e-9);
                    QCOMPARE(sums[std::size_t(Category::Idle)], 0.0);
                }
            }
        }
    }

    void copyOfATrackIsItsOwn()
    {
        Track track;
        for (int i = 0; i < 70; ++i)
            track.append(i, i + 0.5, Category::Forward, forward(i), 1);
        Track copy = track;
        track.append(100, 101, Category::Backward, forward(70), 1);
        copy.append(200, 202, Category::Data, forward(71), 1);
        QCOMPARE(int(track.size()), 71);
        QCOMPARE(int(copy.size()), 71);
        QCOMPARE(track.end(70), 101.0);
        QCOMPARE(copy.end(70), 202.0);
        copy = track;
        QCOMPARE(copy.category(70), Category::Backward);
        QCOMPARE(copy.shares(0, 300), track.shares(0, 300));
    }

    void manySpansAtOnceAreWhatFewAtATimeAre()
    {
        Layout layout;
        layout.dp = 4;
        std::vector<Span> all;
        Lanes few(layout);
        for (int step = 1; step <= 500; ++step) {
            std::vector<Span> batch;
            for (int i = 0; i < 160; ++i) {
                Span span = transfer(i % 2 ? Kind::SendActivation : Kind::Forward,
                                     i % 2 ? Lane::SendNext : Lane::Compute, i, step + i * 0.005,
                                     step + i * 0.005, step + i * 0.005 + 0.004, step);
                span.rank = Rank(i % 4);
                batch.push_back(span);
            }
            few.append(batch);
            all.insert(all.end(), batch.begin(), batch.end());
        }
        Lanes whole(layout);
        whole.append(all);
        QCOMPARE(whole.stepRanges(), few.stepRanges());
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const RankTracks& a = whole.ranks()[lane];
            const RankTracks& b = few.ranks()[lane];
            QCOMPARE(a.compute.size(), b.compute.size());
            QCOMPARE(a.communication.size(), b.communication.size());
            QCOMPARE(a.compute.shares(0, 600), b.compute.shares(0, 600));
            QCOMPARE(a.communication.shares(0, 600), b.communication.shares(0, 600));
        }
    }

    void trackClipsOverlapAndLeavesOutWhatIsBroken()
    {
        Track track;
        track.append(0, 2, Category::Forward, forward(0), 1);
        track.append(1, 3, Category::Backward, forward(1), 1);
        track.append(2.5, 2.9, Category::Backward, forward(2), 1);
        track.append(5, 5, Category::Backward, forward(3), 1);
        track.append(std::nan(""), 9, Category::Backward, forward(4), 1);
        track.append(6, INFINITY, Category::Backward, forward(5), 1);
        QCOMPARE(int(track.size()), 2);
        QCOMPARE(track.begin(1), 2.0);
        QCOMPARE(int(track.lowerBound(2.0)), 1);
        QCOMPARE(int(track.lowerBound(3.0)), 2);
        QCOMPARE(track.shares(0, 4)[std::size_t(Category::Idle)], 1.0);
        QCOMPARE(track.shares(4, 0)[std::size_t(Category::Idle)], 0.0);
    }

    void transfersGoBeforeWaits()
    {
        std::vector<Activity> activities;
        activities.push_back({0, 6, true, Category::Wait, forward(0), 1});
        activities.push_back({2, 4, false, Category::Pipeline, forward(1), 1});
        activities.push_back({3, 5, false, Category::Data, forward(2), 1});
        std::vector<Activity> pieces = flatten(activities);
        std::reverse(activities.begin(), activities.end());
        const std::vector<Activity> reversed = flatten(activities);
        const std::vector<std::tuple<double, double, Category>> expected{{0, 2, Category::Wait},
                                                                         {2, 4, Category::Pipeline},
                                                                         {4, 5, Category::Data},
                                                                         {5, 6, Category::Wait}};
        QCOMPARE(pieces.size(), expected.size());
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            QCOMPARE(std::tuple(pieces[i].begin, pieces[i].end, pieces[i].category), expected[i]);
            QCOMPARE(reversed[i].begin, pieces[i].begin);
            QCOMPARE(reversed[i].id, pieces[i].id);
        }
    }

    void piecesCoverExactlyWhatIsActive()
    {
        const CounterRandom random(9, "flatten");
        std::vector<Activity> activities;
        for (std::uint64_t i = 0; i < 300; ++i) {
            const double begin = std::floor(random.uniform(2 * i) * 500);
            const double end = begin + std::floor(random.uniform(2 * i + 1) * 12);
            activities.push_back({begin, end, i % 3 == 0,
                                  i % 3 == 0 ? Category::Wait : Category::Pipeline, forward(int(i)),
                                  1});
        }
        const std::vector<Activity> pieces = flatten(activities);
        for (std::size_t i = 1; i < pieces.size(); ++i)
            QVERIFY(pieces[i].begin >= pieces[i - 1].end);
        for (double t = 0.5; t < 520; t += 1) {
            const auto covers = [t](const Activity& a) { return a.begin <= t && t < a.end; };
            const bool moving =
                std::any_of(activities.begin(), activities.end(),
                            [&](const Activity& a) { return covers(a) && !a.waiting; });
            const bool any = std::any_of(activities.begin(), activities.end(), covers);
            const auto shown = std::find_if(pieces.begin(), pieces.end(), covers);
            QCOMPARE(shown != pieces.end(), any);
            if (any)
                QCOMPARE(shown->waiting, !moving);
        }
    }

    void ranksAreGroupedByReplicaThenStageThenTensor()
    {
        Layout layout;
        layout.dp = layout.tp = layout.pp = 2;
        const Lanes lanes(layout);
        const Coordinates expected[] = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1},
                                        {1, 0, 0}, {1, 1, 0}, {1, 0, 1}, {1, 1, 1}};
        for (std::size_t i = 0; i < 8; ++i) {
            QVERIFY(lanes.ranks()[i].at == expected[i]);
            QCOMPARE(lanes.ranks()[i].rank, rankOf(layout, expected[i]));
        }
    }

    void waitAndTransferLieOnTheCommunicationTrack()
    {
        Lanes lanes{Layout{}};
        Span work;
        work.step = 1;
        work.id = forward(0);
        work.ready = work.begin = 0;
        work.end = 2;
        lanes.append({transfer(Kind::ReceiveActivation, Lane::ReceivePrevious, 1, 2, 5, 6), work});
        const RankTracks& rank = lanes.ranks()[0];
        QCOMPARE(int(rank.compute.size()), 1);
        QCOMPARE(int(rank.communication.size()), 2);
        QCOMPARE(rank.communication.category(0), Category::Wait);
        QCOMPARE(rank.communication.begin(0), 2.0);
        QCOMPARE(rank.communication.category(1), Category::Pipeline);
        QCOMPARE(rank.communication.begin(1), 5.0);
    }

    void followsALiveRun()
    {
        Lanes lanes{Layout{}};
        QCOMPARE(lanes.steps(), std::pair(0, -1));
        QCOMPARE(lanes.begin(), 0.0);
        for (int step = 1; step <= 5; ++step) {
            if (step == 3)
                continue; // thinned away
            Span work;
            work.step = step;
            work.id = forward(0);
            work.ready = work.begin = step;
            work.end = step + 0.75;
            lanes.append({work});
        }
        QCOMPARE(lanes.steps(), std::pair(1, 5));
        QCOMPARE(lanes.stepRange(2), std::pair(2.0, 2.75));
        QCOMPARE(lanes.stepRange(3), std::pair(0.0, 0.0));
        QCOMPARE(lanes.begin(), 1.0);
        QCOMPARE(lanes.end(), 5.75);
        QCOMPARE(int(lanes.ranks()[0].compute.size()), 4);
    }

    void strangeSpansAreLeftOut()
    {
        Lanes lanes{Layout{}};
        Span outside = transfer(Kind::SendActivation, Lane::SendNext, 0, 0, 1, 2);
        outside.rank = Rank(4);
        lanes.append(
            {outside, transfer(Kind::SendActivation, Lane::SendNext, 0, 0, std::nan(""), 2)});
        QVERIFY(lanes.stepRanges().empty());
        QCOMPARE(int(lanes.ranks()[0].communication.size()), 0);
    }
};

QTEST_APPLESS_MAIN(TestLanes)
#include "test_lanes.moc"
