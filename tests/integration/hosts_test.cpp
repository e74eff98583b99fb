// A run over two hosts that share no folder: network namespaces joined by a cable, the second one
// with an empty file system in the place of the first one's runs.

#include "engine/record/rank_status.h"
#include "engine/record/records.h"
#include "engine/record/run_directory.h"
#include "tests/integration/fault_support.h"

#include <QTest>
#include <csignal>
#include <fstream>
#include <unistd.h>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

namespace
{

constexpr int longest = 120000; // milliseconds

bool call(const QStringList& command)
{
    QProcess process;
    process.start(command.first(), command.mid(1));
    return process.waitForFinished(longest) && process.exitStatus() == QProcess::NormalExit &&
           process.exitCode() == 0;
}

/// Two simulated hosts; they go with this object.
class TwoHosts
{
public:
    explicit TwoHosts(const fs::path& folder) : m_folder(folder)
    {
        m_ready = call({"ip", "netns", "add", name(1)}) && call({"ip", "netns", "add", name(2)}) &&
                  call({"ip", "link", "add", "eth0", "netns", name(1), "type", "veth", "peer",
                        "name", "eth0", "netns", name(2)});
        for (int host : {1, 2})
            m_ready =
                m_ready && inside(host, {"ip", "link", "set", "lo", "up"}) &&
                inside(host, {"ip", "address", "add", address(host) + "/24", "dev", "eth0"}) &&
                inside(host, {"ip", "link", "set", "eth0", "up"});
    }
    ~TwoHosts()
    {
        for (int host : {1, 2})
            call({"ip", "netns", "delete", name(host)});
    }
    TwoHosts(const TwoHosts&) = delete;
    TwoHosts& operator=(const TwoHosts&) = delete;

    bool areReady() const { return m_ready; }
    static QString name(int host) { return QString("triaxis-%1-%2").arg(::getpid()).arg(host); }
    static QString address(int host) { return QString("10.77.0.%1").arg(host); }

    /// `perHost` ranks on the first host, then as many on the second.
    QString hostfile(int perHost) const
    {
        const fs::path file = m_folder / "hosts";
        std::ofstream out(file);
        for (int host : {1, 2})
            out << address(host).toStdString() << " slots=" << perHost << "\n";
        return QString::fromStdString(file.string());
    }

    /// A process of the first host whose mpirun reaches the second through a script instead of ssh.
    void start(QProcess& process, const fs::path& home, const QStringList& command) const
    {
        const fs::path agent = m_folder / "reach";
        std::ofstream(agent) << "#!/bin/sh\nshift\nexec ip netns exec " << name(2).toStdString()
                             << " unshare -um sh -c 'hostname second && mount -t tmpfs none \""
                             << home.string() << "\" && cd / && exec sh -c \"$*\"' sh \"$@\"\n";
        fs::permissions(agent, fs::perms::owner_all);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TRIAXIS_HOME", QString::fromStdString(home.string()));
        environment.insert("OMPI_MCA_plm_rsh_agent", QString::fromStdString(agent.string()));
        environment.insert("OMPI_MCA_btl", "tcp,self");
        environment.insert("OMPI_MCA_btl_tcp_if_include", "10.77.0.0/24");
        environment.insert("OMPI_MCA_oob_tcp_if_include", "10.77.0.0/24");
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start("ip", QStringList{"netns", "exec", name(1), "unshare", "-u", "sh", "-c",
                                        "hostname first && exec \"$@\"", "sh"} +
                                command);
    }

private:
    static bool inside(int host, const QStringList& command)
    {
        return call(QStringList{"ip", "netns", "exec", name(host)} + command);
    }

