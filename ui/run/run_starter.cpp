#include "ui/run/run_starter.h"

#include "engine/core/cores.h"
#include "engine/core/error.h"
#include "engine/data/complete_data.h"
#include "engine/record/run_directory.h"
#include "launcher/supervisor.h"
#include "ui/base/background.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/plan/plan_document.h"

#include <QProcess>
#include <QSysInfo>

namespace triaxis::ui
{
namespace
{

RunDirectory makeDirectory(RunPlan plan, const QString& version)
{
    completeData(plan);
    RunEnvironment environment;
    environment.version = version.toStdString();
    environment.host = QSysInfo::machineHostName().toStdString();
    environment.cores = usableCores();
    return RunDirectory::create(triaxisHome(), plan, environment);
}

/// Returns the process that runs it.
int launch(RunDirectory& run)
{
    const std::filesystem::path program = findPrograms().triaxis;
    const QString log = toQString((run.path() / "launcher.log").string());
    QProcess process;
    process.setProgram(toQString(program.string()));
    process.setArguments({QStringLiteral("run"), QStringLiteral("--quiet"),
                          QStringLiteral("--run-directory"), toQString(run.path().string())});
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(log);
    process.setStandardErrorFile(log, QIODevice::Append);
    process.setWorkingDirectory(toQString(run.path().string()));
    qint64 pid = 0;
    if (process.startDetached(&pid))
        return int(pid);
    RunStatus status = run.status();
    status.state = RunState::Failed;
    status.reason = program.string() + " could not be started";
    run.setStatus(status);
    throw Error("cannot start the run", status.reason, "build or install triaxis completely");
}

} // namespace

RunStarter::RunStarter(Background& background, QString version, QObject* parent)
    : QObject(parent), m_background(background), m_version(std::move(version))
{
}

void RunStarter::start(const RunPlan& plan)
{
    m_background.post(this, [this, plan, version = m_version]() -> Background::Delivery {
        try {
            RunDirectory run = makeDirectory(plan, version);
            const int process = launch(run);
            const QString directory = toQString(run.path().string());
            return [this, directory, process] { emit started(directory, process); };
        } catch (const std::exception& problem) {
            const auto* error = dynamic_cast<const Error*>(&problem);
            const QString title =
                error ? spoken(error->tried()) : spoken("cannot start the run");
            const QString detail = error ? spoken(error->object() + ". " + error->remedy())
                                         : QString::fromLocal8Bit(problem.what());
            return [this, title, detail] { emit failed(title, detail); };
        }
    });
}

} // namespace triaxis::ui
