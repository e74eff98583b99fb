#include "reference_model.h"
#include "single_world.h"

#include "engine/train/chunk.h"

#include <QTest>

#include <cmath>

using namespace triaxis;
using namespace triaxis::train;
using triaxis::test::ReferenceModel;

namespace
{

constexpr int sequence = 5;

/// The whole model on one rank, with the reference's parameters.
struct Runtime
{
    explicit Runtime(ReferenceModel& reference)
        : device(kernels::makeCpuDevice({})), stream(device->makeStream()),
          tensor(world, nullptr), compute{*device, *stream, tensor},
          store(compute, reference.spec(), {wholeModel(reference.spec())}, 0, 1),
          chunk(bindChunk(reference.spec(), wholeModel(reference.spec()), store, 1))
    {
        for (const ParameterSlot& slot : store.parameters()) {
            const auto& values = reference.parameters().at(slot.spec.name);
            std::copy(values.begin(), values.end(), store.values() + slot.offset);
        }
    }

    static ChunkContent wholeModel(const ModelSpec& model)
    {
        ChunkContent content;
        content.layerCount = model.layers;
        content.embedding = content.head = true;
        return content;
    }

    /// Forward and backward of one microbatch, its loss counted with `weight`; the mean loss.
    double run(const std::vector<ReferenceModel::Sequence>& batch, double weight,
               WeightGradients weights)
    {
        const MicrobatchShape shape{std::int64_t(batch.size()), sequence};
        ChunkSaved saved;
        saved.tokens = tokens(batch, 0);
        saved.targets = tokens(batch, 1);
        double lossSum = 0;
        chunkForward(compute, chunk, shape, {}, saved, &lossSum);
        const float factor = float(weight / double(shape.rows()));
        chunkBackward(compute, chunk, shape, {}, factor, saved, weights);
        if (weights == WeightGradients::Later)
            chunkBackwardWeight(compute, chunk, shape, saved);
        return lossSum / double(shape.rows());
    }

    kernels::Buffer tokens(const std::vector<ReferenceModel::Sequence>& batch, int shift)
    {
        kernels::Buffer buffer =
            device->allocate(batch.size() * sequence * 4, kernels::MemoryUse::Activations);
        for (std::size_t b = 0; b < batch.size(); ++b)
            for (int t = 0; t < sequence; ++t)
                buffer.ints()[b * sequence + std::size_t(t)] = batch[b][std::size_t(t + shift)];
        return buffer;
    }

    std::vector<float> gradient(const std::string& name)
    {
        const ParameterSlot& slot = *store.find(name);
        const float* begin = store.gradients() + slot.offset;
        return {begin, begin + slot.count};
    }

    test::SingleWorld world;
    std::unique_ptr<kernels::Device> device;
    std::unique_ptr<kernels::Stream> stream;
    TensorGroup tensor;
    Compute compute;
    ParameterStore store;
    ChunkLayers chunk;
};

/// ‖a − b‖ / ‖b‖, with a floor for gradients that are zero by symmetry.
double distance(const std::vector<float>& a, const std::vector<double>& b)
{
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        norm += b[i] * b[i];
    }
    return std::sqrt(difference) / std::max(std::sqrt(norm), 1e-2);
}

const std::vector<ReferenceModel::Sequence> batch{{1, 4, 10, 4, 7, 0}, {9, 9, 2, 5, 3, 8}};

ModelSpec modelNamed(const QString& name)
{
    ModelSpec model = name.startsWith("gpt2") ? test::tinyGpt2() : test::tinyLlama();
    if (name == "llama with biases")
        model.attentionBias = model.mlpBias = true;
    if (name == "llama with a tied head")
        model.tiedHead = true;
    if (name == "gpt2 with an untied head")
        model.tiedHead = false;
    return model;
}

void addModels()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"gpt2", "gpt2 with an untied head", "llama", "llama with biases",
                             "llama with a tied head"})
        QTest::newRow(name) << name;
}

} // namespace

