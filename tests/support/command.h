#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

/// Runs the real `triaxis` of this build with a home of its own.
class Command
{
public:
    struct Result
    {
        int code = -1;
        QString output;
        QString error;

        /// The JSON objects among the lines of standard output.
        QList<QJsonObject> objects() const
        {
            QList<QJsonObject> found;
            for (const QString& line : output.split('\n', Qt::SkipEmptyParts)) {
                const QJsonDocument document = QJsonDocument::fromJson(line.toUtf8());
                if (document.isObject())
                    found.append(document.object());
            }
            return found;
        }
        QList<QJsonObject> steps() const
        {
            QList<QJsonObject> found;
            for (const QJsonObject& object : objects())
                if (object.contains("loss"))
                    found.append(object);
            return found;
        }
    };

    QString home() const { return m_home.path(); }
    QString path(const QString& name) const { return m_home.filePath(name); }

    static QString program(const QString& name) { return qEnvironmentVariable("TRIAXIS_BIN") + '/' + name; }

    QProcessEnvironment environment() const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TRIAXIS_HOME", m_home.filePath("home"));
        return environment;
    }

    Result run(const QStringList& arguments, int timeoutSeconds = 120) const
    {
        QProcess process;
        process.setProcessEnvironment(environment());
        process.setWorkingDirectory(m_home.path());
        process.start(program("triaxis"), arguments);
        Result result;
        if (!process.waitForFinished(timeoutSeconds * 1000)) {
            process.kill();
            process.waitForFinished();
            result.error = "timed out; " + process.readAllStandardError();
            return result;
        }
        if (process.exitStatus() == QProcess::NormalExit)
            result.code = process.exitCode();
        result.output = process.readAllStandardOutput();
        result.error += process.readAllStandardError();
        return result;
    }

private:
    QTemporaryDir m_home;
};
