#include "engine/record/clock_track.h"
#include "tests/engine/record/record_fixtures.h"

#include <QTest>

using namespace triaxis;
using namespace triaxis::test;

namespace
{

void appendTo(const std::filesystem::path& file, const std::vector<std::uint8_t>& content,
              std::size_t from, std::size_t to)
{
    std::ofstream out(file, std::ios::binary | std::ios::app);
    out.write(reinterpret_cast<const char*>(content.data() + from), std::streamsize(to - from));
}

std::size_t records(const RecordBatch& batch)
{
    return batch.hellos.size() + batch.clocks.size() + batch.spans.size() + batch.memory.size() +
           batch.steps.size() + batch.logs.size() + batch.faults.size() + batch.ended.size();
}

} // namespace

class RecordsTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void everyRecordComesBackAsItWasWritten();
    void readerFollowsAGrowingFile();
    void bytesThatArriveOneByOneAreReadOnce();
    void missingFileIsNoError();
    void logIsOnDiskAtOnceAndSpansWithTheirStep();
    void aStepIsOneWriteAndDropsSpansWhenThinned();
    void faultBringsTheUnfinishedStepWithIt();
    void spansOfAStepLargerThanAFrameAllArrive();
    void clockIsInterpolatedBetweenMeasurements();
    void timesComeOnRankZerosClock();
    void costIsMeasured();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void RecordsTest::everyRecordComesBackAsItWasWritten()
{
    const auto file = pathIn(*m_folder, "a.records");
    Span span = spanOf(4, 3, Kind::ReceiveGradient, 5, 1.25, 1.75);
    span.begin = 1.5;
    span.lane = Lane::ReceiveNext;
    span.bytes = 1234567890123;
    span.flops = 987654321;
    span.tensorWait = 0.001;
    span.tensorTransfer = 0.002;
    MemorySample sample;
    sample.step = 4;
    sample.rank = Rank(3);
    sample.time = 1.6;
    for (std::size_t i = 0; i < memoryCategoryCount; ++i) {
        sample.live[i] = std::int64_t(10 + i);
        sample.peak[i] = std::int64_t(20 + i);
    }
    sample.peakTotal = 77;
    const StepResult result{4, 2.5, 1.125, 1.0, 0.75, 512};
    {
        RecordWriter writer(file);
        HelloRecord hello;
        hello.rank = Rank(3);
        hello.host = "nodé";
        hello.pid = 4321;
        hello.device = "CPU, 1 thread";
        hello.blas = "OpenBLAS 0.3.21 SkylakeX";
        hello.mpi = "Open MPI 4.1.4";
        writer.hello(hello);
        writer.log(LogLevel::Warning, 0.5, "slow");
        writer.span(span);
        writer.memory(sample);
        writer.step(result);
        writer.endStep();
        writer.fault({2.0, Rank(3), 4, span.id, "the loss is not finite"});
        writer.end(3.0);
    }
    const RecordBatch batch = RecordReader(file).poll(true);
    QCOMPARE(batch.hellos.size(), 1u);
    QCOMPARE(batch.hellos[0].host, "nodé");
    QCOMPARE(batch.hellos[0].pid, 4321);
    QCOMPARE(batch.hellos[0].blas, "OpenBLAS 0.3.21 SkylakeX");
    QCOMPARE(batch.hellos[0].mpi, "Open MPI 4.1.4");
    QCOMPARE(batch.hellos[0].device, "CPU, 1 thread");
    QCOMPARE(batch.logs.size(), 1u);
    QCOMPARE(batch.logs[0].text, "slow");
    QVERIFY(batch.logs[0].level == LogLevel::Warning);
    QCOMPARE(batch.logs[0].rank.value, 3);
    QCOMPARE(batch.spans.size(), 1u);
    const Span& back = batch.spans[0];
    QCOMPARE(back.step, 4);
    QCOMPARE(back.rank.value, 3);
    QVERIFY(back.id == span.id);
    QVERIFY(back.lane == Lane::ReceiveNext);
    QCOMPARE(back.ready, 1.25);
    QCOMPARE(back.begin, 1.5);
    QCOMPARE(back.end, 1.75);
    QCOMPARE(back.bytes, span.bytes);
    QCOMPARE(back.flops, span.flops);
    QCOMPARE(back.tensorWait, 0.001);
    QCOMPARE(back.tensorTransfer, 0.002);
    QCOMPARE(batch.memory.size(), 1u);
    QVERIFY(batch.memory[0].live == sample.live);
    QVERIFY(batch.memory[0].peak == sample.peak);
    QCOMPARE(batch.memory[0].peakTotal, 77);
    QCOMPARE(batch.steps.size(), 1u);
    QCOMPARE(batch.steps[0].loss, 2.5);
    QCOMPARE(batch.steps[0].gradientNorm, 1.125);
    QCOMPARE(batch.steps[0].seconds, 0.75);
    QCOMPARE(batch.steps[0].tokens, 512);
    QCOMPARE(batch.faults.size(), 1u);
    QCOMPARE(batch.faults[0].reason, "the loss is not finite");
    QVERIFY(batch.faults[0].id == span.id);
    QCOMPARE(batch.ended.size(), 1u);
    QCOMPARE(batch.ended[0].value, 3);
    QCOMPARE(batch.tornBytes, 0);
}

