#include <QtTest>

#include "engine/record/file_lock.h"

#include <QTemporaryDir>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace triaxis;

class FileLockTest : public QObject
{
    Q_OBJECT

private slots:
    void oneHoldsAFileAtATime()
    {
        auto first = FileLock::tryTake(path("one"));
        QVERIFY(first.has_value());
        QVERIFY(!FileLock::tryTake(path("one")));
        QVERIFY(FileLock::tryTake(path("two")).has_value());
        const QString holder = QString::fromStdString(FileLock::holderOf(path("one")));
        QVERIFY2(holder.startsWith(QStringLiteral("process %1 on ").arg(::getpid())),
                 qPrintable(holder));
        FileLock moved = std::move(*first);
        first.reset();
        QVERIFY(!FileLock::tryTake(path("one")));
        moved = std::move(*FileLock::tryTake(path("two")));
        QVERIFY(FileLock::tryTake(path("one")).has_value());
    }

    void aKilledProcessLetsGo()
    {
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            const auto lock = FileLock::tryTake(path("killed"));
            const char held = lock ? 'y' : 'n';
            (void)!::write(ready[1], &held, 1);
            for (;;)
                ::pause();
        }
        char held = 0;
        QCOMPARE(::read(ready[0], &held, 1), ssize_t(1));
        QCOMPARE(held, 'y');
        QVERIFY(!FileLock::tryTake(path("killed")));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QVERIFY(FileLock::tryTake(path("killed")).has_value());
        ::close(ready[0]);
        ::close(ready[1]);
    }

    void whereNoFileCanBeMadeNobodyHoldsOne()
    {
        QVERIFY(!FileLock::tryTake("/proc/no/such/folder/lock"));
        QCOMPARE(FileLock::holderOf(path("nothing here")), std::string());
    }

private:
    std::filesystem::path path(const char* name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / "inside" / name;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(FileLockTest)
#include "file_lock_test.moc"
