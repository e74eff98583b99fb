#include "machine_fixture.h"
#include "train_support.h"

#include "engine/core/error.h"
#include "engine/cost/rank_work.h"
#include "engine/record/parity.h"

#include <QTest>

#include <cmath>

using namespace triaxis;
using namespace triaxis::test;

namespace
{

const QStringList layouts{"211", "121", "112", "221", "212", "122",
                          "222", "114", "141", "241", "142", "113"};

struct Case
{
    int run = 0;
    int reference = 0;
    QString name;
};

RunPlan planFor(const ModelSpec& model, const QString& layout, const QString& schedule,
                const QString& order)
{
    RunPlan plan = smallPlan(model);
    plan.layout = layoutOf(layout);
    plan.layout.order = parseRankOrder(order.toStdString());
    plan.training.schedule = schedule.toStdString();
    return plan;
}

void checkParity(const RunBatch& batch, const Case& entry)
{
    const ParityReport report =
        compareRuns(batch.directory(entry.run), batch.directory(entry.reference));
    QCOMPARE(report.losses.size(), std::size_t(6));
    for (const LossParity& step : report.losses)
        QVERIFY2(step.within(), qPrintable(QString("%1, step %2: loss off by %3, norm by %4")
                                               .arg(entry.name)
                                               .arg(step.step)
                                               .arg(step.lossError)
                                               .arg(step.normError)));
    QVERIFY(!report.tensors.empty());
    for (const TensorParity& tensor : report.tensors)
        QVERIFY2(tensor.within(), qPrintable(QString("%1: gradient of %2 off by %3, bound %4")
                                                 .arg(entry.name)
                                                 .arg(QString::fromStdString(tensor.name))
                                                 .arg(tensor.error)
                                                 .arg(tensor.bound)));
}

/// Every rank's predicted memory is what its allocator has counted.
void checkMemory(const RunBatch& batch, const Case& entry)
{
    const RunDirectory& directory = batch.directory(entry.run);
    const RunPlan plan = directory.plan();
    const Program program = programOf(plan);
    const MachineRates rates(madeUpMachine(), 1);
    const std::vector<MemorySample> samples = readRun(directory).all.memory;
    QVERIFY(samples.size() >= std::size_t(plan.layout.ranks()));
    for (const MemorySample& sample : samples) {
        const PredictedBytes predicted = rankWork(plan, program, sample.rank, rates).memory;
        const double off = double(predicted.peakTotal) / double(sample.peakTotal) - 1;
        QVERIFY2(std::abs(off) <= 0.05, qPrintable(QString("%1, rank %2, step %3: %4 for %5 bytes")
                                                       .arg(entry.name)
                                                       .arg(sample.rank.value)
                                                       .arg(sample.step)
                                                       .arg(predicted.peakTotal)
                                                       .arg(sample.peakTotal)));
        for (std::size_t i = 0; i < sample.peak.size(); ++i)
            QVERIFY2(std::abs(predicted.peak[i] - sample.peak[i]) <= 64 + sample.peak[i] / 20,
                     qPrintable(QString("%1, rank %2, %3: %4 for %5 bytes")
                                    .arg(entry.name)
                                    .arg(sample.rank.value)
                                    .arg(toText(MemoryCategory(i)))
                                    .arg(predicted.peak[i])
                                    .arg(sample.peak[i])));
    }
}

/// Whatever the network does, the additions happen in the same order.
void checkSameBits(const RunBatch& batch, int a, int b, const QString& name)
{
    const auto first = batch.steps(a), second = batch.steps(b);
    QCOMPARE(first.size(), std::size_t(6));
    QCOMPARE(second.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i)
        QVERIFY2(first[i].loss == second[i].loss && first[i].gradientNorm == second[i].gradientNorm,
                 qPrintable(QString("%1, step %2").arg(name).arg(i + 1)));
    for (const char* file : {"model.safetensors", "gradients-6.safetensors"}) {
        const QByteArray content = contentOf(batch.directory(a).path() / file);
        QVERIFY(!content.isEmpty());
        QVERIFY2(content == contentOf(batch.directory(b).path() / file), qPrintable(name));
    }
}

} // namespace

class TrainLayoutsTest : public QObject
{
    Q_OBJECT

private slots:
    void everyLayoutTrainsTheSameModel_data();
    void everyLayoutTrainsTheSameModel();
    void replicatedKeyValueHeadsTrainTheSameModel();
    void sameLayoutTwiceGivesTheSameBits();
    void transportDoesNotChangeABit_data();
    void transportDoesNotChangeABit();
    void largerMicrobatchesTrainTheSameModel();
};

