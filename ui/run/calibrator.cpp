#include "ui/run/calibrator.h"
#include "ui/base/words.h"
#include "ui/base/language.h"

#include <QProcessEnvironment>
#include <QRegularExpression>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int endMilliseconds = 3000;

} // namespace

QString timeLeftText(double seconds, int done, int all)
{
    if (done < 1 || all <= done)
        return Words::tr("up to 4 minutes in all");
    const double left =
        std::min(std::max(calibrationBudget - seconds, 5.0), seconds * (all - done) / done);
    if (left < 55)
        return Words::tr("about %1 s left").arg(5 * int(left / 5 + 1));
    return Words::tr("about %1 min left").arg(int(left / 60 + 0.5));
}

Calibrator::Calibrator(QObject* parent) : QObject(parent)
{
    m_process.setStandardOutputFile(QProcess::nullDevice());
    m_process.setReadChannel(QProcess::StandardError);
    connect(&m_process, &QProcess::readyReadStandardError, this, &Calibrator::readLines);
    connect(&m_process, &QProcess::finished, this, &Calibrator::conclude);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            emit failed(tr("%1 could not be started; build or install triaxis completely")
                            .arg(m_process.program()));
    });
}

Calibrator::~Calibrator()
{
    m_process.disconnect(this);
    if (!isRunning())
        return;
    m_process.terminate();
    if (!m_process.waitForFinished(endMilliseconds))
        m_process.kill();
}

void Calibrator::start(const QString& program, const QString& home)
{
    if (isRunning())
        return;
    m_cancelled = false;
    m_lastLine.clear();
    m_warning.clear();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("TRIAXIS_HOME"), home);
    m_process.setProcessEnvironment(environment);
    m_process.setProgram(program);
    m_process.setArguments({QStringLiteral("calibrate"), QStringLiteral("--budget"),
                            QString::number(calibrationBudget)});
    m_since.start();
    tell(0, 0, tr("starting"));
    m_process.start();
}

void Calibrator::cancel()
{
    if (!isRunning())
        return;
    m_cancelled = true;
    m_process.terminate();
}

void Calibrator::readLines()
{
    while (m_process.canReadLine() || m_process.bytesAvailable() > 0) {
        const QByteArray line = m_process.readLine();
        if (line.isEmpty())
            return;
        readLine(QString::fromUtf8(line).trimmed());
    }
}

/// "3 of 8: 2 ranks, 1 thread, messages".
void Calibrator::readLine(const QString& line)
{
    if (!line.isEmpty())
        m_lastLine = line;
    static const QRegularExpression job(QStringLiteral("^(\\d+) of (\\d+): (.*)$"));
    const QRegularExpressionMatch match = job.match(line);
    const QLatin1String own("triaxis: ");
    if (line.startsWith(own))
        m_warning = spoken(line.mid(own.size()));
    if (match.hasMatch())
        tell(match.captured(1).toInt() - 1, match.captured(2).toInt(), spoken(match.captured(3)));
}

void Calibrator::tell(int done, int all, const QString& what)
{
    m_done = done;
    m_all = all;
    m_what = what;
    emit progress(done, all);
}

QString Calibrator::progressText() const
{
    const QString left = timeLeftText(1e-3 * double(m_since.elapsed()), m_done, m_all);
    if (m_all == 0)
        return tr("%1 · %2").arg(m_what, left);
    return tr("%1 of %2: %3 · %4").arg(m_done + 1).arg(m_all).arg(m_what, left);
}

void Calibrator::conclude(int exitCode, QProcess::ExitStatus status)
{
    m_process.setReadChannel(QProcess::StandardError);
    readLines();
    if (m_cancelled)
        emit failed(QString());
    else if (status == QProcess::NormalExit && exitCode == 0)
        emit finished();
    else
        emit failed(m_lastLine.isEmpty() ? tr("triaxis calibrate did not end well") : spoken(m_lastLine));
}

} // namespace triaxis::ui
