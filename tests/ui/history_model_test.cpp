#include "tests/ui/support/stored_run.h"
#include "ui/models/history_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

class HistoryModelTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<HistoryService> m_service;
    std::unique_ptr<HistoryModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;

    std::filesystem::path home() const { return m_home->path().toStdString(); }

    void store(const std::string& label, int dp, int steps)
    {
        RunPlan plan = tests::smallPlan(dp, 1, 1, 2);
        plan.label = label;
        tests::storeFinishedRun(home(), plan, steps);
    }

    /// Runs that were only drafted are enough for rows.
    void draft(int count)
    {
        for (int i = 0; i < count; ++i)
            RunDirectory::create(home(), tests::smallPlan(1, 1, 1, 1), tests::sampleEnvironment());
    }

    void refresh()
    {
        QSignalSpy refreshed(m_service.get(), &HistoryService::refreshed);
        m_service->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(refreshed.count() > 0, 60000);
        load();
    }

    void load()
    {
        QSignalSpy loaded(m_model.get(), &HistoryModel::loaded);
        m_model->reload();
        QTRY_VERIFY_WITH_TIMEOUT(loaded.count() > 0, 60000);
    }

    QString text(int row, int column) const
    {
        return m_model->index(row, column).data().toString();
    }

private slots:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        m_service = std::make_unique<HistoryService>(home());
        m_model = std::make_unique<HistoryModel>(*m_service);
        m_tester = std::make_unique<QAbstractItemModelTester>(
            m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    }

    void cleanup()
    {
        m_tester.reset();
        m_model.reset();
        m_service.reset();
    }

    void emptyHistoryHasNoRows()
    {
        refresh();
        QVERIFY(m_model->isLoaded());
        QCOMPARE(m_model->rowCount(), 0);
        QCOMPARE(m_model->total(), 0);
    }

    void rowsSayWhatTheRunsWere()
    {
        store("first", 2, 4);
        refresh();
        QCOMPARE(m_model->rowCount(), 1);
        QCOMPARE(text(0, HistoryModel::State), QString("finished"));
        QCOMPARE(text(0, HistoryModel::Label), QString("first"));
        QCOMPARE(text(0, HistoryModel::LayoutColumn), QString("2 × 1 × 1"));
        QCOMPARE(text(0, HistoryModel::Schedule), QString("1F1B"));
        QCOMPARE(text(0, HistoryModel::Steps), QString("4"));
        QVERIFY(text(0, HistoryModel::StepTime) != "–");
        QVERIFY(text(0, HistoryModel::TokensPerSecond) != "–");
        QVERIFY(text(0, HistoryModel::PeakMemory) != "–");
        QVERIFY(m_model->runAt(0) != nullptr);
        QVERIFY(m_model->runAt(1) == nullptr);
        QCOMPARE(m_model->rowOf(QString::fromStdString(m_model->runAt(0)->id)), 0);
    }

    void searchingAndSortingHappenInTheDatabase()
    {
        store("alpha", 1, 2);
        store("beta", 2, 6);
        store("gamma", 1, 4);
        refresh();
        QCOMPARE(m_model->rowCount(), 3);
        QSignalSpy loaded(m_model.get(), &HistoryModel::loaded);
        m_model->setText("beta");
        QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 1, 60000);
        QCOMPARE(m_model->rowCount(), 1);
        QCOMPARE(text(0, HistoryModel::Label), QString("beta"));
        m_model->setText("");
        QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 2, 60000);
        m_model->sort(HistoryModel::Loss, Qt::AscendingOrder);
        QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 3, 60000);
        QCOMPARE(text(0, HistoryModel::Label), QString("beta"));
        m_model->sort(HistoryModel::Loss, Qt::DescendingOrder);
        QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 4, 60000);
        QCOMPARE(text(0, HistoryModel::Label), QString("alpha"));
        RunQuery two;
        two.dp = 2;
        m_model->setQuery(two);
        QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 5, 60000);
        QCOMPARE(m_model->totals().runs, 1);
        QVERIFY(m_model->totals().bytes > 0);
        QCOMPARE(text(0, HistoryModel::Label), QString("beta"));
    }

    void everyColumnSortsInTheDatabase()
    {
        store("alpha", 1, 2);
        store("beta", 2, 6);
        refresh();
        for (int column = 0; column < HistoryModel::ColumnCount; ++column) {
            QSignalSpy loaded(m_model.get(), &HistoryModel::loaded);
            m_model->sort(column, Qt::AscendingOrder);
            QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 1, 60000);
            QCOMPARE(m_model->rowCount(), 2);
        }
        m_model->sort(HistoryModel::Steps, Qt::DescendingOrder);
        QTRY_COMPARE_WITH_TIMEOUT(text(0, HistoryModel::Label), QString("beta"), 60000);
        m_model->sort(HistoryModel::Label, Qt::AscendingOrder);
        QTRY_COMPARE_WITH_TIMEOUT(text(0, HistoryModel::Label), QString("alpha"), 60000);
    }

    void onlyTheAnswerToTheLatestQuestionCounts()
    {
        store("alpha", 1, 2);
        store("beta", 1, 2);
        refresh();
        QSignalSpy loaded(m_model.get(), &HistoryModel::loaded);
        m_model->setText("alpha");
        m_model->setText("beta");
        QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 1, 60000);
        QTest::qWait(50);
        QCOMPARE(loaded.count(), 1);
        QCOMPARE(text(0, HistoryModel::Label), QString("beta"));
    }

    void rowsComeInPagesAsTheViewNeedsThem()
    {
        const int runs = HistoryModel::pageSize + 30;
        draft(runs);
        refresh();
        QCOMPARE(m_model->total(), runs);
        QTRY_VERIFY_WITH_TIMEOUT(m_model->rowCount() >= HistoryModel::pageSize, 60000);
        while (m_model->canFetchMore({}))
            m_model->fetchMore({});
        QTRY_COMPARE_WITH_TIMEOUT(m_model->rowCount(), runs, 60000);
        QVERIFY(!m_model->canFetchMore({}));
        load();
        QCOMPARE(m_model->rowCount(), runs);
    }

    void aHistoryThatCannotBeOpenedIsAProblemNotACrash()
    {
        QFile file(m_home->filePath("plain"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        HistoryService service(file.fileName().toStdString());
        QSignalSpy failed(&service, &HistoryService::failed);
        service.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(failed.count() > 0, 60000);
        QVERIFY(!failed.first().first().toString().isEmpty());
    }

    void leavingWhileAQuestionIsOpenIsSafe()
    {
        draft(5);
        m_service->refresh();
        m_model->reload();
        m_tester.reset();
        m_model.reset();
        m_service.reset();
    }
};

QTEST_MAIN(HistoryModelTest)
#include "history_model_test.moc"
