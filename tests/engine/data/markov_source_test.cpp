#include "engine/data/markov_source.h"
#include "tests/engine/model/model_fixture.h"

#include <QTest>
#include <cmath>
#include <vector>

using namespace triaxis;

class MarkovSourceTest : public QObject
{
    Q_OBJECT

private slots:
    void chainIsStationary();
    void entropyRateIsThatOfTheChain();
    void samplesHaveTheBestLoss();
    void noContextDoesBetterThanThePreviousToken();
    void tokensArePairsOfTheChain();
    void samplesDependOnSeedAndIndexOnly();
    void vocabularyIsCapped();
    void oneStateHasNoEntropy();
};

namespace
{

std::vector<std::int32_t> sampleOf(const TokenSource& source, std::int64_t index, int sequence)
{
    std::vector<std::int32_t> tokens(std::size_t(sequence) + 1, -7);
    source.sample(index, tokens.data());
    return tokens;
}

} // namespace

void MarkovSourceTest::chainIsStationary()
{
    for (const int states : {2, 5, 64}) {
        const MarkovSource source(states, 8, 3);
        double sum = 0;
        for (int to = 0; to < states; ++to) {
            double inflow = 0, row = 0;
            for (int from = 0; from < states; ++from) {
                inflow += source.stationary(from) * source.transition(from, to);
                row += source.transition(to, from);
            }
            QVERIFY(std::fabs(inflow - source.stationary(to)) < 1e-12);
            QVERIFY(std::fabs(row - 1) < 1e-12);
            sum += source.stationary(to);
        }
        QVERIFY(std::fabs(sum - 1) < 1e-12);
    }
}

void MarkovSourceTest::entropyRateIsThatOfTheChain()
{
    for (const int states : {2, 5, 64}) {
        const MarkovSource source(states, 8, 11);
        double rate = 0;
        for (int from = 0; from < states; ++from) {
            for (int to = 0; to < states; ++to) {
                const double p = source.transition(from, to);
                if (p > 0)
                    rate -= source.stationary(from) * p * std::log(p);
            }
        }
        QVERIFY(std::fabs(rate - source.bestLoss()) < 1e-9);
        QVERIFY(rate > 0 && rate < std::log(states));
    }
    // Far from noise and far from certain, so that learning shows.
    const double rate = MarkovSource(257, 8, 1).bestLoss();
    QVERIFY(rate > 0.3 * std::log(64) && rate < 0.8 * std::log(64));
}

void MarkovSourceTest::samplesHaveTheBestLoss()
{
    // The mean of −ln P(next | previous) over many samples is what a perfect model would reach.
    constexpr int sequence = 32, samples = 8000;
    const MarkovSource source(64, sequence, 7);
    double sum = 0, first = 0;
    for (int index = 0; index < samples; ++index) {
        const auto tokens = sampleOf(source, index, sequence);
        for (int t = 1; t <= sequence; ++t) {
            const double loss =
                -std::log(source.transition(tokens[std::size_t(t) - 1], tokens[std::size_t(t)]));
            sum += loss;
            first += t == 1 ? loss : 0;
        }
    }
    QVERIFY(std::fabs(sum / (samples * sequence) / source.bestLoss() - 1) < 0.01);
    // Samples start in the stationary distribution, so that the first target is no exception.
    QVERIFY(std::fabs(first / samples / source.bestLoss() - 1) < 0.04);
}

void MarkovSourceTest::noContextDoesBetterThanThePreviousToken()
{
    // Empirical conditional entropies from counts: one token of context reaches the best loss, and
    // none does not.
    constexpr int sequence = 64, samples = 12'000, states = 8;
    const MarkovSource source(states, sequence, 5);
    std::vector<double> pairs(states * states, 0.0), singles(states, 0.0), previous(states, 0.0);
    for (int index = 0; index < samples; ++index) {
        const auto tokens = sampleOf(source, index, sequence);
        for (std::size_t t = 1; t < tokens.size(); ++t) {
            ++pairs[std::size_t(tokens[t - 1] * states + tokens[t])];
            ++previous[std::size_t(tokens[t - 1])];
            ++singles[std::size_t(tokens[t])];
        }
    }
    const double all = double(samples) * sequence;
    double conditional = 0, marginal = 0;
    for (std::size_t i = 0; i < states; ++i) {
        marginal -= singles[i] > 0 ? singles[i] / all * std::log(singles[i] / all) : 0;
        for (std::size_t j = 0; j < states; ++j) {
            const double count = pairs[i * states + j];
            conditional -= count > 0 ? count / all * std::log(count / previous[i]) : 0;
        }
    }
    QVERIFY2(std::fabs(conditional / source.bestLoss() - 1) < 0.01,
             qPrintable(QString::number(conditional)));
    QVERIFY(marginal > 1.05 * source.bestLoss());
}

void MarkovSourceTest::tokensArePairsOfTheChain()
{
    const MarkovSource source(16, 20, 2);
    for (int index = 0; index < 200; ++index) {
        for (const std::int32_t token : sampleOf(source, index, 20))
            QVERIFY(token >= 0 && token < 16);
    }
}

void MarkovSourceTest::samplesDependOnSeedAndIndexOnly()
{
    const MarkovSource a(64, 16, 1), same(64, 16, 1), other(64, 16, 2);
    QVERIFY(sampleOf(a, 1'000'000'007, 16) == sampleOf(same, 1'000'000'007, 16));
    QVERIFY(sampleOf(a, 0, 16) == sampleOf(same, 0, 16));
    QVERIFY(sampleOf(a, 0, 16) != sampleOf(a, 1, 16));
    QVERIFY(sampleOf(a, 0, 16) != sampleOf(other, 0, 16));
    QCOMPARE(a.bestLoss(), same.bestLoss());
    QVERIFY(a.bestLoss() != other.bestLoss());
}

void MarkovSourceTest::vocabularyIsCapped()
{
    RunPlan plan;
    plan.model = smallGpt2();
    plan.training.batch.sequence = 8;
    QCOMPARE(makeTokenSource(plan)->vocabulary(), 64);
    plan.model.vocabulary = 10;
    QCOMPARE(makeTokenSource(plan)->vocabulary(), 10);
    QVERIFY(makeTokenSource(plan)->bestLoss() > 0);
}

void MarkovSourceTest::oneStateHasNoEntropy()
{
    const MarkovSource source(1, 4, 1);
    QCOMPARE(source.bestLoss(), 0.0);
    QVERIFY(sampleOf(source, 3, 4) == std::vector<std::int32_t>(5, 0));
}

QTEST_APPLESS_MAIN(MarkovSourceTest)
#include "markov_source_test.moc"
