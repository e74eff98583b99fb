#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>

namespace triaxis::ui
{

/// Runs `triaxis calibrate` as a process of its own and tells how far it is.
class Calibrator : public QObject
{
    Q_OBJECT
public:
    explicit Calibrator(QObject* parent = nullptr);
    ~Calibrator() override;

    /// `program`: triaxis; `home`: where the calibration goes. Nothing happens while one runs.
    void start(const QString& program, const QString& home);
    void cancel();
    /// How far it is, for people: "3 of 27: messages · about 2 min left".
    QString progressText() const;
    /// What the last calibration warned of: that others disturbed it; empty: nothing.
    const QString& warning() const { return m_warning; }
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }

signals:
    /// `done` of `all` jobs; `all` 0: not known yet.
    void progress(int done, int all);
    void finished();
    /// It ended without a calibration; empty when cancelled.
    void failed(const QString& why);

private:
    void readLines();
    void readLine(const QString& line);
    void conclude(int exitCode, QProcess::ExitStatus status);

    void tell(int done, int all, const QString& what);

    QProcess m_process;
    QElapsedTimer m_since; ///< it began
    int m_done = 0;
    int m_all = 0;
    QString m_what;
    QString m_lastLine;
    QString m_warning;
    bool m_cancelled = false;
};

/// Seconds after which a calibration leaves out what it has not measured yet.
inline constexpr int calibrationBudget = 240;
/// "about 2 min left" after `seconds` for `done` of `all` jobs, no more than the budget leaves; "up
/// to 4 minutes in all" before any of them is done.
QString timeLeftText(double seconds, int done, int all);

} // namespace triaxis::ui
