#pragma once

#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <optional>

namespace triaxis::ui
{

/// What the rank program has found on this machine.
struct FoundMachine
{
    QString host;
    int cores = 0;
    std::int64_t memoryBytes = 0;
    QString device; ///< name of the processor as the kernels call it
    QString blas;
    QString mpi;
    QStringList gpus; ///< names; none in builds without CUDA
};

/// What `triaxis-rank --devices` prints; nothing where that is no such JSON.
std::optional<FoundMachine> foundMachineIn(const QByteArray& json);

/// Asks `triaxis-rank --devices` what this machine has, without waiting for it.
class MachineFinder : public QObject
{
    Q_OBJECT
public:
    explicit MachineFinder(QObject* parent = nullptr);
    ~MachineFinder() override;

    /// `program`: triaxis-rank. Nothing happens while one is asked.
    void start(const QString& program);
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    /// For tests: how long an answer may take.
    void setLimit(int milliseconds) { m_limit.setInterval(milliseconds); }

signals:
    void found(const triaxis::ui::FoundMachine& machine);
    void failed(const QString& why);

private:
    void conclude(int exitCode, QProcess::ExitStatus status);

    QProcess m_process;
    QTimer m_limit;
    bool m_late = false;
};

} // namespace triaxis::ui
