#include "ui/run/exporter.h"

#include "engine/core/error.h"
#include "launcher/supervisor.h"
#include "ui/base/language.h"
#include "ui/base/text.h"

#include <QFile>
#include <QProcess>

namespace triaxis::ui
{
namespace
{

QString nameOf(Exporter::Format format)
{
    switch (format) {
    case Exporter::Format::Report:
        return QStringLiteral("html");
    case Exporter::Format::Trace:
        return QStringLiteral("trace");
    case Exporter::Format::Csv:
        return QStringLiteral("csv");
    }
    return {};
}

} // namespace

Exporter::Exporter(QObject* parent) : QObject(parent) {}

QString Exporter::suffix(Format format)
{
    switch (format) {
    case Format::Report:
        return QStringLiteral("html");
    case Format::Trace:
        return QStringLiteral("json");
    case Format::Csv:
        return QStringLiteral("csv");
    }
    return {};
}

QString Exporter::filter(Format format)
{
    switch (format) {
    case Format::Report:
        return tr("Report (*.html)");
    case Format::Trace:
        return tr("Chrome trace (*.json)");
    case Format::Csv:
        return tr("Spans (*.csv)");
    }
    return {};
}

void Exporter::write(const QString& runId, Format format, const QString& file)
{
    run({QStringLiteral("export"), runId, QStringLiteral("--format"), nameOf(format),
         QStringLiteral("--output"), file, QStringLiteral("--language"), windowLanguage()},
        file);
}

void Exporter::run(const QStringList& arguments, const QString& file)
{
    if (m_process)
        return;
    QString program;
    try {
        program = toQString(findPrograms().triaxis.string());
    } catch (const Error& error) {
        emit failed(spoken(error.tried()), spoken(error.object()));
        return;
    }
    m_file = file;
    m_cancelled = false;
    m_process = new QProcess(this);
    m_process->setProgram(program);
    m_process->setArguments(arguments);
    connect(m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        finish(code, status == QProcess::CrashExit);
    });
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish(-1, true);
    });
    m_process->start(QIODevice::ReadOnly);
    m_processId = m_process->processId();
}

void Exporter::cancel()
{
    if (!m_process)
        return;
    m_cancelled = true;
    m_process->kill();
}

void Exporter::finish(int exitCode, bool crashed)
{
    QProcess* process = m_process;
    m_process = nullptr;
    process->deleteLater();
    if (m_cancelled) {
        // Written beside its place first (app/cli/export_file.h).
        QFile::remove(m_file + QStringLiteral(".part") + QString::number(m_processId));
        emit cancelled();
        return;
    }
    if (exitCode == 0 && !crashed) {
        emit written(m_file);
        return;
    }
    QString detail = QString::fromLocal8Bit(process->readAllStandardError()).trimmed();
    if (detail.isEmpty())
        detail = process->errorString();
    emit failed(tr("The run could not be exported"), spoken(detail));
}

} // namespace triaxis::ui
