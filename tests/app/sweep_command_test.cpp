// `triaxis sweep` and `triaxis compare`, as a person or a script calls them.

#include <QtTest>

#include "tests/support/command.h"

#include <QFile>
#include <QJsonArray>

class SweepCommandTest : public QObject
{
    Q_OBJECT

private slots:
    void runsEachLayoutInBothForms()
    {
        const Command command;
        const QString report = command.home() + "/sweep.html";
        const auto result =
            command.run({"sweep", "--layouts", "1x1x1,2x1x1,1x3x1", "--steps", "3", "--batch", "4",
                         "--stretch", "1", "--json", "--report", report, "--language", "ru"});
        QCOMPARE(result.code, 1); // three tensor ranks do not divide the heads
        const QJsonArray forms = QJsonDocument::fromJson(result.output.toUtf8()).array();
        QCOMPARE(forms.size(), 2);
        QCOMPARE(forms[0].toObject()["form"].toString(), QString("cores"));
        QCOMPARE(forms[1].toObject()["form"].toString(), QString("paced"));
        for (const QJsonValue& form : forms) {
            const QJsonArray rows = form.toObject()["rows"].toArray();
            QCOMPARE(rows.size(), 3);
            QVERIFY(rows[0].toObject()["tokens_per_second"].toDouble() > 0);
            QVERIFY(rows[1].toObject()["speed_up"].toDouble() > 0);
            QCOMPARE(rows[0].toObject()["speed_up"].toDouble(), 1.0);
            QVERIFY(rows[2].toObject()["reason"].toString().contains("heads"));
            QVERIFY(rows[2].toObject()["tokens_per_second"].isNull());
        }
        // How fast a target is, is held where it is computed: runs of three steps may be held up by
        // whatever else the machine does.
        QVERIFY(forms[1].toObject()["rows"].toArray()[1].toObject()["speed_up"].toDouble() > 0);
        QFile page(report);
        QVERIFY(page.open(QFile::ReadOnly));
        const QString russian = QString::fromUtf8(page.readAll());
        QVERIFY(russian.contains(QStringLiteral("Перебор раскладок")));
        for (const char* english : {"On this machine", "Paced as", "All ranks share", "What it is",
                                    "Compute slots", "speed-up in tokens", "Which part of"})
            QVERIFY2(!russian.contains(QLatin1String(english)), english);

        const auto compared = command.run(
            {"compare", forms[0].toObject()["rows"].toArray()[0].toObject()["run"].toString(),
             forms[0].toObject()["rows"].toArray()[1].toObject()["run"].toString(), "--json"});
        QCOMPARE(compared.code, 0);
        const QJsonObject json = QJsonDocument::fromJson(compared.output.toUtf8()).object();
        QCOMPARE(json["losses"].toArray()[0].toObject()["agrees"].toBool(), true);
        QVERIFY(json["settings"].toObject().contains("layout.dp"));
        QVERIFY(!json["settings"].toObject().contains("layout.pp"));
    }

    void tellsHowItGoesLineByLine()
    {
        const Command command;
        const auto result =
            command.run({"sweep", "--form", "paced", "--layouts", "1x1x1,2x1x1,1x3x1", "--steps",
                         "3", "--batch", "4", "--json-lines"});
        QCOMPARE(result.code, 1);
        QStringList events;
        for (const QJsonObject& line : result.objects())
            if (line["event"] != "step")
                events << line["event"].toString();
        const QStringList wanted{"form",  "start", "start", "start", "row",
                                 "start", "row",   "row",   "table"};
        QCOMPARE(events, wanted); // two trials first, then what can run
        const auto lines = result.objects();
        QCOMPARE(lines.first()["runs"].toInt(), 4);
        QCOMPARE(lines.first()["layouts"].toInt(), 3);
        QVERIFY(lines.first()["title"].toString().startsWith("Paced as "));
        QVERIFY(std::any_of(lines.begin(), lines.end(), [](const QJsonObject& line) {
            return line["event"] == "step" && line["done"].toInt() == 3 &&
                   line["steps"].toInt() == 3;
        }));
        QVERIFY(lines.last()["rows"].toArray()[1].toObject()["speed_up"].toDouble() > 0);
        const auto both = command.run({"sweep", "--json", "--json-lines"});
        QCOMPARE(both.code, 2);
    }

    void aLayoutThatTheTargetCannotHaveIsARow()
    {
        const Command command;
        const auto result =
            command.run({"sweep", "--form", "paced", "--layouts", "1x1x1,1x2x1", "--as-model",
                         "gpt2-xl", "--steps", "2", "--batch", "2", "--json"});
        QCOMPARE(result.code, 1);
        const QJsonArray forms = QJsonDocument::fromJson(result.output.toUtf8()).array();
        const QJsonArray rows = forms[0].toObject()["rows"].toArray();
        QVERIFY(rows[0].toObject()["tokens_per_second"].toDouble() > 0);
        QVERIFY(rows[1].toObject()["reason"].toString().contains("25"));
    }

    void refusesWhatMakesNoSweep_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("no layout") << QStringList{"--layouts", "4"};
        QTest::newRow("one layout by its axis") << QStringList{"--dp", "2"};
        QTest::newRow("unknown cluster") << QStringList{"--as", "nowhere"};
        QTest::newRow("unknown model") << QStringList{"--as-model", "nothing"};
        QTest::newRow("slots for all") << QStringList{"--pace", "20ms"};
    }

    void refusesWhatMakesNoSweep()
    {
        QFETCH(QStringList, arguments);
        const Command command;
        const auto result = command.run(QStringList{"sweep"} + arguments);
        QVERIFY(result.code != 0);
        QCOMPARE(result.error.trimmed().count('\n'), 0);
        QVERIFY2(result.error.startsWith("triaxis: "), qPrintable(result.error));
    }

    void comparesNothingThatIsNotThere()
    {
        const Command command;
        const auto result = command.run({"compare", "20200101"});
        QCOMPARE(result.code, 1);
        QVERIFY(result.error.startsWith("triaxis: "));
    }
};

QTEST_GUILESS_MAIN(SweepCommandTest)
#include "sweep_command_test.moc"
