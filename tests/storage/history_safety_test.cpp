#include "storage/schema.h"
#include "tests/storage/history_fixture.h"

#include <QTest>
#include <array>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

/// What the history does with files that are damaged, old, new, or in use.
class HistorySafetyTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = m_folder->path().toStdString();
    }

    void newerHistoryIsRefusedAndLeftAlone();
    void olderHistoryIsMigrated();
    void damagedHistoryIsSetAsideAndRebuilt_data();
    void damagedHistoryIsSetAsideAndRebuilt();
    void historyDamagedWhileOpenIsRebuilt();
    void severalProcessesIndexAtOnce();
    void severalProcessesMakeTheHistoryAtOnce();
    void unwritableHomeIsAnError();
    void damagedRunIsSkippedAndReported();
    void linksInTheRunsFolderAreNotFollowed();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_home;
};

void HistorySafetyTest::newerHistoryIsRefusedAndLeftAlone()
{
    {
        History history(m_home);
    }
    const fs::path file = m_home / "history.db";
    {
        sqlite::Database database(file);
        database.setUserVersion(999);
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    const auto before = contentOf(file);
    const std::string message = messageOf([&] { History history(m_home); });
    QVERIFY2(message.find("999") != std::string::npos, message.c_str());
    QCOMPARE(contentOf(file), before);
    QVERIFY(!fs::exists(m_home / "history.db-wal"));
}

void HistorySafetyTest::olderHistoryIsMigrated()
{
    const fs::path file = m_home / "old.db";
    constexpr Migration first{
        1, "CREATE TABLE things (name TEXT); INSERT INTO things VALUES ('kept');"};
    constexpr Migration second{2, "ALTER TABLE things ADD COLUMN size INTEGER NOT NULL DEFAULT 7;"};
    constexpr Migration broken{3, "CREATE TABLE more (a); INSERT INTO none VALUES (1);"};
    {
        sqlite::Database database(file);
        migrate(database, std::array{first});
        QCOMPARE(database.userVersion(), 1);
    }
    {
        sqlite::Database database(file);
        migrate(database, std::array{first, second});
        QCOMPARE(database.userVersion(), 2);
        sqlite::Statement query(database, "SELECT name, size FROM things");
        QVERIFY(query.step());
        QCOMPARE(query.text(0), "kept");
        QCOMPARE(query.integer(1), 7);
        migrate(database, std::array{first, second});
    }
    {
        // A migration that fails half way leaves the old version whole.
        sqlite::Database database(file);
        QVERIFY_EXCEPTION_THROWN(migrate(database, std::array{first, second, broken}), Error);
        QCOMPARE(database.userVersion(), 2);
        sqlite::Statement query(database, "SELECT count(*) FROM sqlite_master WHERE name = 'more'");
        query.step();
        QCOMPARE(query.integer(0), 0);
    }
    // What the history itself is made of comes out of nothing, version by version.
    sqlite::Database fresh(m_home / "fresh.db");
    migrate(fresh, migrations());
    QCOMPARE(fresh.userVersion(), migrations().back().version);
}

void HistorySafetyTest::damagedHistoryIsSetAsideAndRebuilt_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("text")
        << QByteArray("this is no database, however long one looks at it").repeated(200);
    QTest::newRow("header only") << (QByteArray("SQLite format 3\0", 16) +
                                     QByteArray(5000, '\xff'));
}

void HistorySafetyTest::damagedHistoryIsSetAsideAndRebuilt()
{
    QFETCH(const QByteArray, content);
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 3);
    std::ofstream(m_home / "history.db", std::ios::binary) << content.toStdString();
    History history(m_home);
    QCOMPARE(idsOf(history.runs()), std::vector<std::string>{run.id()});
    QCOMPARE(history.steps(run.id()).size(), 3u);
    const auto notes = history.takeNotes();
    QCOMPARE(notes.size(), 1u);
    int aside = 0;
    for (const auto& entry : fs::directory_iterator(m_home))
        if (entry.path().filename().string().starts_with("history.db.damaged-")) {
            QVERIFY(notes[0].find(entry.path().filename().string()) != std::string::npos);
            QCOMPARE(fs::file_size(entry.path()), std::uintmax_t(content.size()));
            ++aside;
        }
    QCOMPARE(aside, 1);
}