void RecordsTest::readerFollowsAGrowingFile()
{
    const auto file = pathIn(*m_folder, "a.records");
    RecordReader reader(file);
    QVERIFY(reader.poll().empty());
    RecordWriter writer(file);
    QVERIFY(reader.poll().empty());
    for (int step = 1; step <= 5; ++step) {
        writer.span(spanOf(step, 0, Kind::Forward, 0, step, step + 0.5));
        writer.endStep();
        const RecordBatch batch = reader.poll();
        QCOMPARE(batch.spans.size(), 1u);
        QCOMPARE(batch.spans[0].step, step);
        QVERIFY(reader.poll().empty());
    }
    QCOMPARE(reader.offset(), std::int64_t(std::filesystem::file_size(file)));
}

void RecordsTest::bytesThatArriveOneByOneAreReadOnce()
{
    const auto whole = pathIn(*m_folder, "whole.records");
    const auto grown = pathIn(*m_folder, "grown.records");
    writeRecord(whole, 1, 3);
    const auto content = contentOf(whole);
    RecordReader reader(grown);
    std::size_t seen = 0;
    std::int64_t torn = 0;
    for (std::size_t i = 0; i < content.size(); ++i) {
        appendTo(grown, content, i, i + 1);
        const RecordBatch batch = reader.poll();
        seen += records(batch);
        torn += batch.tornBytes;
    }
    QCOMPARE(seen, records(RecordReader(whole).poll(true)));
    QCOMPARE(torn, 0);
}

void RecordsTest::missingFileIsNoError()
{
    RecordReader reader(pathIn(*m_folder, "none.records"));
    QVERIFY(reader.poll().empty());
    QVERIFY(reader.poll(true).empty());
}

void RecordsTest::logIsOnDiskAtOnceAndSpansWithTheirStep()
{
    const auto file = pathIn(*m_folder, "a.records");
    RecordReader reader(file);
    RecordWriter writer(file);
    writer.span(spanOf(1, 0, Kind::Forward, 0, 1, 2));
    writer.log(LogLevel::Info, 1, "now");
    RecordBatch batch = reader.poll();
    QCOMPARE(batch.logs.size(), 1u);
    QCOMPARE(batch.spans.size(), 0u);
    writer.endStep();
    batch = reader.poll();
    QCOMPARE(batch.spans.size(), 1u);
}

void RecordsTest::aStepIsOneWriteAndDropsSpansWhenThinned()
{
    const auto file = pathIn(*m_folder, "a.records");
    RecordReader reader(file);
    RecordWriter writer(file);
    for (int i = 0; i < 10; ++i)
        writer.span(spanOf(1, 0, Kind::Forward, i, 1, 2));
    StepResult result;
    result.step = 1;
    writer.step(result);
    writer.endStep(false);
    const RecordBatch batch = reader.poll();
    QCOMPARE(batch.spans.size(), 0u);
    QCOMPARE(batch.droppedSpans, 10);
    QCOMPARE(batch.steps.size(), 1u);
}

