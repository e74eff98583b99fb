#include "ui/sweep/sweep_runner.h"

#include "engine/core/error.h"
#include "engine/formats/sweep_json.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/base/language.h"

#include <QProcessEnvironment>

#include <algorithm>
#include <csignal>
#include <sys/prctl.h>

namespace triaxis::ui
{
namespace
{

constexpr int endMilliseconds = 8000; ///< mpirun and its ranks take their time
constexpr double tellableSeconds = 3;
constexpr double tellableShare = 0.02;

Layout layoutFrom(const nlohmann::json& json)
{
    Layout layout;
    layout.dp = json.value("dp", 1);
    layout.tp = json.value("tp", 1);
    layout.pp = json.value("pp", 1);
    return layout;
}

} // namespace

QString sweepTimeLeft(double seconds, double share)
{
    if (seconds < tellableSeconds || share < tellableShare || share >= 1)
        return {};
    const double left = seconds * (1 - share) / share;
    if (left < 55)
        return Words::tr("about %1 s left").arg(5 * int(left / 5 + 1));
    return Words::tr("about %1 min left").arg(int(left / 60 + 0.5));
}

SweepRunner::SweepRunner(QObject* parent) : QObject(parent)
{
    // A window that is killed takes its sweep along: nobody would be there to see its end.
    m_process.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGTERM); });
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &SweepRunner::readLines);
    connect(&m_process, &QProcess::finished, this, &SweepRunner::conclude);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            emit finished(tr("%1 could not be started; build or install triaxis completely")
                              .arg(m_process.program()));
    });
}

SweepRunner::~SweepRunner()
{
    m_process.disconnect(this);
    if (!isRunning())
        return;
    m_process.terminate();
    if (!m_process.waitForFinished(endMilliseconds)) {
        m_process.kill();
        m_process.waitForFinished(endMilliseconds);
    }
}

void SweepRunner::start(const QString& program, const QString& home, const QStringList& arguments,
                        int forms)
{
    if (isRunning())
        return;
    m_cancelled = false;
    m_problem.clear();
    m_tables.clear();
    m_forms = std::max(1, forms);
    m_runs = m_runsBegun = m_layouts = m_step = m_steps = 0;
    m_isRunOn = false;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("TRIAXIS_HOME"), home);
    m_process.setProcessEnvironment(environment);
    m_process.setProgram(program);
    m_process.setArguments(QStringList{QStringLiteral("sweep"), QStringLiteral("--json-lines")} +
                           arguments);
    m_since.start();
    m_process.start(QIODevice::ReadOnly);
}

void SweepRunner::cancel()
{
    if (!isRunning() || m_cancelled)
        return;
    m_cancelled = true;
    m_process.terminate();
    emit progressed();
}

void SweepRunner::readLines()
{
    while (m_process.canReadLine())
        readLine(m_process.readLine().trimmed());
}

void SweepRunner::readLine(const QByteArray& line)
{
    try {
        const nlohmann::json json = nlohmann::json::parse(line.toStdString());
        const std::string event = json.value("event", "");
        if (event == "form") {
            SweepTable table;
            table.form = json.value("form", "") == toText(SweepForm::Paced) ? SweepForm::Paced
                                                                            : SweepForm::Cores;
            table.title = json.value("title", "");
            m_tables.push_back(std::move(table));
            m_runs = json.value("runs", 0);
            m_layouts = json.value("layouts", 0);
            m_runsBegun = 0;
            m_isRunOn = false;
        } else if (event == "start") {
            ++m_runsBegun;
            m_trial = json.value("trial", false);
            m_steps = json.value("steps", 0);
            m_step = 0;
            m_isRunOn = true;
            m_current = layoutFrom(json.at("layout"));
        } else if (event == "step") {
            m_step = json.value("done", 0);
        } else if (event == "row" && !m_tables.empty()) {
            m_isRunOn = false;
            m_tables.back().rows.push_back(sweepRowFromJson(json.at("row")));
            compareRows(m_tables.back());
            emit measured();
        } else if (event == "table" && !m_tables.empty()) {
            for (const auto& note : json.at("notes"))
                m_tables.back().notes.push_back(note.get<std::string>());
            emit measured();
        }
        emit progressed();
    } catch (const std::exception& error) {
        m_problem = tr("triaxis sweep said what this window does not understand: %1")
                        .arg(QString::fromUtf8(error.what()));
    }
}

const Layout* SweepRunner::current() const
{
    return m_isRunOn && !m_trial ? &m_current : nullptr;
}

double SweepRunner::share() const
{
    if (m_tables.empty() || m_runs == 0)
        return 0;
    const double step = m_isRunOn && m_steps > 0 ? double(m_step) / m_steps : 1;
    const double form = m_runsBegun == 0 ? 0 : (m_runsBegun - 1 + step) / m_runs;
    return std::clamp((double(m_tables.size()) - 1 + form) / m_forms, 0.0, 1.0);
}

QString SweepRunner::progressText() const
{
    if (m_cancelled)
        return tr("Stopping …");
    if (m_tables.empty())
        return tr("Starting …");
    QStringList parts;
    if (m_trial && m_isRunOn)
        parts << tr("Finding out how long the real work takes");
    else
        parts << tr("Layout %1 of %2")
                     .arg(std::min(int(m_tables.back().rows.size()) + 1, m_layouts))
                     .arg(m_layouts);
    if (m_isRunOn)
        parts << tr("step %1 of %2").arg(m_step).arg(m_steps);
    const QString left = sweepTimeLeft(1e-3 * double(m_since.elapsed()), share());
    if (!left.isEmpty())
        parts << left;
    return parts.join(QStringLiteral(" · "));
}

void SweepRunner::conclude(int exitCode, QProcess::ExitStatus status)
{
    readLines();
    m_isRunOn = false;
    if (m_cancelled) {
        emit finished({});
        return;
    }
    // 1: some layouts were not measured, which their rows tell.
    const bool rows = !m_tables.empty() && !m_tables.back().rows.empty();
    const bool ended = status == QProcess::NormalExit && (exitCode == 0 || (exitCode == 1 && rows));
    QString problem = ended ? m_problem : QString();
    if (!ended) {
        problem = QString::fromUtf8(m_process.readAllStandardError()).trimmed();
        problem = problem.section(QLatin1Char('\n'), -1).remove(QStringLiteral("triaxis: "));
        problem = spoken(problem);
        if (problem.isEmpty())
            problem = tr("triaxis sweep did not end well");
    }
    emit finished(problem);
}

} // namespace triaxis::ui
