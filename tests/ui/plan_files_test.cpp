#include "engine/formats/plan_file.h"
#include "engine/record/demo_plan.h"
#include "ui/commands/set_axis_size.h"
#include "ui/plan/gallery_dialog.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_files.h"

#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

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
