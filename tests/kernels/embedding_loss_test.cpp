#include "tests/kernels/device_fixture.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace triaxis::kernels;
using namespace triaxis::kernels::test;

using Tokens = std::vector<std::int32_t>;

class EmbeddingLossTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { addDeviceRows(); }
    void init();
    void looksUpItsOwnRows();
    void addsGradientsOfRepeatedTokens();
    void rowMaxima();
    void maximumOfNoEntriesIsMinusInfinity();
    void crossEntropyOverSplitVocabulary_data();
    void crossEntropyOverSplitVocabulary();
    void exponentialsAreExact();

private:
    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
};

namespace
{

Tokens someTokens(std::int64_t rows, std::int64_t vocabulary)
{
    Tokens tokens;
    for (std::int64_t r = 0; r < rows; ++r)
        tokens.push_back(static_cast<std::int32_t>(r * r * 7 % vocabulary));
    return tokens;
}

} // namespace

void EmbeddingLossTest::init()
{
    m_device = deviceOfRow();
    m_stream = m_device->makeStream();
}

void EmbeddingLossTest::looksUpItsOwnRows()
{
    const std::int64_t rows = 21, time = 7, width = 37, first = 10, entries = 20;
    const Tokens tokens = someTokens(rows, 40);
    const Floats table = randomFloats(entries * width, 1), position = randomFloats(time * width, 2);
    for (const bool withPosition : {false, true}) {
        Floats y(std::size_t(rows * width), 99.0f);
        Doubles expected;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t i = 0; i < width; ++i) {
                const std::int64_t entry = tokens[std::size_t(r)] - first;
                const bool isHere = entry >= 0 && entry < entries;
                expected.push_back(
                    (isHere ? double(table[std::size_t(entry * width + i)]) : 0) +
                    (withPosition ? double(position[std::size_t(r % time * width + i)]) : 0));
            }
        m_device->embeddingForward(*m_stream, y.data(), tokens.data(), table.data(),
                                   withPosition ? position.data() : nullptr, rows, time, width,
                                   first, entries);
        VERIFY_CLOSE(y, expected, 1e-7);
    }
}

void EmbeddingLossTest::addsGradientsOfRepeatedTokens()
{
    const std::int64_t rows = 60, time = 15, width = 301, first = 3, entries = 6;
    const Tokens tokens = someTokens(rows, 11);
    const Floats dY = randomFloats(rows * width, 1), tableBefore = randomFloats(entries * width, 2),
                 positionBefore = randomFloats(time * width, 3);
    Floats dTable = tableBefore, dPosition = positionBefore;
    Doubles expectedTable = widened(dTable), expectedPosition = widened(dPosition);
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t i = 0; i < width; ++i) {
            const std::int64_t entry = tokens[std::size_t(r)] - first;
            if (entry >= 0 && entry < entries)
                expectedTable[std::size_t(entry * width + i)] +=
                    double(dY[std::size_t(r * width + i)]);
            expectedPosition[std::size_t(r % time * width + i)] +=
                double(dY[std::size_t(r * width + i)]);
        }
    m_device->embeddingBackward(*m_stream, dTable.data(), dPosition.data(), dY.data(),
                                tokens.data(), rows, time, width, first, entries);
    VERIFY_CLOSE(dTable, expectedTable, 1e-6);
    VERIFY_CLOSE(dPosition, expectedPosition, 1e-6);
    const Floats unchanged = dPosition;
    m_device->embeddingBackward(*m_stream, nullptr, nullptr, dY.data(), tokens.data(), rows, time,
                                width, first, entries);
    QCOMPARE(dPosition, unchanged);
}

void EmbeddingLossTest::rowMaxima()
{
    for (const std::int64_t entries : {1, 5, 16, 100, 257, 1031}) {
        const std::int64_t rows = 9, stride = entries + 3;
        Floats logits = randomFloats(rows * stride, std::uint64_t(entries), -9, -1);
        Floats expected, maximum(std::size_t(rows), 0.0f);
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto row = logits.begin() + r * stride;
            expected.push_back(*std::max_element(row, row + entries));
            std::fill(row + entries, row + stride, 50.0f);
        }
        m_device->rowMaximum(*m_stream, maximum.data(), logits.data(), rows, entries, stride);
        QCOMPARE(maximum, expected);
    }
}

void EmbeddingLossTest::maximumOfNoEntriesIsMinusInfinity()
{
    const Floats logits(10, 1.0f);
    Floats maximum(2, 0.0f);
    m_device->rowMaximum(*m_stream, maximum.data(), logits.data(), 2, 0, 5);
    QCOMPARE(maximum, Floats(2, -std::numeric_limits<float>::infinity()));
}

void EmbeddingLossTest::crossEntropyOverSplitVocabulary_data()
{
    QTest::addColumn<int>("vocabulary");
    QTest::addColumn<int>("parts");
    QTest::newRow("257 in one part") << 257 << 1;
    QTest::newRow("257 in two parts") << 257 << 2;
    QTest::newRow("1000 in three parts") << 1000 << 3;
    QTest::newRow("5 in four parts, one of them empty") << 5 << 4;
}

