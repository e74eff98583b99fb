// The dialog of a sweep, first on a program of the test's own that tells what it is told to, then
// on the real triaxis.

#include <QtTest>

#include "engine/record/demo_plan.h"
#include "storage/history.h"
#include "tests/ui/support/own_settings.h"
#include "ui/compare/comparison_view.h"
#include "ui/pages/history_page.h"
#include "ui/panels/figure_table.h"
#include "ui/sweep/sweep_dialog.h"
#include "ui/sweep/sweep_runner.h"
#include "ui/sweep/sweep_settings.h"
#include "ui/sweep/sweep_view.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/display_list_view.h"
#include "ui/window/main_window.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

#include <csignal>
#include <cstdio>
#include <sys/types.h>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

/// Of this program: run a sweep and say which process it is.
const QString holdOption = QStringLiteral("--hold");

const char* const formLine =
    R"({"event":"form","form":"cores","title":"On this machine","layouts":3,"runs":2})";

QByteArray rowLine(int dp, double tokens, const char* reason = "")
{
    return QStringLiteral(
               R"({"event":"row","form":"cores","row":{"layout":{"dp":%1,"tp":1,"pp":1},"run":"run-%1",)"
               R"("state":"finished","reason":"%3","tokens_per_second":%2,"step_s":0.1,"memory_bytes":1048576,)"
               R"("communication":{"tensor":0,"pipeline":0,"data":0.25},"bubble":0.125}})")
        .arg(dp)
        .arg(tokens)
        .arg(QLatin1String(reason))
        .toUtf8();
}

QByteArray startLine(int dp)
{
    return QStringLiteral(
               R"({"event":"start","layout":{"dp":%1,"tp":1,"pp":1},"trial":false,"steps":4})")
        .arg(dp)
        .toUtf8();
}

} // namespace

class SweepDialogTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<tests::OwnSettings> m_home;

    std::filesystem::path home() const { return m_home->folder().toStdString(); }

    /// A program that says these lines, then waits until it is ended or ends with `code`.
    QString sayer(const QList<QByteArray>& lines, bool waits, int code = 0) const
    {
        const QString name = m_home->folder() + QStringLiteral("/sayer");
        QFile file(name);
        if (!file.open(QFile::WriteOnly))
            return {};
        file.write("#!/bin/sh\ncat <<'END'\n" + lines.join('\n') + "\nEND\n");
        file.write(waits ? "exec sleep 600\n" : "exit " + QByteArray::number(code) + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return name;
    }

    static bool isAlive(const QString& process)
    {
        QFile state(QStringLiteral("/proc/%1/stat").arg(process));
        return state.open(QFile::ReadOnly) && !state.readAll().contains(") Z ");
    }

    template <class Widget>
    static Widget* named(const SweepDialog& dialog, const char* name)
    {
        return dialog.findChild<Widget*>(QLatin1String(name));
    }

private slots:
    void init() { m_home = std::make_unique<tests::OwnSettings>(); }

    void layoutsAreReadAsTheyAreWritten()
    {
        SweepDialog dialog({}, home());
        const auto* found = named<QLabel>(dialog, "sweepFound");
        QVERIFY(found->text().startsWith("5 layouts of up to 4 ranks"));
        QVERIFY(found->text().contains(QStringLiteral("2×2×1")));
        dialog.settings()->setLayouts("1..4x1x1");
        QVERIFY(found->text().startsWith("3 layouts"));
        QCOMPARE(named<QComboBox>(dialog, "sweepChoice")->currentIndex(), 1);
        QVERIFY(named<QPushButton>(dialog, "sweepStart")->isEnabled());
        for (const char* wrong : {"", "4", "0x1x1", "1..900x1..900x1..900", "axbxc"}) {
            dialog.settings()->setLayouts(QLatin1String(wrong));
            QVERIFY(!dialog.settings()->isValid());
            QVERIFY(!named<QPushButton>(dialog, "sweepStart")->isEnabled());
            QVERIFY2(found->text().size() > 10, wrong);
        }
        QVERIFY(!named<QCheckBox>(dialog, "sweepDrawn")->isEnabled());
    }

    void theFormSaysWhatItIs()
    {
        SweepDialog dialog({}, home());
        auto* form = named<QComboBox>(dialog, "sweepForm");
        const auto* meaning = named<QLabel>(dialog, "sweepMeaning");
        const auto* cluster = named<QComboBox>(dialog, "sweepCluster");
        QVERIFY(meaning->text().contains("What it is") && meaning->text().contains("would be"));
        form->setCurrentIndex(form->findData("cores"));
        QVERIFY(!meaning->text().contains("would be"));
        QVERIFY(!cluster->isEnabled());
        QCOMPARE(dialog.settings()->forms(), 1);
        form->setCurrentIndex(form->findData("paced"));
        QVERIFY(cluster->isEnabled());
        const QStringList words = dialog.settings()->arguments("plan");
        QCOMPARE(words[words.indexOf("--as") + 1], QString("dgx-a100"));
        QCOMPARE(words[words.indexOf("--form") + 1], QString("paced"));
        QVERIFY(!words.contains("--plan"));
    }

    void theTableGrowsWithEachLayout()
    {
        SweepDialog dialog({}, home());
        dialog.show();
        dialog.setProgram(
            sayer({formLine, startLine(1), rowLine(1, 1000), startLine(2), rowLine(2, 1500),
                   startLine(4), R"({"event":"step","done":2,"steps":4})"},
                  true));
        dialog.start();
        QTRY_COMPARE(dialog.runner()->tables().size(), std::size_t(1));
        QTRY_COMPARE(dialog.runner()->tables()[0].rows.size(), std::size_t(2));
        QTRY_VERIFY(dialog.runner()->progressText().contains("step 2 of 4"));
        QVERIFY(dialog.runner()->progressText().startsWith("Layout 3 of 3"));
        auto* table = named<FigureTableView>(dialog, "sweepTable0");
        QVERIFY(table && table->isVisible());
        QAbstractItemModelTester tester(table->model());
        QTRY_COMPARE(table->model()->rowCount(), 3); // the one that runs is there already
        const FigureTable& figures = table->figures()->table();
        QCOMPARE(figures.cells[1][6].text, QStringLiteral("×1.50"));
        QCOMPARE(figures.cells[1][7].text, QStringLiteral("75.0\u202f%"));
        QCOMPARE(figures.cells[1][4].text, QStringLiteral("25.0\u202f%"));
        QCOMPARE(figures.cells[2][1].text, QStringLiteral("…"));
        QVERIFY(named<DisplayListView>(dialog, "sweepChart0")->isVisible());
        QVERIFY(named<DisplayListView>(dialog, "sweepChart0")
                    ->accessibleDescription()
                    .contains(QStringLiteral("×1.50")));
        QVERIFY(!named<QPushButton>(dialog, "sweepExport")->isEnabled());
        QVERIFY(!dialog.settings()->isEnabled());

        QTest::mouseClick(named<QPushButton>(dialog, "sweepStart"), Qt::LeftButton); // Cancel
        QTRY_VERIFY(!dialog.runner()->isRunning());
        QTRY_COMPARE(table->model()->rowCount(), 2);
        QVERIFY(named<QLabel>(dialog, "sweepState")->text().startsWith("2 runs measured"));
        QVERIFY(named<QPushButton>(dialog, "sweepExport")->isEnabled());
        QSignalSpy compare(&dialog, &SweepDialog::comparisonRequested);
        QTest::mouseClick(named<QPushButton>(dialog, "sweepCompare"), Qt::LeftButton);
        QCOMPARE(compare.count(), 1);
        QCOMPARE(compare[0][0].toStringList(),
                 (QStringList{m_home->folder() + "/runs/run-1", m_home->folder() + "/runs/run-2"}));
    }

    void aLayoutThatCannotRunSaysWhy()
    {
        SweepDialog dialog({}, home());
        dialog.setProgram(
            sayer({formLine, startLine(1), rowLine(1, 1000),
                   rowLine(3, 0, "3 replicas do not divide the batch"),
                   R"({"event":"table","form":"cores","notes":["A note."],"rows":[]})"},
                  false, 1));
        QSignalSpy ended(&dialog, &SweepDialog::sweepEnded);
        dialog.start();
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(named<QLabel>(dialog, "sweepState")->text().startsWith("1 run measured"));
        bool said = false, noted = false;
        for (const QLabel* label : dialog.findChildren<QLabel*>()) {
            said |= label->text().contains("3×1×1 was not measured: 3 replicas do not divide");
            noted |= label->text().contains("A note.");
        }
        QVERIFY(said && noted);
        QVERIFY(!named<QPushButton>(dialog, "sweepCompare")->isEnabled());
    }

    void whatGoesWrongIsSaid()
    {
        SweepDialog dialog({}, home());
        QSignalSpy ended(&dialog, &SweepDialog::sweepEnded);
        dialog.setProgram(m_home->folder() + "/nothing");
        dialog.start();
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(named<QLabel>(dialog, "sweepState")->text().contains("could not be started"));
        dialog.setProgram(sayer({"this is no JSON"}, false, 2));
        dialog.start();
        QTRY_COMPARE(ended.count(), 2);
        QVERIFY(named<QLabel>(dialog, "sweepState")->text().size() > 10);
        QVERIFY(named<QPushButton>(dialog, "sweepStart")->isEnabled());
    }

    void whatIsMeasuredBecomesFiles()
    {
        SweepDialog dialog({}, home());
        dialog.setProgram(sayer({formLine, rowLine(1, 1000), rowLine(2, 1500)}, false));
        QSignalSpy ended(&dialog, &SweepDialog::sweepEnded);
        dialog.start();
        QTRY_COMPARE(ended.count(), 1);
        const auto choices = dialog.exports();
        QCOMPARE(choices.size(), std::size_t(3));
        const QString file = m_home->folder() + "/sweep";
        choices[0].write(file + ".html");
        choices[0].write(file + ".pdf");
        choices[1].write(file + ".png");
        choices[2].write(file + ".csv");
        QFile html(file + ".html"), pdf(file + ".pdf"), csv(file + ".csv");
        QVERIFY(html.open(QFile::ReadOnly) && pdf.open(QFile::ReadOnly) &&
                csv.open(QFile::ReadOnly));
        QVERIFY(html.readAll().contains("Sweep over layouts"));
        QVERIFY(pdf.readAll().startsWith("%PDF"));
        QCOMPARE(csv.readAll().count('\n'), 3);
        QVERIFY(!QImage(file + ".png").isNull());
    }

    void closingAsksAndEndsTheProcess()
    {
        SweepDialog dialog({}, home());
        dialog.show();
        bool answer = false;
        int asked = 0;
        dialog.setAsk([&] {
            ++asked;
            return answer;
        });
        dialog.setProgram(sayer({formLine, startLine(1)}, true));
        dialog.start();
        QTRY_VERIFY(dialog.runner()->current());
        dialog.close();
        QVERIFY(dialog.isVisible() && dialog.runner()->isRunning());
        answer = true;
        dialog.close();
        QCOMPARE(asked, 2);
        QVERIFY(!dialog.isVisible() && !dialog.runner()->isRunning());
    }

    void aKilledWindowLeavesNoSweep()
    {
        QProcess window;
        window.start(QCoreApplication::applicationFilePath(),
                     {holdOption, sayer({formLine, startLine(1)}, true)});
        QVERIFY(window.waitForStarted());
        QTRY_VERIFY(window.canReadLine());
        const QString sweep = QString::fromLatin1(window.readLine().trimmed());
        QVERIFY(isAlive(sweep));
        kill(pid_t(window.processId()), SIGKILL);
        QVERIFY(window.waitForFinished());
        QTRY_VERIFY(!isAlive(sweep));
    }

    void theRealSweepFillsTableAndHistory()
    {
        ThemeController theme(*qApp);
        MainWindow window({demoPlan(), home(), "0.1.0"}, theme);
        window.show();
        window.findChild<QAction*>("window.sweep")->trigger();
        auto* dialog = window.findChild<SweepDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        dialog->setProgram(qEnvironmentVariable("TRIAXIS_BIN") + "/triaxis");
        dialog->settings()->setLayouts("1x1x1,2x1x1");
        auto* form = named<QComboBox>(*dialog, "sweepForm");
        form->setCurrentIndex(form->findData("cores"));
        named<QSpinBox>(*dialog, "sweepSteps")->setValue(3);
        named<QCheckBox>(*dialog, "sweepDrawn")->setChecked(true);
        QSignalSpy ended(dialog, &SweepDialog::sweepEnded);
        dialog->start();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 60000);
        QCOMPARE(dialog->runner()->tables().size(), std::size_t(1));
        const auto rows = dialog->runner()->tables()[0].rows;
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY2(rows[1].measured(), rows[1].reason.c_str());
        QVERIFY(rows[1].speedUp > 0);
        QTest::mouseClick(named<QPushButton>(*dialog, "sweepCompare"), Qt::LeftButton);
        QCOMPARE(window.page(), MainWindow::Page::History);
        QTRY_COMPARE(window.historyPage()->comparison()->runs().size(), std::size_t(2));
    }

    void timeLeftIsToldWhenItCanBe()
    {
        QVERIFY(sweepTimeLeft(1, 0.5).isEmpty());
        QVERIFY(sweepTimeLeft(100, 0).isEmpty());
        QCOMPARE(sweepTimeLeft(30, 0.5), QString("about 35 s left"));
        QCOMPARE(sweepTimeLeft(60, 0.25), QString("about 3 min left"));
    }
};

namespace
{

int hold(const QString& program)
{
    SweepRunner runner;
    QObject::connect(&runner, &SweepRunner::progressed, [&] {
        std::printf("%lld\n", static_cast<long long>(runner.processId()));
        std::fflush(stdout);
    });
    runner.start(program, QDir::tempPath(), {}, 1);
    return QCoreApplication::exec();
}

} // namespace

int main(int count, char** arguments)
{
    QApplication application(count, arguments);
    const QStringList words = QCoreApplication::arguments();
    if (words.size() == 3 && words[1] == holdOption)
        return hold(words[2]);
    SweepDialogTest test;
    return QTest::qExec(&test, count, arguments);
}
#include "sweep_dialog_test.moc"
