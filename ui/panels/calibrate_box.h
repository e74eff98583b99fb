#pragma once

#include "ui/run/calibrator.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace triaxis::ui
{

/// What stands in place of a prediction (or beneath it): why there is none, and a button that
/// measures the machine.
class CalibrateBox : public QWidget
{
    Q_OBJECT
public:
    explicit CalibrateBox(QWidget* parent = nullptr);

    /// `offered`: measuring this machine helps. `program`, `home`: see Calibrator.
    void say(const QString& text, bool offered, const QString& home);
    Calibrator& calibrator() { return m_calibrator; }

signals:
    void calibrated();

private:
    void start();
    void refresh();

    Calibrator m_calibrator;
    QString m_home;
    QLabel* m_text;
    QPushButton* m_button;
    QProgressBar* m_progress;
    QLabel* m_step;
    bool m_offered = false;
};

} // namespace triaxis::ui
