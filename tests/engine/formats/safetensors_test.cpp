#include "engine/formats/safetensors.h"
#include "tests/engine/core/expect_error.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <sys/stat.h>

using namespace triaxis;
using nlohmann::json;

namespace
{

/// A file as the format says: length of the header, header, data.
QByteArray fileOf(const QByteArray& header, const QByteArray& data)
{
    const quint64 length = quint64(header.size());
    return QByteArray(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
}

template <class Value>
QByteArray bytesOf(std::initializer_list<Value> values)
{
    return QByteArray(reinterpret_cast<const char*>(values.begin()),
                      qsizetype(values.size() * sizeof(Value)));
}

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

class SafetensorsTest : public QObject
{
    Q_OBJECT

private slots:
    void readsNamesShapesAndValues();
    void convertsEveryFloatingType();
    void convertsEveryHalfPrecisionNumber();
    void integersAreListedAndNotRead();
    void readsPartsOfATensor();
    void refusesPartsOutsideTheTensor();
    void findsNamesWithAndWithoutPrefixes();
    void scalarsAndEmptyTensorsAreAllowed();
    void refusesHostileHeaders_data();
    void refusesHostileHeaders();
    void refusesPathsThatAreNoFiles();
    void everyCutShortFileIsRefused();
    void mutatedFilesNeverCrash();

private:
    QString put(const QByteArray& content)
    {
        const QString path = m_folder.filePath("case.safetensors");
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("the fixture cannot be written");
        return path;
    }
    SafetensorsFile open(const QByteArray& content)
    {
        return SafetensorsFile(put(content).toStdString());
    }

    QTemporaryDir m_folder;
};

void SafetensorsTest::readsNamesShapesAndValues()
{
    const SafetensorsFile file = open(fileOf(
        R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[2,3],"data_offsets":[8,32]},)"
        R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}   )",
        bytesOf<float>({10, 20, 1, 2, 3, 4, 5, 6})));
    QCOMPARE(file.tensors().size(), std::size_t(2));
    QCOMPARE(file.tensors()[0].name, std::string("a"));
    QCOMPARE(file.tensors()[1].name, std::string("b"));
    QVERIFY((file.find("b")->shape == std::vector<std::int64_t>{2, 3}));
    QVERIFY((valuesOf(file, "a") == std::vector<float>{10, 20}));
    QVERIFY((valuesOf(file, "b") == std::vector<float>{1, 2, 3, 4, 5, 6}));
    QVERIFY(file.find("c") == nullptr);
}

void SafetensorsTest::convertsEveryFloatingType()
{
    // The header has an odd length, so that no tensor lies aligned in memory.
    const QByteArray data = bytesOf<double>({1.5, -2.0, 1e-40}) + bytesOf<float>({0.25f, -7.0f}) +
                            bytesOf<quint16>({0x3c00, 0xc000, 0x7bff}) +
                            bytesOf<quint16>({0x3f80, 0xc040});
    const SafetensorsFile file =
        open(fileOf(R"({"d":{"dtype":"F64","shape":[3],"data_offsets":[0,24]},)"
                    R"("f":{"dtype":"F32","shape":[2],"data_offsets":[24,32]},)"
                    R"("h":{"dtype":"F16","shape":[3],"data_offsets":[32,38]},)"
                    R"("b":{"dtype":"BF16","shape":[2],"data_offsets":[38,42]}}  )",
                    data));
    QVERIFY((valuesOf(file, "d") == std::vector<float>{1.5f, -2.0f, 1e-40f}));
    QVERIFY((valuesOf(file, "f") == std::vector<float>{0.25f, -7.0f}));
    QVERIFY((valuesOf(file, "h") == std::vector<float>{1.0f, -2.0f, 65504.0f}));
    QVERIFY((valuesOf(file, "b") == std::vector<float>{1.0f, -3.0f}));
}

void SafetensorsTest::convertsEveryHalfPrecisionNumber()
{
    QByteArray data;
    for (int bits = 0; bits < 65536; ++bits) {
        const auto half = quint16(bits);
        data.append(reinterpret_cast<const char*>(&half), sizeof half);
    }
    const std::vector<float> values = valuesOf(
        open(fileOf(R"({"h":{"dtype":"F16","shape":[65536],"data_offsets":[0,131072]}})", data)),
        "h");
    QCOMPARE(values.size(), std::size_t(65536));
    for (int bits = 0; bits < 65536; ++bits) {
        const int sign = bits >> 15, exponent = (bits >> 10) & 31, mantissa = bits & 1023;
        const float value = values[std::size_t(bits)];
        QCOMPARE(std::signbit(value), sign == 1);
        if (exponent == 31)
            QVERIFY(mantissa ? std::isnan(value) : std::isinf(value));
        else if (exponent == 0)
            QCOMPARE(std::fabs(value), float(std::ldexp(mantissa, -24)));
        else
            QCOMPARE(std::fabs(value), float(std::ldexp(1024 + mantissa, exponent - 25)));
    }
}

