#pragma once

#include "engine/sweep/sweep_table.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>

#include <vector>

namespace triaxis::ui
{

/// "about 2 min left" when `share` of the work took `seconds`; empty before that can be told.
QString sweepTimeLeft(double seconds, double share);

/// Runs `triaxis sweep` as a process of its own, which ends with this one, and keeps what it tells.
class SweepRunner : public QObject
{
    Q_OBJECT
public:
    explicit SweepRunner(QObject* parent = nullptr);
    ~SweepRunner() override;

    /// `program`: triaxis; `home`: where the runs go; `arguments`: of the sweep; `forms`: how many
    /// forms they ask for. Nothing happens while one runs.
    void start(const QString& program, const QString& home, const QStringList& arguments,
               int forms);
    /// Stops the run that goes on and leaves out the rest; finished() follows.
    void cancel();
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    qint64 processId() const { return m_process.processId(); }
    bool isStopping() const { return isRunning() && m_cancelled; }

    /// What has been measured so far, a table a form, compared.
    const std::vector<SweepTable>& tables() const { return m_tables; }
    /// Of the form that goes on; none of a trial.
    const Layout* current() const;
    /// 0 … 1.
    double share() const;
    /// "Layout 3 of 5 · step 4 of 12 · about 2 min left".
    QString progressText() const;

signals:
    void progressed();
    /// tables() has another row.
    void measured();
    /// `problem`: why it did not get to its end; empty: it did, or was cancelled.
    void finished(const QString& problem);

private:
    void readLines();
    void readLine(const QByteArray& line);
    void conclude(int exitCode, QProcess::ExitStatus status);

    QProcess m_process;
    QElapsedTimer m_since;
    std::vector<SweepTable> m_tables;
    int m_forms = 1;
    int m_runs = 0;      ///< of the form
    int m_runsBegun = 0; ///< of the form
    int m_layouts = 0;   ///< of the form
    int m_step = 0;
    int m_steps = 0;
    bool m_trial = false;
    bool m_isRunOn = false;
    Layout m_current;
    QString m_problem;
    bool m_cancelled = false;
};

} // namespace triaxis::ui
