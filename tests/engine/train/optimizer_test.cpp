#include "reference_model.h"
#include "single_world.h"

#include "engine/train/optimizer.h"

#include <QTest>

#include <cmath>

using namespace triaxis;
using namespace triaxis::train;

namespace
{

/// A store of the tiny GPT-2 with gradient 0.01·(i mod 7 − 3) and value 0.1·(i mod 5).
struct Holder
{
    explicit Holder(int tensorRank = 0, int tensorSize = 1, bool secondCopy = false)
        : device(kernels::makeCpuDevice({})), stream(device->makeStream()),
          tensor(world, nullptr), compute{*device, *stream, tensor},
          store(compute, test::tinyGpt2(), {content(secondCopy)}, tensorRank, tensorSize)
    {
        for (std::int64_t i = 0; i < store.count(); ++i) {
            store.gradients()[i] = 0.01F * float(i % 7 - 3);
            store.values()[i] = 0.1F * float(i % 5);
        }
    }

    static ChunkContent content(bool lastStageOnly)
    {
        ChunkContent content;
        content.firstLayer = lastStageOnly ? 1 : 0;
        content.layerCount = lastStageOnly ? 1 : 2;
        content.embedding = !lastStageOnly;
        content.head = true;
        return content;
    }

    double squares(const ParameterSlot& slot)
    {
        double sum = 0;
        for (std::int64_t i = slot.offset; i < slot.offset + slot.count; ++i)
            sum += double(store.gradients()[i]) * store.gradients()[i];
        return sum;
    }

    test::SingleWorld world;
    std::unique_ptr<kernels::Device> device;
    std::unique_ptr<kernels::Stream> stream;
    TensorGroup tensor;
    Compute compute;
    ParameterStore store;
};

} // namespace

class TrainOptimizerTest : public QObject
{
    Q_OBJECT

private slots:
    void normCountsReplicatedTensorsOnTheFirstTensorRankOnly();
    void normLeavesOutTheSecondCopyOfATiedEmbedding();
    void learningRateWarmsUpLinearly();
    void updateFollowsAdamWWithDecayOnMatricesOnly();
};

void TrainOptimizerTest::normCountsReplicatedTensorsOnTheFirstTensorRankOnly()
{
    for (int rank : {0, 1}) {
        Holder holder(rank, 2);
        double expected = 0;
        for (const ParameterSlot& slot : holder.store.parameters())
            if (rank == 0 || slot.spec.split != TensorSplit::Replicated)
                expected += holder.squares(slot);
        double sum = 0;
        addSquaredGradientNorm(holder.compute, holder.store, &sum);
        QVERIFY(std::abs(sum - expected) < 1e-9 * expected);
    }
}

void TrainOptimizerTest::normLeavesOutTheSecondCopyOfATiedEmbedding()
{
    Holder last(0, 1, true);
    const ParameterSlot* copy = last.store.find("wte.weight");
    QVERIFY(copy && copy->tiedCopy);
    double expected = 0;
    for (const ParameterSlot& slot : last.store.parameters())
        if (&slot != copy)
            expected += last.squares(slot);
    double sum = 0;
    addSquaredGradientNorm(last.compute, last.store, &sum);
    QVERIFY(std::abs(sum - expected) < 1e-9 * expected);
    Holder whole;
    QVERIFY(!whole.store.find("wte.weight")->tiedCopy);
}

void TrainOptimizerTest::learningRateWarmsUpLinearly()
{
    TrainingPlan training;
    training.learningRate = 0.8;
    QCOMPARE(learningRateAt(training, 1), 0.8);
    training.warmupSteps = 4;
    QCOMPARE(learningRateAt(training, 1), 0.2);
    QCOMPARE(learningRateAt(training, 3), 0.6);
    QCOMPARE(learningRateAt(training, 4), 0.8);
    QCOMPARE(learningRateAt(training, 100), 0.8);
}

void TrainOptimizerTest::updateFollowsAdamWWithDecayOnMatricesOnly()
{
    Holder holder;
    TrainingPlan training;
    training.learningRate = 0.01;
    training.weightDecay = 0.5;
    const float factor = 0.25F;
    std::vector<double> value, m, v;
    for (std::int64_t i = 0; i < holder.store.count(); ++i) {
        value.push_back(holder.store.values()[i]);
        m.push_back(0);
        v.push_back(0);
    }
    for (int step = 1; step <= 3; ++step) {
        optimizerStep(holder.compute, holder.store, training, step, &factor);
        for (const ParameterSlot& slot : holder.store.parameters()) {
            const double decay = slot.spec.shape.size() >= 2 ? training.weightDecay : 0;
            for (std::int64_t i = slot.offset; i < slot.offset + slot.count; ++i) {
                const std::size_t at = std::size_t(i);
                const double g = double(factor) * holder.store.gradients()[i];
                m[at] = training.beta1 * m[at] + (1 - training.beta1) * g;
                v[at] = training.beta2 * v[at] + (1 - training.beta2) * g * g;
                const double mHat = m[at] / (1 - std::pow(training.beta1, step));
                const double vHat = v[at] / (1 - std::pow(training.beta2, step));
                value[at] -= training.learningRate * decay * value[at];
                value[at] -= training.learningRate * mHat / (std::sqrt(vHat) + training.epsilon);
                QVERIFY2(std::abs(holder.store.values()[i] - value[at]) < 2e-6,
                         slot.spec.name.c_str());
            }
        }
    }
}

QTEST_APPLESS_MAIN(TrainOptimizerTest)
#include "optimizer_test.moc"
