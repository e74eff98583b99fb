#include "engine/formats/safetensors.h"
#include "tests/engine/core/expect_error.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

using namespace triaxis;
using nlohmann::json;

namespace
{

std::vector<float> valuesOf(const SafetensorsFile& file, const std::string& name)
{
    const TensorInfo* tensor = file.find(name);
    if (!tensor)
        return {};
    std::int64_t count = 1;
    for (const std::int64_t size : tensor->shape)
        count *= size;
    std::vector<float> values(std::size_t(count), -99.0f);
    file.read(*tensor, 0, count, values.data());
    return values;
}

} // namespace

class SafetensorsWriterTest : public QObject
{
    Q_OBJECT

private slots:
    void writesWhatItReads();
    void piecesMayComeInAnyOrder();
    void nothingAppearsUntilFinished();
    void replacesAnOlderFileOnlyWhenFinished();
    void refusesIncompleteTensorsAndWrongPieces();
    void reportsWhereItCannotWrite();
    void aFullDiskLeavesNothingBehind();

private:
    QTemporaryDir m_folder;
};

void SafetensorsWriterTest::writesWhatItReads()
{
    const std::string path = m_folder.filePath("out.safetensors").toStdString();
    const std::vector<float> a{1, -2.5f, std::numeric_limits<float>::denorm_min()}, b(1000, 0.5f);
    SafetensorsWriter writer(path, {{"h.0.a", {3}}, {"b", {10, 100}}, {"nothing", {0, 4}}});
    writer.write("h.0.a", 0, 3, a.data());
    writer.write("b", 0, 1000, b.data());
    writer.finish();
    const SafetensorsFile file(path);
    QVERIFY(valuesOf(file, "h.0.a") == a);
    QVERIFY(valuesOf(file, "b") == b);
    QVERIFY((file.find("b")->shape == std::vector<std::int64_t>{10, 100}));
    QVERIFY((file.find("nothing")->shape == std::vector<std::int64_t>{0, 4}));
    QFile raw(QString::fromStdString(path));
    QVERIFY(raw.open(QIODevice::ReadOnly));
    quint64 length = 0;
    QCOMPARE(raw.read(reinterpret_cast<char*>(&length), sizeof length), qint64(sizeof length));
    QCOMPARE(length % 8, quint64(0));
    const json header = json::parse(raw.read(qint64(length)).toStdString());
    QCOMPARE(header.at("__metadata__").at("format").get<std::string>(), std::string("pt"));
    QCOMPARE(raw.size(), qint64(8 + length + 4012));
}

void SafetensorsWriterTest::piecesMayComeInAnyOrder()
{
    const std::string path = m_folder.filePath("pieces.safetensors").toStdString();
    constexpr int count = 400, piece = 7;
    std::vector<float> values(count);
    for (int i = 0; i < count; ++i)
        values[std::size_t(i)] = float(i) * 0.25f;
    std::vector<int> starts;
    for (int first = 0; first < count; first += piece)
        starts.push_back(first);
    std::shuffle(starts.begin(), starts.end(), std::mt19937(3));
    SafetensorsWriter writer(path, {{"a", {count}}, {"b", {20, 20}}});
    for (const int first : starts) {
        for (const char* name : {"b", "a"})
            writer.write(name, first, std::min(piece, count - first), values.data() + first);
    }
    writer.finish();
    const SafetensorsFile file(path);
    QVERIFY(valuesOf(file, "a") == values);
    QVERIFY(valuesOf(file, "b") == values);
}

void SafetensorsWriterTest::nothingAppearsUntilFinished()
{
    QDir(m_folder.path()).mkdir("fresh");
    const QDir folder(m_folder.filePath("fresh"));
    const float value = 1;
    {
        SafetensorsWriter writer(folder.filePath("m.safetensors").toStdString(), {{"a", {1}}});
        writer.write("a", 0, 1, &value);
        QVERIFY(!folder.exists("m.safetensors"));
    }
    QVERIFY(folder.isEmpty());
}

void SafetensorsWriterTest::replacesAnOlderFileOnlyWhenFinished()
{
    const std::string path = m_folder.filePath("twice.safetensors").toStdString();
    for (const float value : {1.0f, 2.0f}) {
        SafetensorsWriter writer(path, {{"a", {1}}});
        writer.write("a", 0, 1, &value);
        if (value > 1)
            QCOMPARE(valuesOf(SafetensorsFile(path), "a").front(), 1.0f);
        writer.finish();
    }
    QCOMPARE(valuesOf(SafetensorsFile(path), "a").front(), 2.0f);
}

void SafetensorsWriterTest::refusesIncompleteTensorsAndWrongPieces()
{
    const std::string path = m_folder.filePath("bad.safetensors").toStdString();
    const float values[4] = {1, 2, 3, 4};
    SafetensorsWriter writer(path, {{"a", {4}}});
    writer.write("a", 0, 2, values);
    writer.write("a", 1, 2, values);
    QVERIFY(errorText([&] { writer.finish(); }).contains("tensor a is not complete"));
    QVERIFY(errorText([&] { writer.write("b", 0, 1, values); }).contains("no tensor b"));
    QVERIFY(errorText([&] { writer.write("a", 3, 2, values); }).contains("do not fit"));
    QVERIFY(errorText([&] { writer.write("a", -1, 2, values); }).contains("do not fit"));
    QVERIFY(errorText([&] {
                writer.write("a", 1, std::numeric_limits<std::int64_t>::max(), values);
            }).contains("do not fit"));
    writer.write("a", 3, 1, values + 3);
    writer.finish();
    QVERIFY((valuesOf(SafetensorsFile(path), "a") == std::vector<float>{1, 1, 2, 4}));
    QVERIFY(errorOf([&] { writer.finish(); }));
    QVERIFY(errorOf([&] { writer.write("a", 0, 1, values); }));
    QVERIFY(errorText([&] {
                SafetensorsWriter(path, {{"a", {1}}, {"a", {1}}});
            }).contains("tensor a"));
    QVERIFY(errorText([&] {
                SafetensorsWriter(path, {{"a", {-1}}});
            }).contains("impossible shape"));
}

void SafetensorsWriterTest::reportsWhereItCannotWrite()
{
    QVERIFY(errorText([&] {
                SafetensorsWriter(m_folder.filePath("no/folder/m").toStdString(), {});
            }).contains("No such file"));
}

void SafetensorsWriterTest::aFullDiskLeavesNothingBehind()
{
    // More than any disk has: the space is asked for before anything is computed.
    QDir(m_folder.path()).mkdir("full");
    const QDir folder(m_folder.filePath("full"));
    const std::int64_t huge = std::int64_t(1) << 56;
    const QString text = errorText([&] {
        SafetensorsWriter(folder.filePath("m").toStdString(), {{"a", {huge}}});
    });
    QVERIFY2(text.startsWith("cannot write the weights: "), qPrintable(text));
    QVERIFY(folder.isEmpty());
}

QTEST_APPLESS_MAIN(SafetensorsWriterTest)
#include "safetensors_writer_test.moc"