void SafetensorsTest::integersAreListedAndNotRead()
{
    const SafetensorsFile file =
        open(fileOf(R"({"h.0.attn.bias":{"dtype":"BOOL","shape":[1,1,2,2],"data_offsets":[0,4]}})",
                    QByteArray("\1\0\1\1", 4)));
    const TensorInfo* tensor = file.find("transformer.h.0.attn.bias");
    QVERIFY(tensor);
    float value = 0;
    QVERIFY(errorText([&] { file.read(*tensor, 0, 1, &value); }).contains("has the type BOOL"));
}

void SafetensorsTest::readsPartsOfATensor()
{
    const SafetensorsFile file =
        open(fileOf(R"({"a":{"dtype":"F64","shape":[5],"data_offsets":[0,40]}})",
                    bytesOf<double>({0, 1, 2, 3, 4})));
    float values[3] = {-1, -1, -1};
    file.read(*file.find("a"), 1, 2, values);
    QVERIFY(values[0] == 1 && values[1] == 2 && values[2] == -1);
    file.read(*file.find("a"), 4, 1, values);
    QCOMPARE(values[0], 4.0f);
    file.read(*file.find("a"), 5, 0, nullptr);
}

void SafetensorsTest::refusesPartsOutsideTheTensor()
{
    const SafetensorsFile file = open(fileOf(
        R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", bytesOf<float>({1, 2})));
    float values[8];
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (const auto& [first, count] : {std::pair<std::int64_t, std::int64_t>{0, 3},
                                       {-1, 1},
                                       {2, 1},
                                       {0, -1},
                                       {1, most},
                                       {most, 1}})
        QVERIFY(errorText([&] {
                    file.read(*file.find("a"), first, count, values);
                }).contains("tensor a has 2 elements"));
}

void SafetensorsTest::findsNamesWithAndWithoutPrefixes()
{
    const auto with = [&](const char* name) {
        const json header{{name, {{"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {0, 4}}}}};
        return open(fileOf(QByteArray::fromStdString(header.dump()), bytesOf<float>({1})));
    };
    QVERIFY(with("transformer.wte.weight").find("wte.weight"));
    QVERIFY(with("wte.weight").find("wte.weight"));
    QVERIFY(with("module.transformer.wte.weight").find("wte.weight"));
    QVERIFY(with("layers.0.mlp.up_proj.weight").find("model.layers.0.mlp.up_proj.weight"));
    QVERIFY(with("model.layers.0.mlp.up_proj.weight").find("model.layers.0.mlp.up_proj.weight"));
    QVERIFY(with("model.model.norm.weight").find("model.norm.weight"));
    QVERIFY(!with("wte.weight").find("wpe.weight"));
    QVERIFY(!with("xtransformer.wte.weight").find("wte.weight"));
    QVERIFY(!with("model.").find("transformer."));
    // The exact name wins over another that differs by a prefix.
    const SafetensorsFile both =
        open(fileOf(R"({"model.a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                    R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                    bytesOf<float>({1, 2})));
    QCOMPARE(valuesOf(both, "a").front(), 2.0f);
    QCOMPARE(valuesOf(both, "model.a").front(), 1.0f);
}

void SafetensorsTest::scalarsAndEmptyTensorsAreAllowed()
{
    const SafetensorsFile file =
        open(fileOf(R"({"s":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
                    R"("e":{"dtype":"F32","shape":[0,5],"data_offsets":[4,4]},)"
                    R"("f":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                    bytesOf<float>({-1e4f, 3})));
    QCOMPARE(valuesOf(file, "s").front(), -1e4f);
    QVERIFY(valuesOf(file, "e").empty());
    QCOMPARE(valuesOf(file, "f").front(), 3.0f);
    QVERIFY(open(fileOf("{}", "")).tensors().empty());
}

void SafetensorsTest::refusesHostileHeaders_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("message");
    const QByteArray data = bytesOf<float>({1, 2, 3, 4});
    const auto entry = [&](const char* name, const char* fields, const QString& message) {
        QTest::newRow(name) << fileOf(QByteArray("{\"a\":{") + fields + "}}", data) << message;
    };
    QTest::newRow("empty file") << QByteArray() << "has only 0 bytes";
    QTest::newRow("half a length") << QByteArray("\4\0\0", 3) << "has only 3 bytes";
    QTest::newRow("length beyond the file")
        << QByteArray("\xff\0\0\0\0\0\0\0{}", 10) << "claims 255 bytes";
    QTest::newRow("largest length") << QByteArray(8, '\xff') + "{}"
                                    << "claims 18446744073709551615 bytes";
    QTest::newRow("length that wraps around")
        << QByteArray("\xf8\xff\xff\xff\xff\xff\xff\xff{}", 10) << "claims";
    QTest::newRow("no header") << QByteArray(8, '\0') << "no JSON";
    QTest::newRow("no JSON") << fileOf("not json", data) << "no JSON";
    QTest::newRow("binary") << fileOf(QByteArray("\0\1\2\xff", 4), data) << "no JSON";
    QTest::newRow("an array") << fileOf("[1]", data) << "is an array instead of an object";
    QTest::newRow("deep nesting") << fileOf(QByteArray(100'000, '['), data) << "no JSON";
    QTest::newRow("entry that is no object")
        << fileOf("{\"a\": 3}", data) << "tensor a is a number";
    entry("no type", R"("shape":[1],"data_offsets":[0,4])", "tensor a.dtype is missing");
    entry("unknown type", R"("dtype":"F33","shape":[1],"data_offsets":[0,4])",
          "tensor a.dtype is \"F33\"");
    entry("type that is no text", R"("dtype":4,"shape":[1],"data_offsets":[0,4])",
          "tensor a.dtype is a number");
    entry("no shape", R"("dtype":"F32","data_offsets":[0,4])", "tensor a.shape is missing");
    entry("shape that is no array", R"("dtype":"F32","shape":1,"data_offsets":[0,4])",
          "tensor a.shape is a number");
    entry("negative shape", R"("dtype":"F32","shape":[-1],"data_offsets":[0,4])",
          "tensor a.shape holds -1");
    entry("fraction", R"("dtype":"F32","shape":[1.5],"data_offsets":[0,4])",
          "tensor a.shape holds 1.5");
    entry("huge shape", R"("dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4])",
          "tensor a.shape holds");
    entry("shape whose product overflows",
          R"("dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,4])",
          "impossible shape");
    entry("shape whose bytes overflow",
          R"("dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,4])",
          "impossible shape");
    entry("no offsets", R"("dtype":"F32","shape":[1])", "tensor a.data_offsets is missing");
    entry("one offset", R"("dtype":"F32","shape":[1],"data_offsets":[0])",
          "has 1 entries instead of 2");
    entry("negative offset", R"("dtype":"F32","shape":[1],"data_offsets":[-4,0])",
          "data_offsets holds -4");
    entry("huge offset", R"("dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615])",
          "data_offsets holds");
    entry("offsets in the wrong order", R"("dtype":"F32","shape":[1],"data_offsets":[8,4])",
          "tensor a lies at");
    entry("beyond the data", R"("dtype":"F32","shape":[8],"data_offsets":[0,32])",
          "of 16 bytes of data");
    entry("too few bytes", R"("dtype":"F32","shape":[4],"data_offsets":[0,12])",
          "has 12 bytes, and its shape");
    entry("too many bytes", R"("dtype":"F16","shape":[4],"data_offsets":[0,16])",
          "has 16 bytes, and its shape");
    entry("dimension of zero with bytes", R"("dtype":"F32","shape":[0,4],"data_offsets":[0,16])",
          "need 0");
    entry("scalar without bytes", R"("dtype":"F32","shape":[],"data_offsets":[0,0])", "need 4");
    QTest::newRow("overlap") << fileOf(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                       R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                                       data)
                             << "tensors a and b overlap";
    QTest::newRow("the same bytes twice")
        << fileOf(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                  R"("b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
                  data)
        << "overlap";
}

void SafetensorsTest::refusesHostileHeaders()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, message);
    const QString text = errorText([&] { open(content); });
    QVERIFY2(text.startsWith("cannot read the weights: ") && text.contains("case.safetensors") &&
                 text.contains(message),
             qPrintable(text));
}

