// Reports, pictures and tables of a stored run, as a person asks for them.

#include <QtTest>

#include "engine/core/csv_table.h"
#include "tests/support/command.h"
#include "tests/ui/support/stored_run.h"

#include <QDir>
#include <QJsonArray>

using namespace triaxis;

namespace
{

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool hasWindow()
{
    return QFileInfo(Command::program("triaxis-gui")).isExecutable();
}

} // namespace

class ExportCommandTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        tests::storeFinishedRun(command.path("home").toStdString(), tests::smallPlan(2, 1, 2, 4),
                                6);
    }

    void aReportIsTheSameWhateverBecameOfTheHistory()
    {
        QStringList formats{"html"};
        if (hasWindow())
            formats << "pdf";
        for (const QString& format : formats) {
            const QString first = exported("first." + format);
            QVERIFY(QFile::remove(command.path("home/history.db")));
            const QString second = exported("second." + format);
            QVERIFY(contents(first).size() > 20'000);
            QCOMPARE(contents(second), contents(first));
        }
        QVERIFY(contents(command.path("first.html")).startsWith("<!DOCTYPE html>"));
        if (hasWindow())
            QVERIFY(contents(command.path("first.pdf")).startsWith("%PDF-"));
    }

    void anHtmlReportNeedsNothingElse()
    {
        QString html = QString::fromUtf8(contents(exported("alone.html")));
        html.remove("http://www.w3.org/2000/svg");
        for (const char* unwanted : {"http:", "https:", "<script", "src=", "href", "@import"})
            QVERIFY2(!html.contains(unwanted, Qt::CaseInsensitive), unwanted);
        QVERIFY(html.contains("triaxis run --plan "));
    }

    void everyViewAndTableComesAlone()
    {
        const auto listed = command.run({"export", "last", "--list", "--json"});
        QVERIFY2(listed.code == 0, qPrintable(listed.error));
        const QJsonObject parts = listed.objects().value(0);
        QVERIFY(parts["views"].toArray().size() >= 7);
        for (const QJsonValue view : parts["views"].toArray()) {
            const QString file = command.path("view.svg");
            const auto result = command.run(
                {"export", "last", "--view", view.toObject()["name"].toString(), "-o", file});
            QVERIFY2(result.code == 0, qPrintable(result.error));
            QVERIFY(contents(file).startsWith("<svg"));
        }
        QVERIFY(parts["tables"].toArray().size() >= 8);
        for (const QJsonValue table : parts["tables"].toArray()) {
            const auto result = command.run(
                {"export", "last", "--table", table.toObject()["name"].toString(), "-o", "-"});
            QVERIFY2(result.code == 0, qPrintable(result.error));
            const CsvTable read = parseCsvTable(result.output.toStdString(), "a table");
            QCOMPARE(int(read.rows.size()), table.toObject()["rows"].toInt());
        }
    }

    void picturesOfPixelsAndPagesComeWithTheWindow()
    {
        const QString png = command.path("bubble.png");
        const auto result = command.run({"export", "last", "--view", "bubble", "-o", png});
        if (!hasWindow()) {
            QVERIFY(result.code != 0 && result.error.contains("svg"));
            return;
        }
        QVERIFY2(result.code == 0, qPrintable(result.error));
        QVERIFY(contents(png).startsWith("\x89PNG"));
        for (const char* paper : {"a4", "letter"}) {
            const QString file = command.path(QString(paper) + ".pdf");
            QCOMPARE(command.run({"export", "last", "--paper", paper, "-o", file}).code, 0);
            QVERIFY(contents(file).contains("/Type /Page\n"));
        }
        QVERIFY(contents(command.path("a4.pdf")) != contents(command.path("letter.pdf")));
    }

    void whatCannotBeIsSaidAndLeavesNothing()
    {
        const QDir folder(command.home());
        const QStringList before = folder.entryList(QDir::Files | QDir::Hidden);
        struct Case
        {
            QStringList arguments;
            const char* said;
        };
        const Case cases[] = {{{"--view", "clouds", "-o", "a.svg"}, "timeline"},
                              {{"--table", "clouds", "-o", "a.csv"}, "memory"},
                              {{"--table", "memory", "--format", "svg"}, "csv"},
                              {{"--view", "bubble", "--format", "html"}, "svg"},
                              {{"-o", "first.html/inside.html"}, "cannot export"},
                              {{"-o", "no/such/place.html"}, "cannot export"},
                              {{"--format", "html", "-o", "/dev/full"}, "No space left"}};
        for (const Case& one : cases) {
            const auto result = command.run(QStringList{"export", "last"} + one.arguments);
            QVERIFY2(result.code != 0, qPrintable(one.arguments.join(' ')));
            QVERIFY2(result.error.contains(one.said), qPrintable(result.error));
        }
        QCOMPARE(folder.entryList(QDir::Files | QDir::Hidden), before);
    }

private:
    QString exported(const QString& name)
    {
        const QString file = command.path(name);
        const auto result = command.run({"export", "last", "--output", file});
        if (result.code != 0)
            qWarning("%s", qPrintable(result.error));
        return file;
    }

    const Command command;
};

QTEST_GUILESS_MAIN(ExportCommandTest)
#include "export_command_test.moc"
