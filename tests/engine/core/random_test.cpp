#include "engine/core/random.h"

#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

using namespace triaxis;

class RandomTest : public QObject
{
    Q_OBJECT

private slots:
    void philoxGivesThePublishedBlocks();
    void sameSeedStreamAndIndexGiveTheSameNumber();
    void seedsStreamsAndIndicesAreIndependent();
    void uniformNumbersFillTheUnitInterval();
    void normalNumbersHaveTheMomentsOfTheNormalDistribution();
    void neighbouringElementsDoNotCorrelate();
    void fastNormalsAreThoseOfTheBlocks();
    void fastNormalsHaveTheMomentsOfTheNormalDistribution();
    void fastNormalsDoNotDependOnTheDivision();
};

// The known-answer vectors that the authors of Philox publish with their reference implementation
// (Random123, kat_vectors).
void RandomTest::philoxGivesThePublishedBlocks()
{
    using Block = std::array<std::uint32_t, 4>;
    QVERIFY((philox4x32({0, 0, 0, 0}, {0, 0}) ==
             Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    QVERIFY((philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}) ==
             Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    QVERIFY(
        (philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
         Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

void RandomTest::sameSeedStreamAndIndexGiveTheSameNumber()
{
    const CounterRandom one(7, "wte.weight"), two(7, "wte.weight");
    for (std::uint64_t i :
         {std::uint64_t(0), std::uint64_t(5), std::uint64_t(1) << 40, ~std::uint64_t(0)}) {
        QCOMPARE(one.bits(i), two.bits(i));
        QCOMPARE(one.normal(i), two.normal(i));
    }
}

void RandomTest::seedsStreamsAndIndicesAreIndependent()
{
    std::set<std::uint64_t> seen;
    int made = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        for (const char* stream :
             {"", "a", "b", "h.0.attn.c_attn.weight", "h.1.attn.c_attn.weight"}) {
            const CounterRandom random(seed, stream);
            for (std::uint64_t i = 0; i < 100; ++i, ++made)
                seen.insert(random.bits(i));
            seen.insert(random.bits(std::uint64_t(1) << 32));
            ++made;
        }
    }
    QCOMPARE(int(seen.size()), made);
}

void RandomTest::uniformNumbersFillTheUnitInterval()
{
    const CounterRandom random(1, "uniform");
    constexpr int count = 200'000, bins = 50;
    std::array<int, bins> histogram{};
    for (int i = 0; i < count; ++i) {
        const double u = random.uniform(std::uint64_t(i));
        QVERIFY(u >= 0 && u < 1);
        ++histogram[std::size_t(u * bins)];
    }
    double chiSquare = 0;
    for (const int n : histogram)
        chiSquare += std::pow(n - double(count) / bins, 2) / (double(count) / bins);
    // 49 degrees of freedom: mean 49, standard deviation 9.9.
    QVERIFY2(chiSquare > 15 && chiSquare < 100, qPrintable(QString::number(chiSquare)));
}

void RandomTest::normalNumbersHaveTheMomentsOfTheNormalDistribution()
{
    const CounterRandom random(3, "normal");
    constexpr int count = 400'000;
    double sum = 0, squares = 0, cubes = 0, fourths = 0;
    int beyondTwo = 0;
    for (int i = 0; i < count; ++i) {
        const double x = random.normal(std::uint64_t(i));
        QVERIFY(std::isfinite(x));
        sum += x;
        squares += x * x;
        cubes += x * x * x;
        fourths += x * x * x * x;
        beyondTwo += std::fabs(x) > 2;
    }
    QVERIFY(std::fabs(sum / count) < 0.008);
    QVERIFY(std::fabs(squares / count - 1) < 0.012);
    QVERIFY(std::fabs(cubes / count) < 0.03);
    QVERIFY(std::fabs(fourths / count - 3) < 0.08);
    QVERIFY(std::fabs(double(beyondTwo) / count - 0.0455) < 0.002);
}

void RandomTest::neighbouringElementsDoNotCorrelate()
{
    const CounterRandom random(11, "pairs");
    constexpr int count = 200'000;
    double products = 0;
    for (int i = 0; i < count; ++i)
        products += random.normal(std::uint64_t(i)) * random.normal(std::uint64_t(i) + 1);
    QVERIFY(std::fabs(products / count) < 0.012);
}

/// Box and Muller by the mathematics library.
void RandomTest::fastNormalsAreThoseOfTheBlocks()
{
    const std::uint64_t seed = 0x123456789abcdef0u;
    const CounterRandom random(seed, "h.0.attn.c_attn.weight");
    constexpr std::uint64_t first = (std::uint64_t(1) << 33) + 3;
    constexpr int count = 50'000;
    std::vector<float> values(count);
    random.normals(first, count, 0.5, values.data());
    for (int i = 0; i < count; ++i) {
        const std::uint64_t index = first + std::uint64_t(i);
        // The stream's part of the counter is private: bits() of a block gives its first two words.
        if (index % 4 > 1)
            continue;
        const std::uint64_t words = random.bits(index / 4);
        const double u = (double(std::uint32_t(words)) + 1) * 0x1p-32;
        const double angle = 2 * M_PI * double(words >> 32) * 0x1p-32;
        const double radius = 0.5 * std::sqrt(-2 * std::log(u));
        const double expected = radius * (index % 4 == 0 ? std::cos(angle) : std::sin(angle));
        QVERIFY2(std::fabs(double(values[std::size_t(i)]) - expected) < 2e-7,
                 qPrintable(QString("%1: %2 and not %3")
                                .arg(index)
                                .arg(double(values[std::size_t(i)]))
                                .arg(expected)));
    }
}

void RandomTest::fastNormalsHaveTheMomentsOfTheNormalDistribution()
{
    constexpr int count = 2'000'000;
    std::vector<float> values(count);
    CounterRandom(3, "normal").normals(0, count, 1, values.data());
    double sum = 0, squares = 0, cubes = 0, fourths = 0, neighbours = 0, most = 0;
    int beyondTwo = 0;
    for (int i = 0; i < count; ++i) {
        const double x = double(values[std::size_t(i)]);
        QVERIFY(std::isfinite(x));
        sum += x;
        squares += x * x;
        cubes += x * x * x;
        fourths += x * x * x * x;
        beyondTwo += std::fabs(x) > 2;
        most = std::max(most, std::fabs(x));
        if (i > 0)
            neighbours += x * double(values[std::size_t(i - 1)]);
    }
    QVERIFY(std::fabs(sum / count) < 0.004);
    QVERIFY(std::fabs(squares / count - 1) < 0.005);
    QVERIFY(std::fabs(cubes / count) < 0.014);
    QVERIFY(std::fabs(fourths / count - 3) < 0.04);
    QVERIFY(std::fabs(double(beyondTwo) / count - 0.0455) < 0.001);
    QVERIFY(std::fabs(neighbours / count) < 0.004);
    QVERIFY2(most > 4.5 && most < 6.7, qPrintable(QString::number(most)));
}

void RandomTest::fastNormalsDoNotDependOnTheDivision()
{
    const CounterRandom random(5, "wte.weight");
    constexpr std::uint64_t first = 1021;
    std::vector<float> whole(3000), parts(3000);
    random.normals(first, 3000, 0.02, whole.data());
    std::int64_t done = 0;
    for (std::int64_t part = 1; done < 3000; part = part * 2 + 1) {
        const std::int64_t count = std::min<std::int64_t>(part, 3000 - done);
        random.normals(first + std::uint64_t(done), count, 0.02, parts.data() + done);
        done += count;
    }
    QVERIFY(whole == parts);
    random.normals(first, 0, 1, nullptr);
}

QTEST_APPLESS_MAIN(RandomTest)
#include "random_test.moc"
