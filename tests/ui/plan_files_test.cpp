#include "engine/formats/plan_file.h"
#include "engine/record/demo_plan.h"
#include "ui/commands/set_axis_size.h"
#include "ui/plan/gallery_dialog.h"
#include "ui/plan/plan_autosave.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_files.h"

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

#include <fstream>

using namespace triaxis;
using namespace triaxis::ui;

class PlanFilesTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<PlanDocument> m_document;
    std::unique_ptr<PlanFiles> m_files;

    QString file(const char* name) const { return m_folder.filePath(name); }

    void edit()
    {
        const int dp = m_document->plan().layout.dp;
        m_document->apply(std::make_unique<SetAxisSize>(*m_document, Axis::Data, dp + 1));
    }

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("triaxis-test");
        QSettings().clear();
    }

    void init()
    {
        RunPlan run = demoPlan();
        run.data = {};
        m_document = std::make_unique<PlanDocument>(run, 2);
        m_files = std::make_unique<PlanFiles>(*m_document, nullptr);
    }

    void savedPlansOpenAgain()
    {
        edit();
        QVERIFY(m_files->isUnsaved());
        const DrawnPlan saved = m_document->drawn();
        QVERIFY(m_files->saveAs(file("a.triaxis")));
        QVERIFY(!m_files->isUnsaved());
        QCOMPARE(m_files->name(), QString("a.triaxis"));
        edit();
        m_files->setAsk([] { return PlanFiles::Answer::Discard; });
        QVERIFY(m_files->open(file("a.triaxis")));
        QVERIFY(samePlan(m_document->drawn(), saved));
        QVERIFY(!m_document->undoStack().canUndo());
        QVERIFY(PlanFiles::recent().first().endsWith("a.triaxis"));
    }

    void changesAreNotLostWithoutAsking()
    {
        QVERIFY(m_files->saveAs(file("b.triaxis")));
        edit();
        int asked = 0;
        PlanFiles::Answer answer = PlanFiles::Answer::Cancel;
        m_files->setAsk([&] {
            ++asked;
            return answer;
        });
        const DrawnPlan drawn = m_document->drawn();
        QVERIFY(!m_files->open(file("b.triaxis")));
        QVERIFY(!m_files->mayLeave());
        QVERIFY(samePlan(m_document->drawn(), drawn));
        answer = PlanFiles::Answer::Save;
        QVERIFY(m_files->mayLeave());
        QCOMPARE(asked, 3);
        QVERIFY(samePlan(readPlanFile(file("b.triaxis").toStdString()).plan, drawn));
    }

    void whatAKilledWindowHadDrawnComesBack()
    {
        const std::filesystem::path home = file("home").toStdString();
        const std::filesystem::path dead = home / "unsaved" / "dead.triaxis";
        QVERIFY(m_files->saveAs(file("kept.triaxis")));
        {
            PlanAutosave autosave(*m_document, *m_files, home);
            QVERIFY(!autosave.restore()); // nothing yet
            QSignalSpy written(&autosave, &PlanAutosave::written);
            edit();
            QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, 10000);
            // As a window leaves it that had no time to close.
            std::filesystem::copy_file(autosave.file(), dead);
        }
        QCOMPARE(QDir(file("home/unsaved")).entryList(QDir::Files).size(), 1);
        const DrawnPlan drawn = m_document->drawn();
        init(); // the next window
        QVERIFY(!samePlan(m_document->drawn(), drawn));
        QSignalSpy told(m_files.get(), &PlanFiles::noted);
        PlanAutosave next(*m_document, *m_files, home);
        QVERIFY(next.restore());
        QVERIFY(samePlan(m_document->drawn(), drawn));
        QVERIFY(m_files->isUnsaved());
        QCOMPARE(m_files->name(), QStringLiteral("kept.triaxis"));
        QCOMPARE(told.size(), 1);
        QVERIFY(!std::filesystem::exists(dead));
        QVERIFY(std::filesystem::exists(next.file())); // safe again at once
        QVERIFY(m_files->save());
        QVERIFY(samePlan(readPlanFile(file("kept.triaxis").toStdString()).plan, drawn));
    }

    void aWindowThatRunsKeepsItsPlan()
    {
        const std::filesystem::path home = file("other").toStdString();
        PlanAutosave autosave(*m_document, *m_files, home);
        PlanAutosave second(*m_document, *m_files, home); // of the same process
        QVERIFY(autosave.file() != second.file());
        QSignalSpy written(&autosave, &PlanAutosave::written);
        autosave.writeNow();
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, 10000);
        QVERIFY(!second.restore());
        QVERIFY(!autosave.restore());
        QVERIFY(std::filesystem::exists(autosave.file()));
        // What cannot be read is set aside, once.
        std::ofstream(home / "unsaved" / "broken.triaxis") << "{";
        QVERIFY(!autosave.restore());
        QVERIFY(std::filesystem::exists(home / "unsaved" / "broken.triaxis.damaged"));
        QVERIFY(!std::filesystem::exists(home / "unsaved" / "broken.lock"));
    }

    void plansOfSeveralKilledWindowsComeBackOneByOne()
    {
        const std::filesystem::path home = file("several").toStdString();
        for (const char* name : {"one", "two", "three"}) {
            PlanAutosave killed(*m_document, *m_files, home);
            QSignalSpy written(&killed, &PlanAutosave::written);
            killed.writeNow();
            QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, 10000);
            std::filesystem::copy_file(killed.file(),
                                       home / "unsaved" / (std::string(name) + ".triaxis"));
        }
        std::vector<std::unique_ptr<PlanAutosave>> windows;
        for (int i = 0; i < 3; ++i) {
            windows.push_back(std::make_unique<PlanAutosave>(*m_document, *m_files, home));
            QVERIFY(windows.back()->restore());
        }
        PlanAutosave last(*m_document, *m_files, home);
        QVERIFY(!last.restore());
    }

    void dialogsBeginWhereAPlanWasLast()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("one")));
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("two")));
        QVERIFY(m_files->saveAs(file("one/same.triaxis")));
        QVERIFY(m_files->saveAs(file("two/same.triaxis")));
        QVERIFY(m_files->saveAs(file("two/other.triaxis")));
        const QStringList names = PlanFiles::recentNames();
        QCOMPARE(names[0], QStringLiteral("other.triaxis"));
        QVERIFY(names[1].startsWith(QStringLiteral("same.triaxis – ")) &&
                names[1].endsWith(QStringLiteral("/two")));
        QVERIFY(names[2].endsWith(QStringLiteral("/one")));
        init(); // another window, a plan without a file
        QCOMPARE(m_files->folder(), file("two"));
        QVERIFY(QDir(file("two")).removeRecursively());
        QCOMPARE(m_files->folder(), QDir::homePath());
        QCOMPARE(m_files->suggestedName(), QStringLiteral("gpt2-1m-2x2x2.triaxis"));
    }

    void aDamagedFileLeavesThePlanAsItIs()
    {
        QFile damaged(file("c.triaxis"));
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write("{\"format\": \"triaxis-plan\", \"version\": 1");
        damaged.close();
        const DrawnPlan before = m_document->drawn();
        QSignalSpy failed(m_files.get(), &PlanFiles::failed);
        QVERIFY(!m_files->open(file("c.triaxis")));
        QVERIFY(!m_files->open(file("missing.triaxis")));
        QCOMPARE(failed.count(), 2);
        QVERIFY(samePlan(m_document->drawn(), before));
    }

    void everyExampleOpens()
    {
        GalleryDialog gallery;
        QVERIFY(!gallery.chosen().empty());
        QSignalSpy failed(m_files.get(), &PlanFiles::failed);
        for (const ExamplePlan& example : examplePlans()) {
            QVERIFY2(m_files->openExample(example.name), example.name.c_str());
            QVERIFY2(m_document->isSound(), example.name.c_str());
            QVERIFY(!m_files->isUnsaved());
        }
        QCOMPARE(failed.count(), 0);
    }
};

QTEST_MAIN(PlanFilesTest)
#include "plan_files_test.moc"
