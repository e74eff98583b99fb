#include <QtTest>

#include "engine/core/random.h"
#include "engine/timeline/aggregate_painter.h"
#include "engine/timeline/merged_groups.h"
#include "engine/timeline/merged_track.h"

#include <cmath>

using namespace triaxis;

namespace
{

/// Tracks that grow by spans of random lengths; some touch the one before, some have the same
/// category as it.
class Growing
{
public:
    Growing(std::size_t tracks, std::uint64_t seed)
        : m_random(seed, "merged"), m_tracks(tracks), m_ends(tracks, 0.0)
    {
    }

    void grow(std::size_t track, int spans)
    {
        for (int i = 0; i < spans; ++i, ++m_count) {
            const double gap =
                m_random.uniform(4 * m_count) < 0.4 ? 0 : 1e-3 * m_random.uniform(4 * m_count + 1);
            const double begin = m_ends[track] + gap;
            m_ends[track] = begin + 1e-3 * m_random.uniform(4 * m_count + 2);
            m_tracks[track].append(
                begin, m_ends[track],
                Category(m_random.bits(4 * m_count + 3) % std::uint64_t(Category::Idle)),
                InstructionId(Kind::Forward, Chunk(0), Microbatch(0)), 1);
        }
    }
    void idle(std::size_t track, double seconds) { m_ends[track] += seconds; }

    std::vector<const Track*> tracks() const
    {
        std::vector<const Track*> all;
        for (const Track& track : m_tracks)
            all.push_back(&track);
        return all;
    }
    double end() const { return *std::max_element(m_ends.begin(), m_ends.end()); }

    /// Seconds before `time`, track by track.
    CategorySeconds before(double time) const
    {
        CategorySeconds sums{};
        for (const Track& track : m_tracks) {
            const CategorySeconds own = track.before(time);
            for (std::size_t c = 0; c < own.size(); ++c)
                sums[c] += own[c];
        }
        return sums;
    }

private:
    CounterRandom m_random;
    std::vector<Track> m_tracks;
    std::vector<double> m_ends;
    std::uint64_t m_count = 0;
};

/// Largest difference over times that ascend by random steps, from before the first span on.
double worstError(const MergedTrack& merged, const Growing& growing, double step)
{
    const CounterRandom random(3, "times");
    std::vector<double> times{-step};
    for (std::uint64_t i = 0; times.back() < growing.end() + step; ++i)
        times.push_back(times.back() + step * (0.1 + random.uniform(i)));
    const std::vector<CategorySeconds> sums = merged.between(times);
    double worst = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const CategorySeconds begin = growing.before(times[i]);
        const CategorySeconds end = growing.before(times[i + 1]);
        for (std::size_t c = 0; c < std::size_t(Category::Idle); ++c)
            worst = std::max(worst, std::abs(sums[i][c] - (end[c] - begin[c])));
    }
    return worst;
}

} // namespace

class MergedTrackTest : public QObject
{
    Q_OBJECT

private slots:
    void hasNothingBeforeItWasUpdated()
    {
        const MergedTrack merged;
        QCOMPARE(merged.between({0, 1}).at(0), CategorySeconds{});
        QCOMPARE(merged.size(), std::size_t(0));
        QVERIFY(merged.heldUntil({}) < 0);
    }

    void sumsAreExact_data()
    {
        QTest::addColumn<double>("step");
        QTest::newRow("steps over many blocks") << 0.3;
        QTest::newRow("over some spans") << 4e-3;
        QTest::newRow("within spans") << 5e-5;
    }

    void sumsAreExact()
    {
        QFETCH(double, step);
        Growing growing(5, 1);
        for (std::size_t track = 0; track < 5; ++track)
            growing.grow(track, 400);
        MergedTrack merged;
        merged.update(growing.tracks());
        QVERIFY(worstError(merged, growing, step) < 1e-9);
    }

    void growsWithItsTracksThoughSomeLagBehind()
    {
        Growing growing(4, 2);
        MergedTrack merged;
        for (int turn = 0; turn < 30; ++turn) {
            for (std::size_t track = 0; track < 4; ++track)
                if ((turn + int(track)) % 4 != 0)
                    growing.grow(track, 7 + turn);
            if (turn % 5 == 0)
                growing.idle(std::size_t(turn) % 4, 0.05);
            merged.update(growing.tracks());
            QVERIFY(worstError(merged, growing, 3e-3) < 1e-9);
        }
        const std::size_t size = merged.size();
        merged.update(growing.tracks()); // nothing is new
        QCOMPARE(merged.size(), size);
        MergedTrack fresh;
        fresh.update(growing.tracks());
        QCOMPARE(fresh.size(), size);
    }