void SafetensorsTest::refusesPathsThatAreNoFiles()
{
    const std::string folder = m_folder.path().toStdString();
    QVERIFY(errorText([&] { SafetensorsFile(folder + "/none"); }).contains("No such file"));
    QVERIFY(errorText([&] { SafetensorsFile file{folder}; }).contains("no regular file"));
    QCOMPARE(::mkfifo((folder + "/pipe").c_str(), 0600), 0);
    QVERIFY(errorText([&] { SafetensorsFile(folder + "/pipe"); }).contains("no regular file"));
    QVERIFY(errorText([] { SafetensorsFile("/dev/zero"); }).contains("no regular file"));
}

void SafetensorsTest::everyCutShortFileIsRefused()
{
    const QByteArray whole = fileOf(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}})",
                                    bytesOf<float>({1, 2, 3}));
    for (qsizetype length = 0; length < whole.size(); ++length)
        QVERIFY(errorOf([&] { open(whole.left(length)); }));
    QVERIFY(!errorOf([&] { open(whole); }));
}

void SafetensorsTest::mutatedFilesNeverCrash()
{
    const QByteArray whole = fileOf(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},)"
                                    R"("b":{"dtype":"F64","shape":[2,1],"data_offsets":[12,28]}})",
                                    QByteArray(28, '\x3f'));
    std::mt19937 random(1);
    int refused = 0;
    for (int round = 0; round < 1000; ++round) {
        QByteArray content = whole;
        for (int change = 0; change < 1 + round % 3; ++change)
            content[qsizetype(random() % std::size_t(content.size()))] = char(random());
        const auto error = errorOf([&] {
            const SafetensorsFile file = open(content);
            for (const TensorInfo& tensor : file.tensors())
                valuesOf(file, tensor.name);
        });
        refused += error.has_value();
    }
    QVERIFY(refused > 250 && refused < 1000);
}

QTEST_APPLESS_MAIN(SafetensorsTest)
#include "safetensors_test.moc"