void TrainLayoutsTest::everyLayoutTrainsTheSameModel_data()
{
    QTest::addColumn<bool>("llama");
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<QString>("order");
    QTest::newRow("gpt2, 1f1b") << false << "1f1b"
                                << "tp-dp-pp";
    QTest::newRow("gpt2, gpipe, pipeline fastest") << false << "gpipe"
                                                   << "pp-tp-dp";
    QTest::newRow("llama, 1f1b, data fastest") << true << "1f1b"
                                               << "dp-pp-tp";
    QTest::newRow("llama, gpipe") << true << "gpipe"
                                  << "tp-dp-pp";
}

void TrainLayoutsTest::everyLayoutTrainsTheSameModel()
{
    QFETCH(bool, llama);
    QFETCH(QString, schedule);
    QFETCH(QString, order);
    const ModelSpec model = llama ? smallLlama() : smallGpt2();
    RunBatch batch;
    const int reference = batch.add(planFor(model, "111", schedule, order));
    std::vector<Case> cases;
    for (const QString& layout : layouts)
        cases.push_back({batch.add(planFor(model, layout, schedule, order)), reference, layout});
    const QString error = batch.run();
    QVERIFY2(error.isEmpty(), qPrintable(error));
    for (const Case& entry : cases) {
        checkParity(batch, entry);
        checkMemory(batch, entry);
        if (QTest::currentTestFailed())
            return;
    }
}

void TrainLayoutsTest::replicatedKeyValueHeadsTrainTheSameModel()
{
    ModelSpec model = smallLlama();
    model.heads = 8;
    model.attentionBias = true;
    model.tiedHead = true;
    RunBatch batch;
    const int reference = batch.add(planFor(model, "111", "1f1b", "tp-dp-pp"));
    std::vector<Case> cases;
    for (const QString layout : {"181", "142", "241"})
        cases.push_back({batch.add(planFor(model, layout, "1f1b", "tp-dp-pp")), reference, layout});
    const QString error = batch.run();
    QVERIFY2(error.isEmpty(), qPrintable(error));
    for (const Case& entry : cases) {
        checkParity(batch, entry);
        checkMemory(batch, entry);
        if (QTest::currentTestFailed())
            return;
    }
}

void TrainLayoutsTest::sameLayoutTwiceGivesTheSameBits()
{
    RunBatch batch;
    for (const QString layout : {"222", "221", "122"}) {
        for (int i = 0; i < 2; ++i)
            batch.add(planFor(smallGpt2(), layout, "1f1b", "tp-dp-pp"));
    }
    const QString error = batch.run();
    QVERIFY2(error.isEmpty(), qPrintable(error));
    checkSameBits(batch, 0, 1, "222");
    checkSameBits(batch, 2, 3, "221");
    checkSameBits(batch, 4, 5, "122");
}

void TrainLayoutsTest::transportDoesNotChangeABit_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::newRow("tiny eager limit")
        << QStringList{"--mca", "btl_vader_eager_limit", "256", "--mca", "btl", "vader,self"};
    QTest::newRow("without single copy") << QStringList{
        "--mca", "btl_vader_single_copy_mechanism", "none", "--mca", "btl", "vader,self"};
    QTest::newRow("over tcp") << QStringList{
        "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"};
}

void TrainLayoutsTest::transportDoesNotChangeABit()
{
    QFETCH(QStringList, options);
    RunBatch batch;
    const QStringList chosen{"112", "122", "114", "222"};
    for (const QString& layout : chosen)
        batch.add(planFor(smallGpt2(), layout, "1f1b", "tp-dp-pp"));
    QString error = batch.run();
    QVERIFY2(error.isEmpty(), qPrintable(error));
    for (const QString& layout : chosen)
        batch.add(planFor(smallGpt2(), layout, "1f1b", "tp-dp-pp"));
    error = batch.run(options);
    QVERIFY2(error.isEmpty(), qPrintable(error));
    for (int i = 0; i < int(chosen.size()); ++i) {
        checkSameBits(batch, i, i + int(chosen.size()), chosen[i]);
        if (QTest::currentTestFailed())
            return;
    }
}

void TrainLayoutsTest::largerMicrobatchesTrainTheSameModel()
{
    RunBatch batch;
    const int reference = batch.add(planFor(smallLlama(), "111", "1f1b", "tp-dp-pp"));
    std::vector<Case> cases;
    for (const int size : {2, 4}) {
        RunPlan plan = planFor(smallLlama(), "212", "1f1b", "tp-dp-pp");
        plan.training.batch.microbatch = size;
        cases.push_back({batch.add(plan), reference, QString("microbatch %1").arg(size)});
    }
    const QString error = batch.run();
    QVERIFY2(error.isEmpty(), qPrintable(error));
    for (const Case& entry : cases) {
        checkParity(batch, entry);
        checkMemory(batch, entry);
        if (QTest::currentTestFailed())
            return;
    }
}

QTEST_APPLESS_MAIN(TrainLayoutsTest)
#include "train_layouts_test.moc"
