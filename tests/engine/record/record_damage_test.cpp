#include "engine/core/error.h"
#include "engine/record/frame.h"
#include "tests/engine/record/record_fixtures.h"

#include <QTest>
#include <csignal>
#include <cstring>
#include <random>
#include <set>
#include <sys/resource.h>

using namespace triaxis;
using namespace triaxis::test;

namespace
{

/// Limits the size of files of this process for a scope, which is how a full disk looks to a
/// writer.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit limit = m_before;
        limit.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before{};
    void (*m_handler)(int);
};

/// Where each undamaged frame of a file begins, and its size.
std::vector<std::pair<std::size_t, std::size_t>> framesOf(const std::vector<std::uint8_t>& content)
{
    std::vector<std::pair<std::size_t, std::size_t>> frames;
    FrameScanner scanner;
    scanner.scan(content, true, [&](const FrameView& frame) {
        frames.emplace_back(std::size_t(frame.offset), frameHeaderBytes + frame.payload.size());
    });
    return frames;
}

} // namespace

/// What is lost, and what is not, when a record file is cut, damaged or cannot grow.
class RecordDamageTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void unknownFrameTypeIsSkipped();
    void tornTailIsCountedOnlyAtTheEnd();
    void frameAfterATornOneIsFoundInAGrowingFile();
    void fullDiskIsAnErrorAndKeepsWhatWasThere();
    void faultStillFitsAfterAFullDisk();
    void damageLosesOnlyTheDamagedFrames();
    void misleadingHeadersDoNotHang();
    void missingEndIsVisible();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void RecordDamageTest::unknownFrameTypeIsSkipped()
{
    const auto file = pathIn(*m_folder, "a.records");
    Bytes content;
    FrameBuilder unknown(content, FrameType(77));
    unknown.payload().put(std::uint64_t(1));
    unknown.finish();
    writeContent(file, content);
    {
        RecordWriter writer(file);
        writer.end(1.0);
    }
    const RecordBatch batch = RecordReader(file).poll(true);
    QCOMPARE(batch.ended.size(), 1u);
    QCOMPARE(batch.tornBytes, 0);
}

void RecordDamageTest::tornTailIsCountedOnlyAtTheEnd()
{
    const auto file = pathIn(*m_folder, "a.records");
    writeRecord(file, 0, 2);
    auto content = contentOf(file);
    const auto last = framesOf(content).back();
    content.resize(last.first + last.second - 5);
    writeContent(file, content);
    RecordReader reader(file);
    QCOMPARE(reader.poll().tornBytes, 0);
    QCOMPARE(reader.offset(), std::int64_t(last.first));
    QCOMPARE(reader.poll(true).tornBytes, std::int64_t(last.second - 5));
}

void RecordDamageTest::frameAfterATornOneIsFoundInAGrowingFile()
{
    const auto file = pathIn(*m_folder, "a.records");
    writeRecord(file, 0, 2);
    auto content = contentOf(file);
    const auto frames = framesOf(content);
    const auto torn = frames[2];
    // The beginning of a frame, and then the whole record once more.
    std::vector<std::uint8_t> mixed(content.begin(),
                                    content.begin() + std::ptrdiff_t(torn.first + torn.second / 2));
    mixed.insert(mixed.end(), content.begin(), content.end());
    writeContent(file, mixed);
    RecordReader reader(file);
    const RecordBatch batch = reader.poll();
    QCOMPARE(batch.ended.size(), 1u);
    QCOMPARE(batch.hellos.size(), 2u);
    QCOMPARE(batch.tornBytes, std::int64_t(torn.second / 2));
}

void RecordDamageTest::fullDiskIsAnErrorAndKeepsWhatWasThere()
{
    const auto file = pathIn(*m_folder, "a.records");
    RecordWriter writer(file);
    writer.span(spanOf(1, 0, Kind::Forward, 0, 1, 2));
    writer.endStep();
    const auto size = std::filesystem::file_size(file);
    {
        const FileSizeLimit limit(size + 100);
        for (int i = 0; i < 50; ++i)
            writer.span(spanOf(2, 0, Kind::Forward, i, 2, 3));
        QVERIFY_EXCEPTION_THROWN(writer.endStep(), Error);
    }
    QCOMPARE(std::filesystem::file_size(file), size);
    const RecordBatch batch = RecordReader(file).poll(true);
    QCOMPARE(batch.spans.size(), 1u);
    QCOMPARE(batch.tornBytes, 0);
}

