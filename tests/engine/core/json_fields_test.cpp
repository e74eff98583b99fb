#include "engine/core/file.h"
#include "engine/core/json_fields.h"
#include "tests/engine/core/expect_error.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace triaxis;
using nlohmann::json;

class JsonFieldsTest : public QObject
{
    Q_OBJECT

private slots:
    void readsEachTypeAndTakesDefaults();
    void namesTheFieldThatIsMissingOrWrong();
    void wholeNumbersMayBeWrittenAsReals();
    void refusesNumbersThatDoNotFit();
    void sayInWhichLineTextIsNoJson();
    void readsRegularFilesOnly();
};

void JsonFieldsTest::readsEachTypeAndTakesDefaults()
{
    const json object = json::parse(
        R"({"i": 3, "r": 2.5, "b": true, "t": "x", "o": {"k": 1}, "n": null, "a": [1]})");
    const JsonFields fields(object, "cannot read this");
    QCOMPARE(fields.integer("i", 0, 10), 3);
    QCOMPARE(fields.real("r", 0, 10), 2.5);
    QCOMPARE(fields.real("i", 0, 10), 3.0);
    QCOMPARE(fields.boolean("b"), true);
    QCOMPARE(fields.text("t"), std::string("x"));
    QCOMPARE(fields.object("o").integer("k", 0, 10), 1);
    QCOMPARE(int(fields.array("a").size()), 1);
    QCOMPARE(fields.integer("absent", 0, 10, 7), 7);
    QCOMPARE(fields.integer("n", 0, 10, 8), 8);
    QVERIFY(!fields.has("n") && fields.contains("n") && fields.has("i"));
}

void JsonFieldsTest::namesTheFieldThatIsMissingOrWrong()
{
    const json object = json::parse(R"({"layout": {"tp": "two", "dp": 0, "flag": 1, "n": null}})");
    const JsonFields fields = JsonFields(object, "cannot read the plan", "a.json").object("layout");
    QCOMPARE(errorText([&] { fields.integer("pp", 1, 8); }),
             QString("cannot read the plan: a.json: layout.pp is missing; add this field"));
    QVERIFY(errorText([&] {
                fields.integer("tp", 1, 8);
            }).contains("layout.tp is a text instead of a whole number"));
    QVERIFY(errorText([&] {
                fields.integer("dp", 1, 8);
            }).contains("layout.dp is 0, not between 1 and 8"));
    QVERIFY(errorText([&] { fields.boolean("flag"); }).contains("layout.flag is a number"));
    QVERIFY(errorText([&] { fields.integer("n", 1, 8); }).contains("layout.n is null"));
    QVERIFY(errorText([&] { fields.text("dp"); }).contains("layout.dp"));
    QVERIFY(errorText([&] {
                fields.object("dp");
            }).contains("layout.dp is a number instead of an object"));
    QVERIFY(errorText([&] { fields.array("dp"); }).contains("instead of an array"));
    const json list = json::array();
    QVERIFY(errorText([&] {
                JsonFields(list, "cannot read the plan");
            }).contains("instead of an object"));
}

void JsonFieldsTest::wholeNumbersMayBeWrittenAsReals()
{
    const json object = json::parse(R"({"a": 8.0, "b": 1e3, "c": 8.5})");
    const JsonFields fields(object, "cannot read this");
    QCOMPARE(fields.integer("a", 0, 10), 8);
    QCOMPARE(fields.integer("b", 0, 1000), 1000);
    QVERIFY(errorOf([&] { fields.integer("c", 0, 10); }));
}

void JsonFieldsTest::refusesNumbersThatDoNotFit()
{
    const json object = json::parse(
        R"({"huge": 18446744073709551615, "larger": 1e300, "negative": -1, "real": 1e400})",
        nullptr, false);
    const json numbers =
        json::parse(R"({"huge": 18446744073709551615, "larger": 1e300, "negative": -1})");
    const JsonFields fields(numbers, "cannot read this");
    QVERIFY(object.is_discarded());
    QVERIFY(errorOf([&] { fields.integer("huge", 0, std::numeric_limits<std::int64_t>::max()); }));
    QVERIFY(
        errorOf([&] { fields.integer("larger", 0, std::numeric_limits<std::int64_t>::max()); }));
    QVERIFY(errorOf([&] { fields.bits("negative"); }));
    QCOMPARE(fields.bits("huge"), ~std::uint64_t(0));
    QVERIFY(errorOf([&] { fields.real("larger", 0, 1e6); }));
}

void JsonFieldsTest::sayInWhichLineTextIsNoJson()
{
    QVERIFY(errorText([] {
                parseJson("{\n \"a\": 1,\n oops\n}", "cannot read this", "f.json");
            }).contains("f.json: line 3 is no JSON"));
    QVERIFY(errorText([] { parseJson("", "cannot read this", "f.json"); }).contains("empty"));
    QVERIFY(errorOf([] { parseJson("\xff\xfe", "cannot read this", "f.json"); }));
    QVERIFY(errorOf([] { parseJson("{\"a\": 1e999}", "cannot read this", "f.json"); }));
    QVERIFY(errorOf([] { parseJson(std::string(100'000, '['), "cannot read this", "f.json"); }));
    QCOMPARE(parseJson("[1, 2]", "cannot read this", "f.json").size(), std::size_t(2));
}

void JsonFieldsTest::readsRegularFilesOnly()
{
    QTemporaryDir folder;
    const std::string base = folder.path().toStdString();
    QFile file(folder.filePath("text"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("a\0b\r\n", 5));
    file.close();
    QCOMPARE(readFile(base + "/text", 100, "cannot read this"), std::string("a\0b\r\n", 5));
    QVERIFY(errorText([&] {
                readFile(base + "/text", 4, "cannot read this");
            }).contains("more than the 4"));
    QVERIFY(errorText([&] {
                readFile(base + "/none", 4, "cannot read this");
            }).contains("does not exist"));
    QVERIFY(errorText([&] { readFile(base, 4, "cannot read this"); }).contains("no regular file"));
    QCOMPARE(::mkfifo((base + "/pipe").c_str(), 0600), 0);
    QVERIFY(errorText([&] {
                readFile(base + "/pipe", 4, "cannot read this");
            }).contains("no regular file"));
}

QTEST_APPLESS_MAIN(JsonFieldsTest)
#include "json_fields_test.moc"
