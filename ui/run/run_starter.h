#pragma once

#include "engine/record/run_plan.h"

#include <QObject>

namespace triaxis::ui
{

class Background;

/// Makes the run directory of a plan and starts `triaxis run` on it as a process of its own, which lives on when the
/// window does not.
class RunStarter : public QObject
{
    Q_OBJECT
public:
    /// `version` of Triaxis goes into the run's description.
    RunStarter(Background& background, QString version, QObject* parent = nullptr);

    void start(const RunPlan& plan);

signals:
    /// `process` is the `triaxis run` that has been started.
    void started(const QString& directory, int process);
    void failed(const QString& title, const QString& detail);

private:
    Background& m_background;
    QString m_version;
};

} // namespace triaxis::ui