    void manyTracksMayChangeAtOneTime()
    {
        std::vector<Track> tracks(300);
        std::vector<const Track*> all;
        for (Track& track : tracks) {
            for (int i = 0; i < 3; ++i)
                track.append(i, i + 0.5, i == 1 ? Category::Wait : Category::Forward,
                             InstructionId(Kind::Forward, Chunk(0), Microbatch(0)), 1);
            all.push_back(&track);
        }
        MergedTrack merged;
        merged.update(all);
        const auto sums = merged.between({0, 0.25, 1.25, 9});
        QCOMPARE(sums[0][std::size_t(Category::Forward)], 75.0);
        QCOMPARE(sums[1][std::size_t(Category::Wait)], 75.0);
        QCOMPARE(sums[1][std::size_t(Category::Forward)], 75.0);
        QCOMPARE(sums[2][std::size_t(Category::Forward)], 150.0);
    }

    void growsALittleAtATime()
    {
        Growing growing(4, 8);
        for (std::size_t track = 0; track < 4; ++track)
            growing.grow(track, 300 + 200 * int(track));
        MergedTrack whole;
        QVERIFY(whole.update(growing.tracks()));
        MergedTrack merged;
        std::size_t calls = 1;
        double held = merged.heldUntil(growing.tracks());
        for (; !merged.update(growing.tracks(), 40); ++calls) {
            QVERIFY(merged.heldUntil(growing.tracks()) > held);
            held = merged.heldUntil(growing.tracks());
            QVERIFY(merged.size() < whole.size());
            if (calls == 20) // while it is behind
                growing.grow(0, 10);
        }
        QVERIFY2(calls > 30, qPrintable(QString::number(calls)));
        whole.update(growing.tracks());
        QCOMPARE(merged.size(), whole.size());
        QVERIFY(worstError(merged, growing, 1e-3) < 1e-9);
    }

    void columnsAreTheSameWithAndWithoutIt()
    {
        Growing growing(6, 5);
        for (std::size_t track = 0; track < 6; ++track)
            growing.grow(track, 3000);
        MergedTrack merged, half;
        merged.update(growing.tracks());
        half.update(growing.tracks(), 9000);
        QVERIFY(half.heldUntil(growing.tracks()) < growing.end());
        for (const double share : {1.0, 0.4, 0.02}) {
            TrackFrame frame;
            frame.left = 110.3;
            frame.width = 700.5;
            frame.from = growing.end() * (0.5 - share / 2);
            frame.to = growing.end() * (0.5 + share / 2);
            const auto direct = aggregateColumns(growing.tracks(), frame);
            for (const MergedTrack* track : {&merged, &half}) {
                const auto kept = aggregateColumns(growing.tracks(), frame, track);
                QCOMPARE(kept.size(), direct.size());
                for (std::size_t i = 0; i < direct.size(); ++i)
                    for (std::size_t c = 0; c < std::size_t(Category::Idle); ++c)
                        QVERIFY(std::abs(kept[i][c] - direct[i][c]) < 1e-9);
            }
        }
    }

    void groupsGrowUntilAllIsTakenIn()
    {
        Layout layout;
        layout.dp = 2;
        Lanes lanes(layout);
        const auto spanOf = [](int rank, int i) {
            Span span{1, Rank(rank), InstructionId(Kind::Forward, Chunk(0), Microbatch(0))};
            span.ready = span.begin = i;
            span.end = i + 0.5;
            return span;
        };
        std::vector<Span> spans;
        for (int i = 0; i < 100; ++i)
            for (int rank = 0; rank < 2; ++rank)
                spans.push_back(spanOf(rank, i));
        lanes.append(spans);
        MergedGroups groups;
        QVERIFY(groups.grow(lanes, 10)); // nothing collapsed
        MergedGroups::Group& both = groups.of({0, 1});
        int calls = 1;
        while (!groups.grow(lanes, 10))
            QVERIFY(++calls < 1000);
        QVERIFY(calls > 5);
        QCOMPARE(both.compute.size(), std::size_t(400));
        lanes.append({spanOf(1, 100)});
        QVERIFY(groups.grow(lanes, 10));
        QCOMPARE(both.compute.size(), std::size_t(402));
    }

    void groupsThatAreNoLongerShownAreForgotten()
    {
        MergedGroups groups;
        MergedGroups::Group* first = &groups.of({0, 1});
        groups.of({2, 3});
        QCOMPARE(&groups.of({0, 1}), first);
        LaneRow row;
        row.kind = LaneRow::Kind::Group;
        row.lanes = {0, 1};
        LaneRow open = row;
        open.kind = LaneRow::Kind::Heading;
        open.lanes = {2, 3};
        groups.keepOnly({row, open});
        QCOMPARE(groups.size(), std::size_t(1));
        QCOMPARE(&groups.of({0, 1}), first);
    }
};

QTEST_GUILESS_MAIN(MergedTrackTest)
#include "merged_track_test.moc"