void RecordsTest::faultBringsTheUnfinishedStepWithIt()
{
    const auto file = pathIn(*m_folder, "a.records");
    RecordReader reader(file);
    RecordWriter writer(file);
    writer.span(spanOf(9, 2, Kind::Backward, 1, 1, 2));
    writer.fault({2.0, Rank(2), 9, InstructionId(Kind::Backward, Chunk(0), Microbatch(1)), "why"});
    const RecordBatch batch = reader.poll();
    QCOMPARE(batch.spans.size(), 1u);
    QCOMPARE(batch.faults.size(), 1u);
}

void RecordsTest::spansOfAStepLargerThanAFrameAllArrive()
{
    const auto file = pathIn(*m_folder, "a.records");
    constexpr int count = 100000;
    RecordWriter writer(file);
    for (int i = 0; i < count; ++i)
        writer.span(spanOf(1, 0, Kind::Forward, i, i, i + 1));
    writer.endStep();
    const RecordBatch batch = RecordReader(file).poll(true);
    QCOMPARE(batch.spans.size(), std::size_t(count));
    for (int i = 0; i < count; ++i)
        QVERIFY(batch.spans[std::size_t(i)].id.microbatch().value == i);
}

void RecordsTest::clockIsInterpolatedBetweenMeasurements()
{
    ClockTrack clock;
    QCOMPARE(clock.toRankZero(5), 5.0);
    clock.add({10, 1.0, 0.001, 1e-6});
    QCOMPARE(clock.toRankZero(20), 20 + 1.0 + 0.001 * 10);
    QCOMPARE(clock.toRankZero(0), 0 + 1.0 - 0.001 * 10);
    clock.add({20, 2.0, 0.002, 3e-6});
    QCOMPARE(clock.toRankZero(15), 16.5);
    QCOMPARE(clock.toRankZero(10), 11.0);
    QCOMPARE(clock.toRankZero(20), 22.0);
    QCOMPARE(clock.toRankZero(30), 30 + 2.0 + 0.002 * 10);
    QCOMPARE(clock.worstError(), 3e-6);
}

void RecordsTest::timesComeOnRankZerosClock()
{
    const auto file = pathIn(*m_folder, "a.records");
    RecordWriter writer(file);
    writer.clock({0, 100.0, 0, 1e-6});
    Span span = spanOf(1, 1, Kind::Forward, 0, 1, 2);
    span.tensorWait = 0.25;
    writer.span(span);
    MemorySample sample;
    sample.time = 3;
    writer.memory(sample);
    StepResult result;
    result.begin = 1;
    result.seconds = 5;
    writer.step(result);
    writer.endStep();
    writer.log(LogLevel::Info, 4, "text");
    const RecordBatch batch = RecordReader(file).poll(true);
    QCOMPARE(batch.spans[0].ready, 101.0);
    QCOMPARE(batch.spans[0].end, 102.0);
    QCOMPARE(batch.spans[0].tensorWait, 0.25);
    QCOMPARE(batch.memory[0].time, 103.0);
    QCOMPARE(batch.steps[0].begin, 101.0);
    QCOMPARE(batch.steps[0].seconds, 5.0);
    QCOMPARE(batch.logs[0].time, 104.0);
}

void RecordsTest::costIsMeasured()
{
    RecordWriter writer(pathIn(*m_folder, "a.records"));
    const double before = writer.cpuSeconds();
    constexpr int count = 200000;
    for (int i = 0; i < count; ++i)
        writer.span(spanOf(1, 0, Kind::Forward, i, i, i + 1));
    writer.endStep();
    const double cost = writer.cpuSeconds() - before;
    QVERIFY(cost > 0);
    qInfo("%.0f ns a span", cost / count * 1e9);
}

QTEST_APPLESS_MAIN(RecordsTest)
#include "records_test.moc"
