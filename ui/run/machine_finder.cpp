#include "ui/run/machine_finder.h"
#include "ui/base/language.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace triaxis::ui
{
namespace
{

constexpr int longestAnswer = 20'000; ///< milliseconds; loading MPI and BLAS takes one or two
constexpr int longestEnd = 1'000;

QString nameOf(const QJsonValue& gpu)
{
    return gpu.isString() ? gpu.toString() : gpu.toObject().value(QLatin1String("name")).toString();
}

} // namespace

std::optional<FoundMachine> foundMachineIn(const QByteArray& json)
{
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    FoundMachine machine;
    machine.host = object.value(QLatin1String("host")).toString();
    machine.cores = object.value(QLatin1String("cores")).toInt();
    machine.memoryBytes = std::int64_t(object.value(QLatin1String("memory_bytes")).toDouble());
    machine.device = object.value(QLatin1String("device")).toString();
    machine.blas = object.value(QLatin1String("blas")).toString();
    machine.mpi = object.value(QLatin1String("mpi")).toString();
    for (const QJsonValue& gpu : object.value(QLatin1String("gpus")).toArray())
        machine.gpus << nameOf(gpu);
    if (machine.cores < 1 || machine.memoryBytes < 1)
        return std::nullopt;
    return machine;
}

MachineFinder::MachineFinder(QObject* parent) : QObject(parent)
{
    m_limit.setSingleShot(true);
    m_limit.setInterval(longestAnswer);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        m_late = true;
        m_process.kill();
    });
    connect(&m_process, &QProcess::finished, this, &MachineFinder::conclude);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        m_limit.stop();
        emit failed(tr("%1 could not be started; build or install triaxis completely")
                        .arg(m_process.program()));
    });
}

MachineFinder::~MachineFinder()
{
    m_process.disconnect(this);
    if (!isRunning())
        return;
    m_process.kill();
    m_process.waitForFinished(longestEnd);
}

void MachineFinder::start(const QString& program)
{
    if (isRunning())
        return;
    m_late = false;
    m_process.setProgram(program);
    m_process.setArguments({QStringLiteral("--devices")});
    m_limit.start();
    m_process.start();
}

void MachineFinder::conclude(int exitCode, QProcess::ExitStatus status)
{
    m_limit.stop();
    if (m_late) {
        emit failed(tr("%1 --devices did not answer").arg(m_process.program()));
        return;
    }
    if (status != QProcess::NormalExit || exitCode != 0) {
        const QString said = QString::fromUtf8(m_process.readAllStandardError()).trimmed();
        const QString last = said.section(QLatin1Char('\n'), -1);
        emit failed(last.isEmpty() ? tr("%1 --devices did not end well").arg(m_process.program())
                                   : spoken(last));
        return;
    }
    if (const auto machine = foundMachineIn(m_process.readAllStandardOutput()))
        emit found(*machine);
    else
        emit failed(tr("%1 --devices did not say what this machine has").arg(m_process.program()));
}

} // namespace triaxis::ui
