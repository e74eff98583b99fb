// Runs the real triaxis-gui: its options, and the pictures it takes of itself.

#include "tests/ui/support/stored_run.h"

#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace triaxis;

class WindowProgramTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_home;

    struct Result
    {
        int exitCode = -1;
        QString out;
        QString error;
    };

    Result run(const QStringList& arguments) const
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TRIAXIS_HOME", m_home->path());
        environment.insert("XDG_CONFIG_HOME", m_home->path());
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("LC_ALL", "C"); // speaks English
        process.setProcessEnvironment(environment);
        process.start(qEnvironmentVariable("TRIAXIS_BIN") + "/triaxis-gui", arguments);
        if (!process.waitForFinished(120000))
            return {};
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
                QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }

private slots:
    void init() { m_home = std::make_unique<QTemporaryDir>(); }

    void helpNamesEveryOption()
    {
        const Result result = run({"--help"});
        QCOMPARE(result.exitCode, 0);
        for (const char* option :
             {"--run-directory", "--page", "--demo", "--screenshot", "--size", "--theme",
              "--text-size", "--after"})
            QVERIFY2(result.out.contains(option), option);
    }

    void badOptionsAreOneLineEach_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("unknown") << QStringList{"--colour"};
        QTest::newRow("page") << QStringList{"--page", "learn"};
        QTest::newRow("theme") << QStringList{"--theme", "pink"};
        QTest::newRow("size") << QStringList{"--size", "large"};
        QTest::newRow("after") << QStringList{"--after", "soon"};
        QTest::newRow("text size") << QStringList{"--text-size", "5"};
        QTest::newRow("file") << QStringList{"run.json"};
    }

    void badOptionsAreOneLineEach()
    {
        QFETCH(QStringList, arguments);
        const Result result = run(arguments);
        QCOMPARE(result.exitCode, 2);
        QCOMPARE(result.error.count('\n'), 1);
        QVERIFY(result.error.startsWith("triaxis-gui: "));
    }

    void takesPicturesOfEveryPageAndTheme()
    {
        const auto stored =
            tests::storeFinishedRun(m_home->path().toStdString(), tests::smallPlan(2, 2, 2, 4), 8);
        const QString picture = m_home->filePath("picture.png");
        for (const QString& theme : QStringList{"light", "dark", "high-contrast"}) {
            for (const QString& page : QStringList{"plan", "run", "history"}) {
                const Result result =
                    run({"--screenshot", picture, "--size", "1280x800", "--theme", theme, "--page",
                         page, "--after", "1", "--run-directory",
                         QString::fromStdString(stored.string())});
                QVERIFY2(result.exitCode == 0, qPrintable(result.error));
                const QImage image(picture);
                QCOMPARE(image.size(), QSize(1280, 800));
                const int window = image.pixelColor(70, 4).lightness();
                QVERIFY(theme == "light" ? window > 128 : window < 128);
                QVERIFY(QFile::remove(picture));
            }
        }
    }

    void aPictureThatCannotBeWrittenIsAFailure()
    {
        const Result result =
            run({"--screenshot", "/nowhere/picture.png", "--page", "plan", "--after", "0"});
        QCOMPARE(result.exitCode, 1);
        QVERIFY(result.error.contains("/nowhere/picture.png"));
    }
};

QTEST_MAIN(WindowProgramTest)
#include "window_program_test.moc"