    fs::path m_folder;
    bool m_ready = false;
};

QStringList runCommand(int steps)
{
    return {qEnvironmentVariable("TRIAXIS_BIN") + "/triaxis",
            "run",
            "--json",
            "--model",
            "gpt2-1m",
            "--data",
            "synthetic",
            "--dp",
            "2",
            "--pp",
            "2",
            "--batch",
            "4",
            "--sequence",
            "16",
            "--microbatch",
            "1",
            "--steps",
            QString::number(steps)};
}

std::optional<RunDirectory> onlyRun(const fs::path& home)
{
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(home / "runs", code))
        if (fs::exists(entry.path() / "state.json") && fs::exists(entry.path() / "run.json"))
            return RunDirectory::open(entry.path());
    return std::nullopt;
}

std::vector<int> spansByRank(const RunRecords& records, int ranks)
{
    std::vector<int> spans(std::size_t(ranks), 0);
    for (const Span& span : records.all.spans)
        ++spans[std::size_t(span.rank.value)];
    return spans;
}

} // namespace

class HostsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->path().toStdString();
        m_hosts = std::make_unique<TwoHosts>(m_path);
        for (const char* home : {"one", "two"})
            fs::create_directories(m_path / home);
        if (!m_hosts->areReady())
            QSKIP("network namespaces are not permitted here: a run over two hosts was not tried");
    }
    void cleanup() { m_hosts.reset(); }

    void recordsTravelWhereNoFolderIsShared();
    void aRankThatDiesOnAnotherHostIsNamed();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TwoHosts> m_hosts;
    fs::path m_path;
};

void HostsTest::recordsTravelWhereNoFolderIsShared()
{
    QProcess spread;
    m_hosts->start(spread, m_path / "two",
                   runCommand(5) + QStringList{"--hostfile", m_hosts->hostfile(2)});
    QVERIFY(spread.waitForFinished(longest));
    QCOMPARE(spread.exitCode(), 0);
    QProcess here;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TRIAXIS_HOME", QString::fromStdString((m_path / "one").string()));
    here.setProcessEnvironment(environment);
    here.start(runCommand(5).first(), runCommand(5).mid(1));
    QVERIFY(here.waitForFinished(longest));

    const RunRecords far = readRun(*onlyRun(m_path / "two"));
    const RunRecords near = readRun(*onlyRun(m_path / "one"));
    QCOMPARE(int(far.all.tornBytes), 0);
    QCOMPARE(int(far.all.hellos.size()), 4);
    int elsewhere = 0;
    for (const HelloRecord& hello : far.all.hellos)
        elsewhere += hello.host == "second";
    QCOMPARE(elsewhere, 2);
    QCOMPARE(int(far.all.ended.size()), 4);
    QVERIFY(spansByRank(far, 4) == spansByRank(near, 4));
    QCOMPARE(far.all.steps.size(), near.all.steps.size());
    for (std::size_t i = 0; i < far.all.steps.size(); ++i)
        QCOMPARE(far.all.steps[i].loss, near.all.steps[i].loss);
}

void HostsTest::aRankThatDiesOnAnotherHostIsNamed()
{
    QProcess spread;
    m_hosts->start(spread, m_path / "two",
                   runCommand(1000000) + QStringList{"--hostfile", m_hosts->hostfile(2)});
    std::optional<RankStatus> status;
    QVERIFY(waitUntil([&] {
        spread.waitForReadyRead(1);
        const auto run = onlyRun(m_path / "two");
        status = run ? readRankStatus(run->statusFile(Rank(3))) : std::nullopt;
        return status && status->step > 2;
    }));
    QCOMPARE(status->host, std::string("second"));
    QCOMPARE(::kill(status->pid, SIGKILL), 0);
    QVERIFY(waitUntil([&] { return spread.waitForFinished(20); }));
    QCOMPARE(spread.exitCode(), 1);
    const RunStatus end = onlyRun(m_path / "two")->status();
    QVERIFY(end.state == RunState::Failed);
    QVERIFY2(end.failedRank == Rank(3), end.reason.c_str());
}

QTEST_MAIN(HostsTest)
#include "hosts_test.moc"
