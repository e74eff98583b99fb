#include <QtTest>

#include "engine/core/csv_table.h"
#include "engine/core/error.h"
#include "tests/ui/support/own_settings.h"
#include "ui/panels/figure_table.h"
#include "ui/report/export_dialog.h"
#include "ui/report/save_part.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTreeWidget>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

ExportChoice choiceOf(const QString& group, const QString& name, const QStringList& formats,
                      std::function<void(const QString&)> write)
{
    ExportChoice choice{group, name, QStringLiteral("stem"), formats};
    choice.write = std::move(write);
    return choice;
}

} // namespace

class ExportDialogTest : public QObject
{
    Q_OBJECT

private slots:
    void writesWhatIsChosenWhereItIsAskedTo()
    {
        QTemporaryDir folder;
        QString written;
        ExportDialog dialog(
            "run 7",
            {choiceOf("View", "Timeline", {"png", "svg"}, [&](const QString& to) { written = to; }),
             choiceOf("View", "Loss", {"png", "svg"}, [](const QString&) { QFAIL("not this"); }),
             choiceOf("Table", "Steps", {"csv"}, [](const QString& file) {
                 throw Error("cannot export", file.toStdString(), "free some space");
             })});
        QString proposed, filter;
        dialog.setAskFile([&](const QString& proposal, const QString& kind) {
            proposed = proposal;
            filter = kind;
            return folder.filePath("chosen");
        });
        auto* format = dialog.findChild<QComboBox*>("exportFormat");
        auto* start = dialog.findChild<QPushButton*>("exportStart");
        auto* state = dialog.findChild<QLabel*>("exportState");
        auto* tree = dialog.findChild<QTreeWidget*>("exportChoices");
        QCOMPARE(tree->topLevelItemCount(), 2);
        format->setCurrentIndex(1);
        QSignalSpy told(&dialog, &ExportDialog::written);
        start->click();
        QCOMPARE(written, folder.filePath("chosen.svg"));
        QVERIFY(proposed.endsWith("stem.svg") && filter.contains("*.svg"));
        QCOMPARE(told.size(), 1);
        QCOMPARE(exportFolder(), folder.path()); // remembered
        QVERIFY(state->text().contains("chosen.svg"));

        tree->setCurrentItem(tree->topLevelItem(1)->child(0));
        QCOMPARE(format->currentData().toString(), QString("csv"));
        QVERIFY(!format->isEnabled());
        start->click();
        QVERIFY(state->text().contains("free some space"));
        QCOMPARE(told.size(), 1);
    }

    void everythingOfARunCanBeAskedFor()
    {
        const std::vector<ExportChoice> choices = runExports("20260214-153012-a1b2");
        QStringList names;
        for (const ExportChoice& choice : choices) {
            QVERIFY(!choice.formats.isEmpty() && !choice.name.isEmpty());
            QVERIFY(choice.stem.startsWith("20260214-153012-a1b2"));
            const QStringList words = choice.arguments("/tmp/a." + choice.formats[0], "letter");
            QCOMPARE(words.value(0), QString("export"));
            QVERIFY(words.contains("/tmp/a." + choice.formats[0]));
            names << choice.group + choice.name;
        }
        QCOMPARE(QSet<QString>(names.begin(), names.end()).size(), names.size());
        QVERIFY(choices.front().paged);
    }

    void shownTablesBecomeCsv()
    {
        FigureTable table;
        table.columns = {{"measured"}, {"predicted, \"best\""}};
        table.rows = {{"step"}, {"bubble"}};
        table.cells = {{{"12\u202fms"}, {"11\u202fms"}}, {{"20.0\u202f%"}, {"–"}}};
        FigureTableView view("figures", "Figures");
        view.setTable(table);
        const CsvTable read = parseCsvTable(shownTableCsv(*view.figures()), "figures");
        QCOMPARE(read.header.size(), std::size_t(3));
        QCOMPARE(read.header[2], std::string("predicted, \"best\""));
        QCOMPARE(read.rows[0].cells[0], std::string("step"));
        QCOMPARE(read.rows[1].cells[1], std::string("20.0 %"));
        bool offered = false;
        for (const QAction* action : view.actions())
            offered = offered || action->objectName() == QLatin1String("exportTable");
        QVERIFY(offered);
    }

    void noProgramIsSaidAndOver()
    {
        ExportChoice choice = choiceOf("Report", "Report", {"pdf"}, {});
        choice.write = {};
        choice.arguments = [](const QString&, const QString&) {
            return QStringList{"export", "no-such-run"};
        };
        ExportDialog dialog("run 7", {choice});
        QTemporaryDir folder;
        dialog.setAskFile([&](const QString&, const QString&) { return folder.filePath("a.pdf"); });
        dialog.findChild<QPushButton*>("exportStart")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isBusy(), 60'000);
        QVERIFY(!QFile::exists(folder.filePath("a.pdf")));
        QVERIFY(dialog.findChild<QPushButton*>("exportStart")->isEnabled());
        QVERIFY(!dialog.findChild<QLabel*>("exportState")->text().isEmpty());
    }

private:
    const tests::OwnSettings m_settings;
};

QTEST_MAIN(ExportDialogTest)
#include "export_dialog_test.moc"