void EmbeddingLossTest::crossEntropyOverSplitVocabulary()
{
    QFETCH(int, vocabulary);
    QFETCH(int, parts);
    const std::int64_t rows = 37, share = (vocabulary + parts - 1) / parts, stride = share + 2;
    const float factor = 1.0f / float(rows);
    const Tokens targets = someTokens(rows, vocabulary);
    const Floats whole = randomFloats(rows * vocabulary, 1, -12, 12);

    std::vector<Floats> logits(std::size_t(parts), Floats(std::size_t(rows * stride), 77.0f));
    const auto entriesOf = [&](int part) {
        return std::clamp<std::int64_t>(vocabulary - part * share, 0, share);
    };
    Floats maximum(std::size_t(rows), -std::numeric_limits<float>::infinity()),
        sums(std::size_t(2 * rows), 0.0f);
    for (int part = 0; part < parts; ++part) {
        Floats& mine = logits[std::size_t(part)];
        for (std::int64_t r = 0; r < rows; ++r)
            std::copy_n(whole.begin() + r * vocabulary +
                            std::min<std::int64_t>(part * share, vocabulary),
                        entriesOf(part), mine.begin() + r * stride);
        Floats ofPart(std::size_t(rows), 0.0f);
        m_device->rowMaximum(*m_stream, ofPart.data(), mine.data(), rows, entriesOf(part), stride);
        for (std::size_t r = 0; r < ofPart.size(); ++r)
            maximum[r] = std::max(maximum[r], ofPart[r]);
    }
    for (int part = 0; part < parts; ++part) {
        Floats ofPart(sums.size());
        m_device->exponentialSums(*m_stream, ofPart.data(), logits[std::size_t(part)].data(),
                                  maximum.data(), targets.data(), rows, entriesOf(part), stride,
                                  part * share);
        m_device->add(*m_stream, sums.data(), ofPart.data(), std::int64_t(sums.size()));
    }

    double expectedLoss = 0;
    Doubles expected;
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* const row = whole.data() + r * vocabulary;
        double sum = 0;
        for (int i = 0; i < vocabulary; ++i)
            sum += std::exp(double(row[i]));
        const int target = targets[std::size_t(r)];
        expectedLoss += std::log(sum) - double(row[target]);
        for (int i = 0; i < vocabulary; ++i)
            expected.push_back((std::exp(double(row[i])) / sum - (i == target ? 1 : 0)) *
                               double(factor));
    }
    const double loss = m_device->crossEntropySum(*m_stream, sums.data(), rows);
    QVERIFY2(std::abs(loss - expectedLoss) < 1e-6 * expectedLoss,
             qPrintable(QString::number(loss - expectedLoss)));

    Floats gradient(expected.size());
    for (int part = 0; part < parts; ++part) {
        Floats& mine = logits[std::size_t(part)];
        m_device->crossEntropyGradient(*m_stream, mine.data(), sums.data(), targets.data(), factor,
                                       rows, entriesOf(part), stride, part * share);
        for (std::int64_t r = 0; r < rows; ++r) {
            std::copy_n(mine.begin() + r * stride, entriesOf(part),
                        gradient.begin() + r * vocabulary +
                            std::min<std::int64_t>(part * share, vocabulary));
            for (std::int64_t i = entriesOf(part); i < stride; ++i)
                QCOMPARE(mine[std::size_t(r * stride + i)], 0.0f);
        }
    }
    VERIFY_CLOSE(gradient, expected, 3e-6);
}

void EmbeddingLossTest::exponentialsAreExact()
{
    // Every exponent that float has, to two units in the last place; below the smallest normal
    // number 0.
    constexpr std::int64_t count = 40000;
    Floats x(count), sums(2), maximum(1, 0.0f);
    for (std::int64_t i = 0; i < count; ++i)
        x[std::size_t(i)] = -87.3f + 175.9f * float(i) / float(count);
    const Floats original = x;
    const Tokens target(1, 0);
    m_device->exponentialSums(*m_stream, sums.data(), x.data(), maximum.data(), target.data(), 1,
                              count, count, 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double exact = std::exp(double(original[i]));
        QVERIFY2(std::abs(double(x[i]) - exact) <= 2.4e-7 * exact,
                 qPrintable(QString::number(double(original[i]))));
    }
    Floats ends = {-88.0f,
                   -1e30f,
                   -std::numeric_limits<float>::infinity(),
                   0.0f,
                   std::numeric_limits<float>::infinity(),
                   std::numeric_limits<float>::quiet_NaN()};
    m_device->exponentialSums(*m_stream, sums.data(), ends.data(), maximum.data(), target.data(), 1,
                              6, 6, 0);
    QCOMPARE(Floats(ends.begin(), ends.begin() + 4), (Floats{0, 0, 0, 1}));
    QVERIFY(std::isinf(ends[4]));
    QVERIFY(std::isnan(ends[5]));
    QVERIFY(std::isnan(sums[0]));
}

QTEST_APPLESS_MAIN(EmbeddingLossTest)
#include "embedding_loss_test.moc"
