#pragma once

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
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }

signals:
    /// `done` of `all` jobs; `all` 0: not known yet.
    void progress(int done, int all, const QString& what);
    void finished();
    /// It ended without a calibration; empty when cancelled.
    void failed(const QString& why);

private:
    void readLines();
    void readLine(const QString& line);
    void conclude(int exitCode, QProcess::ExitStatus status);

    QProcess m_process;
    QString m_lastLine;
    bool m_cancelled = false;
};

} // namespace triaxis::ui
