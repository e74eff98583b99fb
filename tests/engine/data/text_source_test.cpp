#include "engine/data/text_source.h"
#include "tests/engine/core/expect_error.h"
#include "tests/engine/model/model_fixture.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <set>
#include <sys/stat.h>

using namespace triaxis;

class TextSourceTest : public QObject
{
    Q_OBJECT

private slots:
    void windowsCoverTheTextWithEndOfText_data();
    void windowsCoverTheTextWithEndOfText();
    void everyEpochShowsEveryWindowOnce();
    void orderDependsOnTheSeedOnly();
    void bytesAreUnsigned();
    void refusesWhatHoldsNoSequence();
    void aFileThatShrinksIsReported();
    void needsAVocabularyForBytes();
    void layoutsSeeTheSameSamples();

private:
    std::string put(const QByteArray& content)
    {
        QFile file(m_folder.filePath("text"));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("the fixture cannot be written");
        return file.fileName().toStdString();
    }

    QTemporaryDir m_folder;
};

namespace
{

std::vector<std::int32_t> sampleOf(const TokenSource& source, std::int64_t index, int sequence)
{
    std::vector<std::int32_t> tokens(std::size_t(sequence) + 1, -7);
    source.sample(index, tokens.data());
    return tokens;
}

QByteArray countingBytes(int count)
{
    QByteArray data;
    for (int i = 0; i < count; ++i)
        data.append(char(i));
    return data;
}

} // namespace

void TextSourceTest::windowsCoverTheTextWithEndOfText_data()
{
    QTest::addColumn<int>("bytes");
    QTest::addColumn<int>("sequence");
    QTest::addColumn<int>("windows");
    QTest::newRow("whole windows") << 12 << 4 << 3;
    QTest::newRow("a rest") << 14 << 4 << 3;
    QTest::newRow("one window exactly") << 4 << 4 << 1;
    QTest::newRow("one window and a rest") << 7 << 4 << 1;
    QTest::newRow("single tokens") << 5 << 1 << 5;
    QTest::newRow("one byte") << 1 << 1 << 1;
}

void TextSourceTest::windowsCoverTheTextWithEndOfText()
{
    QFETCH(int, bytes);
    QFETCH(int, sequence);
    QFETCH(int, windows);
    const TextSource source(put(countingBytes(bytes)), sequence, 1);
    QCOMPARE(source.windows(), windows);
    std::set<std::vector<std::int32_t>> expected, seen;
    for (int window = 0; window < windows; ++window) {
        std::vector<std::int32_t> tokens;
        for (int i = 0; i <= sequence; ++i) {
            const int at = window * sequence + i;
            tokens.push_back(at < bytes ? at : endOfText);
        }
        expected.insert(tokens);
    }
    for (int index = 0; index < windows; ++index)
        seen.insert(sampleOf(source, index, sequence));
    QVERIFY(seen == expected);
}

void TextSourceTest::everyEpochShowsEveryWindowOnce()
{
    const TextSource source(put(countingBytes(200)), 7, 4);
    std::vector<std::set<std::int32_t>> epochs(3);
    for (std::int64_t index = 0; index < 3 * source.windows(); ++index)
        epochs[std::size_t(index / source.windows())].insert(sampleOf(source, index, 7).front());
    for (const auto& epoch : epochs)
        QCOMPARE(std::int64_t(epoch.size()), source.windows());
}

void TextSourceTest::orderDependsOnTheSeedOnly()
{
    const std::string path = put(countingBytes(250));
    const TextSource a(path, 5, 1), same(path, 5, 1), other(path, 5, 2);
    int different = 0, epochsDiffer = 0;
    for (std::int64_t index = 0; index < a.windows(); ++index) {
        QVERIFY(sampleOf(a, index, 5) == sampleOf(same, index, 5));
        different += sampleOf(a, index, 5) != sampleOf(other, index, 5);
        epochsDiffer += sampleOf(a, index, 5) != sampleOf(a, index + a.windows(), 5);
    }
    QVERIFY(different > 40 && epochsDiffer > 40);
}

void TextSourceTest::bytesAreUnsigned()
{
    const TextSource source(put(QByteArray("\xff\x80\x00\x7f", 4)), 4, 1);
    QVERIFY((sampleOf(source, 0, 4) == std::vector<std::int32_t>{255, 128, 0, 127, endOfText}));
    QCOMPARE(source.vocabulary(), 257);
    QCOMPARE(source.bestLoss(), -1.0);
}

void TextSourceTest::refusesWhatHoldsNoSequence()
{
    const std::string folder = m_folder.path().toStdString();
    QVERIFY(errorText([&] { TextSource(put(""), 4, 1); }).contains("is empty"));
    QVERIFY(errorText([&] {
                TextSource(put("abc"), 4, 1);
            }).contains("has 3 bytes, too few for one sequence of 4"));
    QVERIFY(errorText([&] { TextSource(folder, 4, 1); }).contains("no regular file"));
    QVERIFY(errorText([&] { TextSource(folder + "/none", 4, 1); }).contains("No such file"));
    QCOMPARE(::mkfifo((folder + "/pipe").c_str(), 0600), 0);
    QVERIFY(errorText([&] { TextSource(folder + "/pipe", 4, 1); }).contains("no regular file"));
    QVERIFY(errorText([] { TextSource("/dev/zero", 4, 1); }).contains("no regular file"));
}

void TextSourceTest::aFileThatShrinksIsReported()
{
    const std::string path = put(countingBytes(100));
    const TextSource source(path, 10, 1);
    put("short");
    QVERIFY(errorText([&] {
                for (std::int64_t index = 0; index < source.windows(); ++index)
                    sampleOf(source, index, 10);
            }).contains("has become shorter"));
}

void TextSourceTest::needsAVocabularyForBytes()
{
    RunPlan plan;
    plan.model = smallGpt2();
    plan.training.batch.sequence = 4;
    plan.data.kind = DataKind::Text;
    plan.data.path = put("some text");
    QCOMPARE(makeTokenSource(plan)->vocabulary(), byteVocabulary);
    plan.model.vocabulary = 256;
    QVERIFY(errorText([&] { makeTokenSource(plan); }).contains("has 256 vocabulary entries"));
    plan.training.batch.sequence = 0;
    QVERIFY(errorOf([&] { makeTokenSource(plan); }));
}

void TextSourceTest::layoutsSeeTheSameSamples()
{
    RunPlan plan;
    plan.model = smallGpt2();
    plan.training.batch = {4, 1, 6};
    plan.data.kind = DataKind::Text;
    plan.data.path = put(countingBytes(120));
    const auto one = makeTokenSource(plan);
    plan.layout.dp = 2;
    plan.layout.pp = 2;
    plan.training.batch.microbatch = 2;
    const auto two = makeTokenSource(plan);
    for (std::int64_t index = 0; index < 50; ++index)
        QVERIFY(sampleOf(*one, index, 6) == sampleOf(*two, index, 6));
}

QTEST_APPLESS_MAIN(TextSourceTest)
#include "text_source_test.moc"
