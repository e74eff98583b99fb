#pragma once

#include "engine/simulate/run_prediction.h"
#include "ui/base/background.h"

#include <QObject>

#include <memory>

namespace triaxis::ui
{

/// Predicts the run that is shown, on a worker.
class RunPredictor : public QObject
{
    Q_OBJECT
public:
    explicit RunPredictor(QObject* parent = nullptr);

    /// `home`: where the calibration lies. An answer for a run asked for before is dropped.
    void predict(const RunPlan& plan, const std::string& host, const std::filesystem::path& home);
    void cancel();
    bool isBusy() const { return m_busy; }

signals:
    void predicted(std::shared_ptr<const triaxis::RunPrediction> prediction);

private:
    int m_asked = 0;
    bool m_busy = false;
    Background m_background;
};

} // namespace triaxis::ui
