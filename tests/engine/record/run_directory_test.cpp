#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "engine/record/process_info.h"
#include "engine/record/records.h"
#include "engine/record/run_directory.h"
#include "engine/record/small_file.h"
#include "tests/engine/record/plan_fixture.h"
#include "tests/engine/record/record_fixtures.h"

#include <QTest>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

namespace
{

void writeText(const fs::path& file, const std::string& text)
{
    std::ofstream(file, std::ios::trunc) << text;
}

std::string messageOf(const std::function<void()>& action)
{
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// Pid of a process that has ended and is gone.
int deadPid()
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    ::waitpid(child, nullptr, 0);
    return child;
}

} // namespace

class RunDirectoryTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = m_folder->path().toStdString();
    }

    void homeFollowsTheEnvironment();
    void aNewRunCanBeOpenedAgain();
    void runsThatStartTogetherHaveDifferentIds();
    void environmentIsReplacedAndThePlanStays();
    void idIsTheNameOfTheDirectoryWhateverTheFileSays();
    void statusComesBackAsItWasSet();
    void statusIsNeverSeenHalfWritten();
    void deadLauncherFailsTheRun();
    void reusedPidFailsTheRun();
    void livingLauncherOfAnotherHostIsLeftAlone();
    void draftIsNobodysOrphan();
    void damagedStateIsAFailedRun_data();
    void damagedStateIsAFailedRun();
    void openRefusesWhatIsNoRun();
    void noPermissionOrNoPlaceIsAnError();
    void fullDiskKeepsTheStateInPlace();
    void replaceLeavesNoTemporaryFileBehind();
    void recordsOfAllRanksAreReadTogether();

private:
    RunDirectory newRun() { return RunDirectory::create(m_home, smallPlan(1, 1, 2), {}); }

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_home;
};

void RunDirectoryTest::homeFollowsTheEnvironment()
{
    ::setenv("TRIAXIS_HOME", "/a/b", 1);
    QCOMPARE(triaxisHome(), fs::path("/a/b"));
    ::unsetenv("TRIAXIS_HOME");
    ::setenv("XDG_DATA_HOME", "/data", 1);
    QCOMPARE(triaxisHome(), fs::path("/data/triaxis"));
    ::setenv("XDG_DATA_HOME", "relative", 1);
    ::setenv("HOME", "/home/a", 1);
    QCOMPARE(triaxisHome(), fs::path("/home/a/.local/share/triaxis"));
    ::unsetenv("XDG_DATA_HOME");
    QCOMPARE(triaxisHome(), fs::path("/home/a/.local/share/triaxis"));
}

void RunDirectoryTest::aNewRunCanBeOpenedAgain()
{
    RunEnvironment environment;
    environment.version = "0.1.0";
    environment.cores = 8;
    const RunDirectory made = RunDirectory::create(m_home, smallPlan(2, 1, 2), environment);
    QCOMPARE(made.path().parent_path(), m_home / "runs");
    const RunDirectory run = RunDirectory::open(made.path() / "");
    QCOMPARE(run.id(), made.id());
    QCOMPARE(run.plan().layout.dp, 2);
    QCOMPARE(run.plan().model.hidden, 32);
    QCOMPARE(run.environment().version, "0.1.0");
    QCOMPARE(run.environment().cores, 8);
    QCOMPARE(run.environment().memoryBytes, hostMemoryBytes());
    QVERIFY(run.environment().memoryBytes > 0);
    QCOMPARE(run.environment().id, made.id());
    QCOMPARE(run.environment().host, hostName());
    QVERIFY(!run.environment().startedUtc.empty());
    QVERIFY(run.status().state == RunState::Draft);
    QCOMPARE(run.recordFile(Rank(7)).filename(), fs::path("rank-0007.records"));
    QCOMPARE(run.statusFile(Rank(12345)).filename(), fs::path("rank-12345.status"));
}

void RunDirectoryTest::runsThatStartTogetherHaveDifferentIds()
{
    std::set<std::string> ids;
    for (int i = 0; i < 20; ++i)
        ids.insert(newRun().id());
    QCOMPARE(ids.size(), 20u);
}

void RunDirectoryTest::environmentIsReplacedAndThePlanStays()
{
    RunDirectory run = newRun();
    RunEnvironment environment = run.environment();
    environment.blas = "OpenBLAS";
    environment.id = "../elsewhere";
    run.setEnvironment(environment);
    QCOMPARE(run.environment().blas, "OpenBLAS");
    QCOMPARE(run.environment().id, run.id());
    QCOMPARE(run.plan().layout.pp, 2);
}