void HistorySafetyTest::historyDamagedWhileOpenIsRebuilt()
{
    for (int i = 0; i < 20; ++i)
        makeRun(m_home, smallPlan(1, 1, 1), 40);
    {
        History history(m_home);
        history.refresh();
    }
    // All pages after the first two are overwritten; the header stays.
    const fs::path file = m_home / "history.db";
    auto content = contentOf(file);
    QVERIFY(content.size() > 5 * 4096);
    std::fill(content.begin() + 2 * 4096, content.end(), std::uint8_t(0xa5));
    writeContent(file, content);
    History history(m_home);
    QCOMPARE(history.refresh(), 20);
    QCOMPARE(history.count(), 20);
    QCOMPARE(history.steps(history.run("last").id).size(), 40u);
    QVERIFY(!history.takeNotes().empty());
}

void HistorySafetyTest::severalProcessesIndexAtOnce()
{
    constexpr int count = 12;
    for (int i = 0; i < count; ++i)
        makeRun(m_home, smallPlan(1, 1, 2), 30);
    std::vector<pid_t> children;
    for (int i = 0; i < 3; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            int code = 0;
            try {
                History history(m_home);
                for (int round = 0; round < 6; ++round)
                    code = history.refresh(round % 2 == 1) == count ? code : 1;
            } catch (const std::exception& error) {
                std::fprintf(stderr, "%s\n", error.what());
                code = 2;
            }
            ::_exit(code);
        }
        children.push_back(child);
    }
    for (pid_t child : children) {
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
    }
    History history(m_home);
    QCOMPARE(history.refresh(), count);
    QCOMPARE(rowsOf(m_home, "steps"), count * 30);
    QCOMPARE(rowsOf(m_home, "offsets"), count * 60);
}

void HistorySafetyTest::severalProcessesMakeTheHistoryAtOnce()
{
    for (int round = 0; round < 40; ++round) {
        const fs::path home = m_home / std::to_string(round);
        fs::create_directories(home);
        std::array<int, 2> start{};
        QCOMPARE(::pipe(start.data()), 0);
        std::vector<pid_t> children;
        for (int i = 0; i < 4; ++i) {
            const pid_t child = ::fork();
            if (child == 0) {
                ::close(start[1]);
                char none = 0;
                if (::read(start[0], &none, 1) != 0) // until the parent closes its end
                    ::_exit(3);
                try {
                    History history(home);
                    ::_exit(history.refresh() == 0 ? 0 : 1);
                } catch (const std::exception& error) {
                    std::fprintf(stderr, "%s\n", error.what());
                    ::_exit(2);
                }
            }
            children.push_back(child);
        }
        ::close(start[0]);
        ::close(start[1]);
        int failures = 0;
        for (pid_t child : children) {
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            failures += status != 0;
        }
        QCOMPARE(failures, 0);
    }
}

void HistorySafetyTest::unwritableHomeIsAnError()
{
    std::ofstream(m_home / "file") << "x";
    QVERIFY(!messageOf([&] { History history(m_home / "file"); }).empty());
    QVERIFY(!messageOf([&] { History history("/proc/nowhere"); }).empty());
}

void HistorySafetyTest::damagedRunIsSkippedAndReported()
{
    const RunDirectory good = makeRun(m_home, smallPlan(1, 1, 1), 2);
    const RunDirectory bad = makeRun(m_home, smallPlan(1, 1, 1), 2);
    std::ofstream(bad.path() / "run.json", std::ios::trunc) << "{ torn";
    fs::create_directories(m_home / "runs" / "empty");
    History history(m_home);
    QCOMPARE(history.refresh(), 1);
    QCOMPARE(idsOf(history.runs()), std::vector<std::string>{good.id()});
    const auto notes = history.takeNotes();
    QCOMPARE(notes.size(), 2u);
    QVERIFY(QString::fromStdString(notes[0] + notes[1]).contains(QString::fromStdString(bad.id())));
    QVERIFY(history.takeNotes().empty());
}

void HistorySafetyTest::linksInTheRunsFolderAreNotFollowed()
{
    const QTemporaryDir elsewhere;
    const RunDirectory run = makeRun(elsewhere.path().toStdString(), smallPlan(1, 1, 1), 2);
    fs::create_directories(m_home / "runs");
    fs::create_directory_symlink(run.path(), m_home / "runs" / "link");
    History history(m_home);
    QCOMPARE(history.refresh(), 0);
}

QTEST_APPLESS_MAIN(HistorySafetyTest)
#include "history_safety_test.moc"
