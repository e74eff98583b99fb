#include "ui/plan/floor_gestures.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace triaxis;
using namespace triaxis::ui;

class FloorGesturesTest : public QObject
{
    Q_OBJECT

private:
    static constexpr std::array<Axis, 3> axes{Axis::Data, Axis::Tensor, Axis::Pipeline};

    struct Case
    {
        AxisSizes base;
        SizeLimits limits;
    };

    /// Layouts that fit on clusters of 1 to 16,384 devices, powers of two or not.
    static std::vector<Case> someCases()
    {
        std::mt19937 random(7);
        const auto upTo = [&](int most) { return int(random() % unsigned(most)) + 1; };
        std::vector<Case> cases;
        for (int i = 0; i < 120; ++i) {
            Case one;
            one.limits.devices = i % 2 == 0 ? 1 << (i % 15) : upTo(16384);
            one.base.tp = upTo(std::min(16, one.limits.devices));
            one.base.pp = upTo(std::min(32, one.limits.devices / one.base.tp));
            one.base.dp = upTo(one.limits.devices / (one.base.tp * one.base.pp));
            if (i % 5 == 0)
                one.limits.tensor = {1, 2, 3, 4, 6, 12};
            cases.push_back(one);
        }
        return cases;
    }

private slots:
    void theProductNeverExceedsTheDevices()
    {
        for (const Case& one : someCases())
            for (const Axis axis : axes)
                for (int wish = -3; wish < 40000; wish = wish * 2 + 5) {
                    const AxisSizes sizes = stretched(one.base, axis, wish, one.limits);
                    QVERIFY(sizes.product() <= one.limits.devices);
                    QVERIFY(sizes.dp >= 1 && sizes.tp >= 1 && sizes.pp >= 1);
                }
    }

    void theAxisSnapsToAnAllowedSizeAndOthersToDivisors()
    {
        for (const Case& one : someCases())
            for (const Axis axis : axes) {
                const std::vector<int> allowed = allowedSizes(one.base, axis, one.limits);
                QVERIFY(std::is_sorted(allowed.begin(), allowed.end()));
                for (int wish = 1; wish < 20000; wish = wish * 2 + 1) {
                    const AxisSizes sizes = stretched(one.base, axis, wish, one.limits);
                    QVERIFY(std::binary_search(allowed.begin(), allowed.end(), sizes.of(axis)));
                    for (const Axis other : axes)
                        if (other != axis)
                            QCOMPARE(one.base.of(other) % sizes.of(other), 0);
                    const auto& named = one.limits.of(axis);
                    QVERIFY(named.empty() || sizes.of(axis) == one.base.of(axis) ||
                            std::count(named.begin(), named.end(), sizes.of(axis)) == 1);
                }
            }
    }

    void stretchingToWhereItIsChangesNothing()
    {
        for (const Case& one : someCases())
            for (const Axis axis : axes) {
                QCOMPARE(stretched(one.base, axis, one.base.of(axis), one.limits), one.base);
                for (const int wish : {1, 3, 8, 100, 5000}) {
                    const AxisSizes once = stretched(one.base, axis, wish, one.limits);
                    QCOMPARE(stretched(once, axis, once.of(axis), one.limits), once);
                }
            }
    }

    void aLongerDragNeverShrinksTheAxis()
    {
        for (const Case& one : someCases())
            for (const Axis axis : axes) {
                int before = 0;
                for (int length = 0; length < std::min(200, one.limits.devices); ++length) {
                    const int wish = draggedSize(one.base, axis, 0, length);
                    const int size = stretched(one.base, axis, wish, one.limits).of(axis);
                    QVERIFY(size >= before);
                    before = size;
                }
            }
    }

    void dataGivesWayFirst()
    {
        const SizeLimits limits{64, {}, {}, {}};
        const AxisSizes full{2, 8, 4};
        QCOMPARE(stretched(full, Axis::Tensor, 16, limits), (AxisSizes{1, 16, 4}));
        QCOMPARE(stretched(full, Axis::Tensor, 32, limits), (AxisSizes{1, 32, 2}));
        QCOMPARE(stretched(full, Axis::Pipeline, 8, limits), (AxisSizes{1, 8, 8}));
        QCOMPARE(stretched(full, Axis::Pipeline, 64, limits), (AxisSizes{1, 8, 8}));
        QCOMPARE(stretched(full, Axis::Data, 64, limits), full);
        QCOMPARE(stretched(full, Axis::Tensor, 4, limits), (AxisSizes{2, 4, 4}));
    }

    void aLayoutThatIsTooLargeCanBeMadeToFit()
    {
        const SizeLimits limits{16, {}, {}, {}};
        const AxisSizes sizes = stretched({8, 4, 2}, Axis::Data, 2, limits);
        QCOMPARE(sizes, (AxisSizes{2, 4, 2}));
        QCOMPARE(stretched({8, 4, 2}, Axis::Tensor, 2, limits).product() <= 16, true);
    }

    void stepsWalkTheAllowedSizes()
    {
        const SizeLimits limits{24, {}, {}, {}};
        AxisSizes sizes{1, 1, 1};
        std::vector<int> walked{1};
        for (int i = 0; i < 12; ++i) {
            sizes = stepped(sizes, Axis::Tensor, 1, limits);
            if (sizes.tp != walked.back())
                walked.push_back(sizes.tp);
        }
        QCOMPARE(walked, (std::vector<int>{1, 2, 3, 4, 6, 8, 12, 16, 24}));
        for (int i = 0; i < 12; ++i)
            sizes = stepped(sizes, Axis::Tensor, -1, limits);
        QCOMPARE(sizes.tp, 1);
    }

    void brushesCountWhatTheyTouch()
    {
        const AxisSizes base{2, 4, 2};
        QCOMPARE(draggedSize(base, Axis::Tensor, 0, 0), 1);
        QCOMPARE(draggedSize(base, Axis::Tensor, 2, 5), 4);
        QCOMPARE(draggedSize(base, Axis::Tensor, 5, 2), 4);
        QCOMPARE(draggedSize(base, Axis::Pipeline, 1, 6), 2);
        QCOMPARE(draggedSize(base, Axis::Data, 3, 17), 3);
    }

    void swappingTwiceIsNothing()
    {
        const std::vector<int> once = swappedPlacement({}, 4, 0, 3);
        QCOMPARE(once, (std::vector<int>{3, 1, 2, 0}));
        QVERIFY(swappedPlacement(once, 4, 3, 0).empty());
        QVERIFY(swappedPlacement({}, 4, 2, 2).empty());
        QVERIFY(swappedPlacement({}, 4, -1, 2).empty());
        QVERIFY(swappedPlacement({}, 4, 1, 4).empty());
        QVERIFY(swappedPlacement({}, 0, 0, 0).empty());
    }
};

QTEST_GUILESS_MAIN(FloorGesturesTest)
#include "floor_gestures_test.moc"
