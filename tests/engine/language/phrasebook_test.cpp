#include "engine/language/phrasebook.h"

#include "engine/core/error.h"

#include <QtTest>

using namespace triaxis;

namespace
{

Phrasebook small()
{
    return Phrasebook::parse(R"json({"language": "ru", "decimal": ",", "group": " ",
        "units": {"ms": "мс", "s": "с", "min": "мин", "MiB": "МиБ", "%": "%"},
        "phrases": {
            "bubble": "пузырь", "rank": "ранг", "nothing moves": "ничего не движется",
            "%n ranks": ["%n ранг", "%n ранга", "%n рангов"],
            "rank %1 waited %2": "ранг %1 ждал %2",
            "%1 of %2": "%1 из %2",
            "cannot split %n heads over %1": ["не разделить %n голову на %1", "не разделить %n головы на %1", "не разделить %n голов на %1"]
        }})json");
}

} // namespace

class PhrasebookTest : public QObject
{
    Q_OBJECT

private slots:
    void saysWholeTextsAndPatterns_data()
    {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("russian");
        const auto row = [](const char* english, const char* russian) {
            QTest::newRow(english) << QString(english) << QString(russian);
        };
        row("bubble", "пузырь");
        row("1 ranks", "1 ранг");
        row("3 ranks", "3 ранга");
        row("12 ranks", "12 рангов");
        row("1,021 ranks", "1 021 ранг");
        row("rank 7 waited 217\u202fms", "ранг 7 ждал 217\u202fмс");
        row("cannot split 12 heads over 5 ranks", "не разделить 12 голов на 5 рангов");
        row("bubble of rank", "пузырь из ранг");
        row("5 of 8", "5 из 8");
        row("a house of cards", "a house of cards");
        row("1,234.5\u202fMiB", "1 234,5\u202fМиБ");
        row("\u22123.1\u202f%", "\u22123,1\u202f%");
        row("2\u202fmin 11\u202fs", "2\u202fмин 11\u202fс");
        row("0.25", "0,25");
        row("nothing moves. bubble; rank", "ничего не движется. пузырь; ранг");
        row("nothing moves: rank 3 waited 1.5\u202fs.",
            "ничего не движется: ранг 3 ждал 1,5\u202fс.");
    }

    void saysWholeTextsAndPatterns()
    {
        QFETCH(QString, english);
        QFETCH(QString, russian);
        QCOMPARE(QString::fromStdString(small().say(english.toStdString())), russian);
    }

    void leavesWhatItDoesNotKnow()
    {
        for (const std::string text : {"/home/ann/run 3.5/x.json", "GPT-3 6.7B", "1.2.3", "", "%",
                                       "–", "a.b, c", "v2.1.0-rc1"})
            QCOMPARE(small().say(text), text);
        QVERIFY(small().knows("bubble"));
        QVERIFY(!small().knows("bubbles"));
    }

    void endsOnWhateverText()
    {
        const std::string many(4000, 'a');
        QCOMPARE(small().say(many), many);
        std::string ofs = "x";
        for (int i = 0; i < 500; ++i)
            ofs += " of x, y. z; 1";
        QVERIFY(!small().say(ofs).empty());
    }

    void englishSaysEverythingAsItIs()
    {
        QCOMPARE(Phrasebook::of("en").say("3 ranks"), std::string("3 ranks"));
        QVERIFY_EXCEPTION_THROWN(Phrasebook::of("xx"), Error);
        QVERIFY_EXCEPTION_THROWN(Phrasebook::parse("{"), Error);
    }

    void russianIsThere()
    {
        const Phrasebook russian = Phrasebook::of("ru");
        QCOMPARE(russian.language(), std::string("ru"));
        QCOMPARE(russian.say("1.5\u202fGiB"), std::string("1,5\u202fГиБ"));
    }

    /// What was tried, the object and the remedy each by itself.
    void saysErrors()
    {
        const Phrasebook russian = Phrasebook::of("ru");
        const auto said = [&](const Error& error) { return russian.say(error.what()); };
        QCOMPARE(said({"cannot open the run", "/a/b has no run.json", "check the path"}),
                 std::string("нельзя открыть запуск: в /a/b нет run.json; проверьте путь"));
        QCOMPARE(said({"cannot read the plan", "/b: layout.dp is a text instead of a whole number",
                       "correct this field"}),
                 std::string("нельзя прочесть план: /b: layout.dp: вместо целого числа стоит "
                             "текст; исправьте это поле"));
    }
};

QTEST_APPLESS_MAIN(PhrasebookTest)
#include "phrasebook_test.moc"