void RunDirectoryTest::idIsTheNameOfTheDirectoryWhateverTheFileSays()
{
    const RunDirectory run = newRun();
    std::string text = *readSmallFile(run.path() / "run.json");
    const auto at = text.find(run.id());
    QVERIFY(at != std::string::npos);
    text.replace(at, run.id().size(), "../../etc");
    writeText(run.path() / "run.json", text);
    QCOMPARE(RunDirectory::open(run.path()).environment().id, run.id());
}

void RunDirectoryTest::statusComesBackAsItWasSet()
{
    RunDirectory run = newRun();
    RunStatus status;
    status.state = RunState::Failed;
    status.reason = "rank 2 was \"killed\"\n\xff";
    status.failedRank = Rank(2);
    status.launcherPid = 99;
    status.launcherStart = 123456789012;
    status.heartbeat = 1771083012.5;
    status.endedUtc = "2026-02-14T15:30:12Z";
    status.lastStep = 41;
    run.setStatus(status);
    const RunStatus back = run.status();
    QVERIFY(back.state == RunState::Failed);
    QVERIFY(back.reason.starts_with("rank 2 was \"killed\"\n"));
    QCOMPARE(back.failedRank->value, 2);
    QCOMPARE(back.launcherPid, 99);
    QCOMPARE(back.launcherStart, 123456789012);
    QCOMPARE(back.heartbeat, 1771083012.5);
    QCOMPARE(back.endedUtc, "2026-02-14T15:30:12Z");
    QCOMPARE(back.lastStep, 41);
}

void RunDirectoryTest::statusIsNeverSeenHalfWritten()
{
    RunDirectory run = newRun();
    std::atomic<bool> done{false};
    std::thread writer([&] {
        RunStatus status;
        status.state = RunState::Finished;
        for (int i = 0; i < 60; ++i) {
            status.reason.assign(std::size_t(i * 51 % 3000), 'x');
            run.setStatus(status);
        }
        done = true;
    });
    int failed = 0;
    while (!done)
        failed += RunDirectory::open(run.path()).status().state == RunState::Failed ? 1 : 0;
    writer.join();
    QCOMPARE(failed, 0);
}

void RunDirectoryTest::deadLauncherFailsTheRun()
{
    RunDirectory run = newRun();
    for (RunState state : {RunState::Starting, RunState::Running, RunState::Stopping}) {
        RunStatus status;
        status.state = state;
        status.launcherPid = deadPid();
        status.lastStep = 5;
        run.setStatus(status);
        RunStatus seen = run.status();
        QVERIFY(seen.state == RunState::Failed);
        QVERIFY(QString::fromStdString(seen.reason).contains("launcher"));
        QCOMPARE(seen.lastStep, 5);
        // Written down, not only said.
        QVERIFY(readSmallFile(run.path() / "state.json")->find("failed") != std::string::npos);
    }
}

void RunDirectoryTest::reusedPidFailsTheRun()
{
    RunDirectory run = newRun();
    RunStatus status;
    status.state = RunState::Running;
    status.launcherPid = ::getpid();
    status.launcherStart = processInfo(::getpid())->startTime;
    run.setStatus(status);
    QVERIFY(run.status().state == RunState::Running);
    status.launcherStart += 1;
    run.setStatus(status);
    QVERIFY(run.status().state == RunState::Failed);
}

void RunDirectoryTest::livingLauncherOfAnotherHostIsLeftAlone()
{
    RunDirectory run = newRun();
    RunStatus status;
    status.state = RunState::Running;
    status.launcherPid = deadPid();
    run.setStatus(status);
    std::string text = *readSmallFile(run.path() / "state.json");
    const std::string field = "\"launcher_host\": \"" + hostName();
    const auto at = text.find(field);
    QVERIFY(at != std::string::npos);
    text.replace(at, field.size(), "\"launcher_host\": \"another-" + hostName());
    writeText(run.path() / "state.json", text);
    QVERIFY(run.status().state == RunState::Running);
}

void RunDirectoryTest::draftIsNobodysOrphan()
{
    QVERIFY(newRun().status().state == RunState::Draft);
}

void RunDirectoryTest::damagedStateIsAFailedRun_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << "";
    QTest::newRow("cut") << "{\"state\": \"runn";
    QTest::newRow("no object") << "[1, 2]";
    QTest::newRow("unknown state") << "{\"state\": \"dancing\"}";
    QTest::newRow("wrong type") << "{\"state\": 7}";
}

