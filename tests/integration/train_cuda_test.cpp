// Whole runs on the emulated GPU, over each transport, against the same runs on the CPU: losses and
// gradient norms of every step, and the final weights.

#include "train_support.h"

#include <QTest>

#include <cmath>
#include <fstream>

using namespace triaxis;
using namespace triaxis::test;

namespace
{

RunPlan planFor(const ModelSpec& model, const QString& layout, int steps)
{
    RunPlan plan = smallPlan(model);
    plan.layout = layoutOf(layout);
    plan.training.schedule = "1f1b";
    plan.training.steps = steps;
    plan.execution.saveGradients = false;
    plan.execution.saveWeights = true;
    return plan;
}

double relative(double value, double expected)
{
    return std::abs(value - expected) / std::abs(expected);
}

void checkSteps(const RunBatch& batch, int index, int reference, const QString& name)
{
    const auto steps = batch.steps(index), expected = batch.steps(reference);
    QCOMPARE(steps.size(), expected.size());
    QVERIFY(steps.size() >= 2);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double loss = relative(steps[i].loss, expected[i].loss);
        const double norm = relative(steps[i].gradientNorm, expected[i].gradientNorm);
        QVERIFY2(loss < 1e-5 && norm < 1e-4,
                 qPrintable(QString("%1, step %2: loss off by %3, norm by %4")
                                .arg(name)
                                .arg(i + 1)
                                .arg(loss)
                                .arg(norm)));
    }
}

void checkWeights(const RunBatch& batch, int index, int reference, const QString& name)
{
    const ModelSpec model = batch.directory(index).plan().model;
    const auto norms = tensorNorms(model, batch.directory(index).path() / "model.safetensors");
    const auto expected =
        tensorNorms(model, batch.directory(reference).path() / "model.safetensors");
    QVERIFY(!norms.empty());
    for (const auto& [tensor, norm] : norms) {
        // The gradient of a key bias is zero but for rounding, which Adam blows up.
        const bool attentionBias = tensor.find("attn.c_attn.bias") != std::string::npos;
        const double error = relative(norm, expected.at(tensor));
        QVERIFY2(
            error < (attentionBias ? 1e-3 : 1e-4),
            qPrintable(
                QString("%1: %2 off by %3").arg(name, QString::fromStdString(tensor)).arg(error)));
    }
}

struct Run
{
    ModelSpec model;
    QString layout;
    int steps = 2;
};

/// After the first step nothing is allocated, and by the time that the host first waits, it has
/// asked for all of the step but the copy of loss and norm.
void checkCounts(const RunBatch& batch, int index, const Run& run)
{
    for (int rank = 0; rank < layoutOf(run.layout).ranks(); ++rank) {
        std::ifstream file(batch.directory(index).path() / ("counts-" + std::to_string(rank)));
        int lines = 0;
        for (int allocations = 0, late = 0; file >> allocations >> late; ++lines)
            QVERIFY2((lines == 0 || allocations == 0) && late <= 1,
                     qPrintable(QString("%1, rank %2, step %3: %4 allocations, and %5 operations "
                                        "after the first wait")
                                    .arg(run.layout)
                                    .arg(rank)
                                    .arg(lines + 1)
                                    .arg(allocations)
                                    .arg(late)));
        QCOMPARE(lines, run.steps - 1);
    }
}

void compare(const QByteArray& transport, const std::vector<Run>& runs)
{
    RunBatch batch;
    std::vector<int> references, indices;
    for (const Run& run : runs)
        references.push_back(batch.add(planFor(run.model, "111", run.steps)));
    QString error = batch.run();
    QVERIFY2(error.isEmpty(), qPrintable(error));
    for (const Run& run : runs)
        indices.push_back(batch.add(planFor(run.model, run.layout, run.steps)));
    qputenv("TRIAXIS_TEST_DEVICE", "emulated");
    qputenv("TRIAXIS_TEST_TRANSPORT", transport);
    error = batch.run();
    qunsetenv("TRIAXIS_TEST_DEVICE");
    QVERIFY2(error.isEmpty(), qPrintable(error));
    for (std::size_t i = 0; i < runs.size(); ++i) {
        checkSteps(batch, indices[i], references[i], runs[i].layout);
        checkWeights(batch, indices[i], references[i], runs[i].layout);
        if (transport == "nccl")
            checkCounts(batch, indices[i], runs[i]);
        if (QTest::currentTestFailed())
            return;
    }
}

} // namespace

class TrainCudaTest : public QObject
{
    Q_OBJECT

private slots:
    void trainsTheSameModelByWayOfTheHost()
    {
        compare("host", {{smallGpt2(), "111"},
                         {smallLlama(), "111"},
                         {smallGpt2(), "212"},
                         {smallLlama(), "122"}});
    }
    void trainsTheSameModelOverNccl()
    {
        compare("nccl", {{smallGpt2(), "211", 3},
                         {smallLlama(), "121", 3},
                         {smallGpt2(), "112", 3},
                         {smallGpt2(), "222"}});
    }
};

QTEST_APPLESS_MAIN(TrainCudaTest)
#include "train_cuda_test.moc"
