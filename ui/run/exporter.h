#pragma once

#include <QObject>
#include <QStringList>

class QProcess;

namespace triaxis::ui
{

/// Writes a file through `triaxis`, in a process of its own: a stored run as a report, say.
class Exporter : public QObject
{
    Q_OBJECT
public:
    enum class Format { Report, Trace, Csv };
    explicit Exporter(QObject* parent = nullptr);

    bool isBusy() const { return m_process != nullptr; }
    /// One at a time; the next waits until the one before has ended.
    void write(const QString& runId, Format format, const QString& file);
    /// `triaxis ARGUMENTS`, which is to write `file`.
    void run(const QStringList& arguments, const QString& file);
    /// Ends the one that goes on; what it has written of the file goes with it.
    void cancel();

    static QString suffix(Format format); ///< "html"
    static QString filter(Format format); ///< for a file dialog

signals:
    void written(const QString& file);
    void failed(const QString& title, const QString& detail);
    void cancelled();

private:
    void finish(int exitCode, bool crashed);

    QProcess* m_process = nullptr;
    QString m_file;
    qint64 m_processId = 0;
    bool m_cancelled = false;
};

} // namespace triaxis::ui