void RunDirectoryTest::damagedStateIsAFailedRun()
{
    QFETCH(const QString, text);
    const RunDirectory run = newRun();
    writeText(run.path() / "state.json", text.toStdString());
    const RunStatus status = run.status();
    QVERIFY(status.state == RunState::Failed);
    QVERIFY(!status.reason.empty());
}

void RunDirectoryTest::openRefusesWhatIsNoRun()
{
    QVERIFY(messageOf([&] { RunDirectory::open(m_home / "none"); }).find("none") !=
            std::string::npos);
    QVERIFY(messageOf([&] { RunDirectory::open(m_home); }).find("run.json") != std::string::npos);
    writeText(m_home / "run.json", "not JSON");
    QVERIFY(!messageOf([&] { RunDirectory::open(m_home); }).empty());
    writeText(m_home / "run.json", "{\"format\": \"triaxis-run\", \"version\": 2}");
    QVERIFY(messageOf([&] { RunDirectory::open(m_home); }).find("version 2") != std::string::npos);
    writeText(m_home / "run.json", "{\"format\": \"triaxis-run\", \"version\": 1}");
    QVERIFY(messageOf([&] { RunDirectory::open(m_home).plan(); }).find("plan") !=
            std::string::npos);
    fs::remove(m_home / "run.json");
    fs::create_directory(m_home / "run.json");
    QVERIFY(!messageOf([&] { RunDirectory::open(m_home); }).empty());
}

void RunDirectoryTest::noPermissionOrNoPlaceIsAnError()
{
    QVERIFY_EXCEPTION_THROWN(RunDirectory::create("/proc/nowhere", smallPlan(1, 1, 1), {}), Error);
    writeText(m_home / "runs", "a file where the folder should be");
    QVERIFY_EXCEPTION_THROWN(newRun(), Error);
}

void RunDirectoryTest::fullDiskKeepsTheStateInPlace()
{
    const fs::path file = m_home / "state";
    replaceFile(file, std::string(300, 'a') + "\n");
    const auto inode = [&] {
        struct stat info
        {
        };
        ::stat(file.c_str(), &info);
        return info.st_ino;
    };
    const auto before = inode();
    QVERIFY(overwriteFile(file, "{}"));
    QCOMPARE(inode(), before);
    const std::string text = *readSmallFile(file);
    QCOMPARE(text.size(), 301u);
    QVERIFY(nlohmann::json::parse(text).is_object());
    QVERIFY(!overwriteFile(m_home / "none", "{}"));
}

void RunDirectoryTest::replaceLeavesNoTemporaryFileBehind()
{
    const fs::path folder = m_home / "folder";
    fs::create_directory(folder);
    for (int i = 0; i < 5; ++i)
        replaceFile(folder / "a.json", "{}");
    // A folder cannot be replaced by a file.
    fs::create_directories(folder / "b.json" / "c");
    QVERIFY_EXCEPTION_THROWN(replaceFile(folder / "b.json", "{}"), Error);
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.insert(entry.path().filename().string());
    QCOMPARE(names, (std::set<std::string>{"a.json", "b.json"}));
}

void RunDirectoryTest::recordsOfAllRanksAreReadTogether()
{
    RunDirectory run = newRun();
    RunStatus status;
    status.state = RunState::Finished;
    run.setStatus(status);
    writeRecord(run.recordFile(Rank(0)), 0, 5);
    writeRecord(run.recordFile(Rank(1)), 1, 5);
    std::ofstream(run.recordFile(Rank(1)), std::ios::app) << "TXR1 torn";
    const RunRecords whole = readRun(run);
    QCOMPARE(whole.all.spans.size(), 30u);
    QCOMPARE(whole.all.steps.size(), 10u);
    QCOMPARE(whole.all.ended.size(), 2u);
    QCOMPARE(whole.all.tornBytes, 9);
    const RunRecords part = readRun(run, 2, 3);
    QCOMPARE(part.all.spans.size(), 12u);
    for (const Span& span : part.all.spans)
        QVERIFY(span.step == 2 || span.step == 3);
    fs::remove(run.recordFile(Rank(0)));
    // A file that claims to be of another rank brings none of its spans.
    fs::copy_file(run.recordFile(Rank(1)), run.recordFile(Rank(0)));
    QCOMPARE(readRun(run).all.spans.size(), 15u);
}

QTEST_APPLESS_MAIN(RunDirectoryTest)
#include "run_directory_test.moc"
