// Filters of the history as values: what they ask for, their chips, and the settings they are kept
// in.

#include <QtTest>

#include "ui/history/notes_change.h"
#include "ui/history/run_choice.h"

using namespace triaxis;
using namespace triaxis::ui;

class RunChoiceTest : public QObject
{
    Q_OBJECT

private:
    static RunChoice full()
    {
        RunChoice choice;
        choice.text = "words";
        choice.states = {RunState::Failed, RunState::Stopped};
        choice.kinds = {RunKind::Paced};
        choice.models = {"gpt"};
        choice.layouts = {"2×1×2"};
        choice.schedules = {"1f1b"};
        choice.tags = {"a", "b, c"};
        choice.dp = 2;
        choice.tp = 4;
        choice.pp = 8;
        choice.starred = true;
        choice.started = RunChoice::Started::Between;
        choice.from = QDate(2026, 2, 3);
        choice.to = QDate(2026, 2, 5);
        return choice;
    }

private slots:
    void everyFilterIsAsked()
    {
        const RunQuery query = queryOf(full(), QDate(2026, 3, 1));
        QCOMPARE(query.text, std::string("words"));
        QCOMPARE(query.states.size(), std::size_t(2));
        QVERIFY(query.kinds == std::vector<RunKind>{RunKind::Paced});
        QCOMPARE(query.tags.size(), std::size_t(2));
        QCOMPARE(query.tp.value_or(0), 4);
        QVERIFY(query.starred);
        const QDateTime since =
            QDateTime::fromString(QString::fromStdString(query.since), Qt::ISODate).toLocalTime();
        const QDateTime until =
            QDateTime::fromString(QString::fromStdString(query.until), Qt::ISODate).toLocalTime();
        QCOMPARE(since, QDate(2026, 2, 3).startOfDay());
        QCOMPARE(until, QDate(2026, 2, 6).startOfDay().addSecs(-1));
    }

    void daysCountBackFromToday()
    {
        RunChoice choice;
        choice.started = RunChoice::Started::Week;
        const QDate today(2026, 3, 10);
        const std::string since = queryOf(choice, today).since;
        QCOMPARE(QDateTime::fromString(QString::fromStdString(since), Qt::ISODate).toLocalTime(),
                 QDate(2026, 3, 4).startOfDay());
        QVERIFY(queryOf(choice, today).until.empty());
        QVERIFY(queryOf(RunChoice(), today).since.empty());
    }

    void everyChipTakesOneThingAway()
    {
        RunChoice choice = full();
        std::size_t left = chipsOf(choice).size();
        QCOMPARE(left, std::size_t(13));
        QVERIFY(isFiltered(choice));
        while (left > 0) {
            choice = chipsOf(choice).front().without;
            QCOMPARE(chipsOf(choice).size(), --left);
        }
        QVERIFY(!isFiltered(choice));
        QCOMPARE(choice.text, QString("words"));
    }

    void settingsKeepAll()
    {
        QVERIFY(choiceFromSettings(toSettings(full())) == full());
        QVERIFY(choiceFromSettings(toSettings(RunChoice())) == RunChoice());
        QVERIFY(choiceFromSettings({{"states", QStringList{"asleep"}},
                                    {"started", 99},
                                    {"dp", -3},
                                    {"from", "no day"}}) == RunChoice());
    }

    void aChangeOfNotesIsTakenBackBesideOthers()
    {
        RunNotes before;
        before.tags = {"old"};
        before.note = "n";
        RunNotes after = before;
        after.tags = {"new"};
        after.starred = true;
        RunNotes now = after;
        now.tags.push_back("theirs");
        now.note = "theirs";
        apply(changeBetween(after, before), now);
        QVERIFY(!now.starred);
        QCOMPARE(now.note, std::string("theirs"));
        QCOMPARE(now.tags, (std::vector<std::string>{"theirs", "old"}));
        QVERIFY(changeBetween(before, before) == NotesChange());
    }
};

QTEST_GUILESS_MAIN(RunChoiceTest)
#include "run_choice_test.moc"
