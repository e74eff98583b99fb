#pragma once

#include <QObject>

class QProcess;

namespace triaxis::ui
{

/// Writes a stored run as a file through `triaxis export`, in a process of its own.
class Exporter : public QObject
{
    Q_OBJECT
public:
    enum class Format { Report, Trace, Csv };
    explicit Exporter(QObject* parent = nullptr);

    bool isBusy() const { return m_process != nullptr; }
    /// One at a time; the next waits until the one before has ended.
    void write(const QString& runId, Format format, const QString& file);

    static QString suffix(Format format);   ///< "html"
    static QString filter(Format format);   ///< for a file dialog

signals:
    void written(const QString& file);
    void failed(const QString& title, const QString& detail);

private:
    void finish(int exitCode, bool crashed);

    QProcess* m_process = nullptr;
    QString m_file;
};

} // namespace triaxis::ui