void RecordDamageTest::faultStillFitsAfterAFullDisk()
{
    const auto file = pathIn(*m_folder, "a.records");
    RecordWriter writer(file);
    const FileSizeLimit limit(600);
    for (int i = 0; i < 50; ++i)
        writer.span(spanOf(1, 0, Kind::Forward, i, 2, 3));
    writer.fault({1, Rank(0), 1, InstructionId(), "the disk is full"});
    const RecordBatch batch = RecordReader(file).poll(true);
    QCOMPARE(batch.faults.size(), 1u);
    QCOMPARE(batch.faults[0].reason, "the disk is full");
}

void RecordDamageTest::damageLosesOnlyTheDamagedFrames()
{
    const auto file = pathIn(*m_folder, "whole.records");
    const auto broken = pathIn(*m_folder, "broken.records");
    writeRecord(file, 0, 12);
    const auto content = contentOf(file);
    const auto frames = framesOf(content);
    std::mt19937 random(20260214);
    for (int round = 0; round < 800; ++round) {
        auto damaged = content;
        std::set<std::size_t> hit;
        const int flips = int(random() % 4);
        for (int i = 0; i < flips; ++i) {
            const std::size_t at = random() % damaged.size();
            damaged[at] = std::uint8_t(damaged[at] ^ (1u << (random() % 8)));
            for (std::size_t f = 0; f < frames.size(); ++f)
                if (at >= frames[f].first && at < frames[f].first + frames[f].second)
                    hit.insert(f);
        }
        if (random() % 2 == 0) {
            damaged.resize(random() % (damaged.size() + 1));
            for (std::size_t f = 0; f < frames.size(); ++f)
                if (frames[f].first + frames[f].second > damaged.size())
                    hit.insert(f);
        }
        // Two flips of one bit undo each other, so that more than the rest may be whole, never
        // less.
        const auto left = framesOf(damaged);
        QVERIFY2(left.size() >= frames.size() - hit.size(), qPrintable(QString::number(round)));
        writeContent(broken, damaged);
        RecordReader reader(broken);
        RecordBatch batch = reader.poll();
        std::size_t seen = batch.steps.size() + batch.memory.size();
        batch = reader.poll(true);
        seen += batch.steps.size() + batch.memory.size();
        std::size_t wanted = 0;
        for (std::size_t f = 0; f < frames.size(); ++f) {
            const auto type = content[frames[f].first + 4];
            const bool counted =
                type == std::uint8_t(FrameType::Memory) || type == std::uint8_t(FrameType::Step);
            wanted += counted && hit.count(f) == 0 ? 1 : 0;
        }
        QVERIFY2(seen >= wanted, qPrintable(QString::number(round)));
        QCOMPARE(reader.offset(), std::int64_t(damaged.size()));
    }
}

void RecordDamageTest::misleadingHeadersDoNotHang()
{
    // Headers every 16 bytes, each of which claims a megabyte.
    Bytes content;
    for (int i = 0; i < 80000; ++i) {
        FrameBuilder frame(content, FrameType::Log);
        frame.finish();
        const std::uint32_t length = largestPayload;
        std::memcpy(content.data() + content.size() - 8, &length, sizeof length);
    }
    const std::size_t lies = content.size();
    FrameBuilder frame(content, FrameType::End);
    frame.payload().put(std::uint64_t(0));
    frame.payload().put(1.0);
    frame.finish();
    const auto file = pathIn(*m_folder, "lies.records");
    writeContent(file, content);
    const RecordBatch batch = RecordReader(file).poll(true);
    QVERIFY(batch.tornBytes >= std::int64_t(lies));
}

void RecordDamageTest::missingEndIsVisible()
{
    const auto file = pathIn(*m_folder, "a.records");
    writeRecord(file, 0, 2);
    auto content = contentOf(file);
    QCOMPARE(RecordReader(file).poll(true).ended.size(), 1u);
    content.resize(framesOf(content).back().first);
    writeContent(file, content);
    const RecordBatch batch = RecordReader(file).poll(true);
    QVERIFY(batch.ended.empty());
    QCOMPARE(batch.steps.size(), 2u);
    QCOMPARE(batch.tornBytes, 0);
}

QTEST_APPLESS_MAIN(RecordDamageTest)
#include "record_damage_test.moc"