class TrainLayersTest : public QObject
{
    Q_OBJECT

private slots:
    void lossAndEveryGradientMatchTheDefinition_data() { addModels(); }
    void lossAndEveryGradientMatchTheDefinition();
    void splitBackwardGivesTheSameGradients_data() { addModels(); }
    void splitBackwardGivesTheSameGradients();
    void microbatchesAddUp();
    void freesActivationsAfterTheBackward();
    void letsMessagesMoveBetweenOperations();
};

void TrainLayersTest::lossAndEveryGradientMatchTheDefinition()
{
    QFETCH(QString, name);
    ReferenceModel reference(modelNamed(name), 7);
    Runtime runtime(reference);
    const double loss = runtime.run(batch, 1, WeightGradients::Now);
    const double expected = reference.loss(batch);
    QVERIFY2(
        std::abs(loss - expected) < 1e-6 * expected,
        qPrintable(QString("%1, expected %2").arg(loss, 0, 'g', 12).arg(expected, 0, 'g', 12)));
    for (const auto& [parameter, values] : reference.parameters()) {
        std::vector<double> wanted;
        for (std::size_t i = 0; i < values.size(); ++i)
            wanted.push_back(reference.gradient(parameter, i, batch));
        const double error = distance(runtime.gradient(parameter), wanted);
        QVERIFY2(
            error < 1e-5,
            qPrintable(QString("%1: off by %2").arg(QString::fromStdString(parameter)).arg(error)));
    }
}

void TrainLayersTest::splitBackwardGivesTheSameGradients()
{
    QFETCH(QString, name);
    ReferenceModel reference(modelNamed(name), 8);
    Runtime whole(reference);
    Runtime split(reference);
    whole.run(batch, 1, WeightGradients::Now);
    split.run(batch, 1, WeightGradients::Later);
    for (const ParameterSlot& slot : whole.store.parameters()) {
        const std::vector<float> wanted = whole.gradient(slot.spec.name);
        const double error =
            distance(split.gradient(slot.spec.name), {wanted.begin(), wanted.end()});
        QVERIFY2(error < 1e-6, slot.spec.name.c_str());
    }
}

void TrainLayersTest::microbatchesAddUp()
{
    for (const QString name : {"gpt2", "llama"}) {
        ReferenceModel reference(modelNamed(name), 9);
        Runtime whole(reference);
        Runtime parts(reference);
        // What an earlier step left in the gradients must not shine through.
        parts.run(batch, 5, WeightGradients::Now);
        parts.store.beginStep();
        const double loss = whole.run(batch, 1, WeightGradients::Now);
        const double first = parts.run({batch[0]}, 0.5, WeightGradients::Now);
        const double second = parts.run({batch[1]}, 0.5, WeightGradients::Now);
        QVERIFY(std::abs((first + second) / 2 - loss) < 1e-6 * loss);
        for (const ParameterSlot& slot : whole.store.parameters()) {
            const std::vector<float> wanted = whole.gradient(slot.spec.name);
            const double error =
                distance(parts.gradient(slot.spec.name), {wanted.begin(), wanted.end()});
            QVERIFY2(error < 2e-6, slot.spec.name.c_str());
        }
    }
}

void TrainLayersTest::freesActivationsAfterTheBackward()
{
    ReferenceModel reference(test::tinyLlama(), 10);
    Runtime runtime(reference);
    for (const WeightGradients weights : {WeightGradients::Now, WeightGradients::Later}) {
        runtime.run(batch, 1, weights);
        const auto live = runtime.device->memory().live;
        QCOMPARE(live[std::size_t(kernels::MemoryUse::Activations)], 0);
        QCOMPARE(live[std::size_t(kernels::MemoryUse::Workspace)], 0);
    }
}

void TrainLayersTest::letsMessagesMoveBetweenOperations()
{
    ReferenceModel reference(test::tinyGpt2(), 11);
    Runtime runtime(reference);
    runtime.run(batch, 1, WeightGradients::Now);
    // Each of the two layers has some twenty operations forward and backward.
    QVERIFY(runtime.world.progressCalls() > 40);
}

QTEST_APPLESS_MAIN(TrainLayersTest)
#include "layers_test.moc"
