// Records that come over standard output lie in the run directory as if their ranks had written
// them.

#include "engine/record/records.h"
#include "launcher/routed_records.h"
#include "tests/engine/record/plan_fixture.h"

#include <QTemporaryDir>
#include <QTest>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

namespace
{

Bytes contentOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(in), {});
}

/// The record of a rank with `steps` steps.
Bytes recorded(const fs::path& file, int rank, int steps)
{
    RecordWriter writer(file);
    HelloRecord hello;
    hello.rank = Rank(rank);
    writer.hello(hello);
    for (int i = 1; i <= steps; ++i) {
        StepResult step;
        step.step = i;
        step.loss = i;
        writer.step(step);
        writer.endStep();
    }
    writer.end(1);
    return contentOf(file);
}

std::string tagged(int rank, const std::string& text)
{
    return "[1," + std::to_string(rank) + "]<stdout>:" + text;
}

} // namespace

class RoutedRecordsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = m_folder->path().toStdString();
        m_run = RunDirectory::create(m_home, smallPlan(2, 1, 1), {});
    }
    void recordsOfAllRanksAreWhole();
    void aLostPieceTearsOnlyItself();
    void wordsReachTheLogWithoutTags();

private:
    /// Hands `text` over in pipes, as mpirun does; the pieces that came damaged.
    std::int64_t hand(const std::string& text, const std::string& words = {})
    {
        std::int64_t damaged = 0;
        OutputLog log(m_run->standardError());
        RoutedRecords routed(*m_run, 2, log);
        int pipes[2][2];
        for (auto& ends : pipes)
            if (::pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0)
                qFatal("no pipe");
        if (::write(pipes[1][1], words.data(), words.size()) != ssize_t(words.size()))
            qFatal("the pipe is full");
        for (std::size_t at = 0; at < text.size(); at += 1000) {
            const std::string part = text.substr(at, 1000);
            if (::write(pipes[0][1], part.data(), part.size()) != ssize_t(part.size()))
                qFatal("the pipe is full");
            routed.drain(pipes[0][0], pipes[1][0]);
        }
        routed.drain(pipes[0][0], pipes[1][0]);
        damaged = routed.damaged();
        for (const auto& ends : pipes) {
            ::close(ends[0]);
            ::close(ends[1]);
        }
        return damaged;
    }
    /// In pieces of 300 bytes.
    std::vector<std::string> pieces(int rank, const Bytes& bytes)
    {
        std::vector<std::string> texts;
        for (std::size_t at = 0; at < bytes.size(); at += 300)
            texts.push_back(routedText(
                {RoutedFile::Records, Rank(rank), std::int64_t(at),
                 Bytes(bytes.begin() + std::ptrdiff_t(at),
                       bytes.begin() + std::ptrdiff_t(std::min(bytes.size(), at + 300)))}));
        return texts;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_home;
    std::optional<RunDirectory> m_run;
};

void RoutedRecordsTest::recordsOfAllRanksAreWhole()
{
    const Bytes first = recorded(m_home / "a", 0, 20);
    const Bytes second = recorded(m_home / "b", 1, 30);
    const auto a = pieces(0, first);
    const auto b = pieces(1, second);
    std::string text;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        if (i < a.size())
            text += tagged(0, a[i]);
        if (i < b.size()) // cut in the middle, as mpirun cuts
            text += tagged(1, b[i].substr(0, 50)) + tagged(1, b[i].substr(50));
    }
    QCOMPARE(int(hand(text)), 0);
    QVERIFY(contentOf(m_run->recordFile(Rank(0))) == first);
    QVERIFY(contentOf(m_run->recordFile(Rank(1))) == second);
}

void RoutedRecordsTest::aLostPieceTearsOnlyItself()
{
    auto parts = pieces(1, recorded(m_home / "b", 1, 40));
    QVERIFY(parts.size() > 4);
    parts[2][20] = '!';
    std::string text;
    for (const std::string& part : parts)
        text += tagged(1, part);
    QCOMPARE(int(hand(text)), 1);
    const RunRecords records = readRun(*m_run);
    QVERIFY(records.all.tornBytes >= 300);
    QVERIFY(records.all.steps.size() >= 20 && records.all.steps.size() < 40);
    QCOMPARE(int(records.all.ended.size()), 1);
    const Bytes log = contentOf(m_run->standardError());
    QVERIFY(QByteArray(reinterpret_cast<const char*>(log.data()), int(log.size()))
                .contains("1 pieces of records came damaged"));
}

void RoutedRecordsTest::wordsReachTheLogWithoutTags()
{
    QCOMPARE(int(hand("", "[1,1]<stderr>:rank 1: trouble\n")), 0);
    const Bytes log = contentOf(m_run->standardError());
    QCOMPARE(QByteArray(reinterpret_cast<const char*>(log.data()), int(log.size())),
             QByteArray("rank 1: trouble\n"));
}

QTEST_APPLESS_MAIN(RoutedRecordsTest)
#include "routed_records_test.moc"
