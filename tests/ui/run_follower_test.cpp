#include "tests/ui/support/stored_run.h"
#include "ui/run/active_run.h"
#include "ui/run/run_data.h"
#include "ui/run/run_follower.h"

#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace triaxis;
using namespace triaxis::ui;

class RunFollowerTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_home;

    std::filesystem::path home() const { return m_home->path().toStdString(); }

    /// Gathers what the follower tells, as the window does.
    struct Gathered
    {
        std::unique_ptr<RunData> run;
        QString problem;
        bool onThisThread = true;
        int updates = 0;
    };

    std::unique_ptr<RunFollower> follow(const std::filesystem::path& directory, Gathered& into)
    {
        auto follower = std::make_unique<RunFollower>(directory);
        connect(follower.get(), &RunFollower::opened, this, [&into](const auto& opening) {
            into.run = std::make_unique<RunData>(*opening);
        });
        connect(follower.get(), &RunFollower::updated, this, [this, &into](const auto& update) {
            into.onThisThread = into.onThisThread && QThread::currentThread() == thread();
            ++into.updates;
            into.run->apply(*update);
        });
        connect(follower.get(), &RunFollower::failed, this,
                [&into](const QString& title, const QString&) { into.problem = title; });
        follower->start();
        return follower;
    }

private slots:
    void init() { m_home = std::make_unique<QTemporaryDir>(); }

    void handsAStoredRunToTheWindow()
    {
        const auto path = tests::storeFinishedRun(home(), tests::smallPlan(2, 2, 2, 4), 6);
        Gathered gathered;
        const auto follower = follow(path, gathered);
        QTRY_VERIFY_WITH_TIMEOUT(gathered.run && gathered.run->isOver(), 20000);
        QVERIFY(gathered.onThisThread);
        QCOMPARE(gathered.run->steps().size(), std::size_t(6));
        QCOMPARE(gathered.run->lanes()->steps(), std::pair(1, 6));
        for (const std::int64_t bytes : gathered.run->peakBytes())
            QVERIFY(bytes > 0);
    }

    void followsARunThatGoesOn()
    {
        tests::StoredRun run(home(), tests::smallPlan(1, 1, 2, 2), 3);
        run.setState(RunState::Running);
        Gathered gathered;
        const auto follower = follow(run.directory().path(), gathered);
        for (std::size_t step = 1; step <= 3; ++step) {
            run.writeStep();
            QTRY_VERIFY_WITH_TIMEOUT(gathered.run && gathered.run->steps().size() == step, 20000);
            QTRY_COMPARE_WITH_TIMEOUT(gathered.run->lanes()->steps().second, std::int32_t(step),
                                      20000);
        }
        QVERIFY(!gathered.run->isOver());
        run.finish();
        QTRY_VERIFY_WITH_TIMEOUT(gathered.run->isOver(), 20000);
        QVERIFY(gathered.updates >= 4);
    }

    void saysWhatIsWrongWithADirectoryThatIsNoRun()
    {
        Gathered gathered;
        const auto follower = follow(home(), gathered);
        QTRY_VERIFY_WITH_TIMEOUT(!gathered.problem.isEmpty(), 20000);
        QVERIFY(gathered.run == nullptr);
    }

    void canBeLeftAtAnyTime()
    {
        tests::StoredRun run(home(), tests::smallPlan(1, 1, 2, 2), 3);
        run.setState(RunState::Running);
        for (int i = 0; i < 5; ++i) {
            Gathered gathered;
            const auto follower = follow(run.directory().path(), gathered);
            QTest::qWait(i * 10);
        }
        RunFollower neverStarted(run.directory().path());
    }

    void findsTheNewestRunThatGoesOn()
    {
        QVERIFY(!findActiveRun(home()).has_value());
        tests::storeFinishedRun(home(), tests::smallPlan(1, 1, 1, 1), 1);
        QVERIFY(!findActiveRun(home()).has_value());
        tests::StoredRun run(home(), tests::smallPlan(1, 1, 1, 1), 1);
        QVERIFY2(!findActiveRun(home()).has_value(), "a draft does not go on");
        RunStatus status = run.directory().status();
        status.state = RunState::Running;
        RunDirectory directory = run.directory();
        directory.setStatus(status);
        QCOMPARE(findActiveRun(home()), std::optional(directory.path()));
    }
};

QTEST_MAIN(RunFollowerTest)
#include "run_follower_test.moc"
