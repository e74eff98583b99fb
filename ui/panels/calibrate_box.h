#pragma once

#include "ui/run/calibrator.h"

#include <QWidget>

#include <functional>

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

    /// `offered`: measuring this machine helps. `home`: see Calibrator.
    void say(const QString& text, bool offered, const QString& home);
    /// Instead of the question that is put to a person, and of the `triaxis` beside this program.
    void setCalibration(std::function<bool()> ask, const QString& program);

signals:
    void calibrated();

private:
    void start();
    void refresh();

    Calibrator m_calibrator;
    std::function<bool()> m_ask;
    QString m_program; ///< that calibrates; empty: the one beside this program
    QString m_home;
    QLabel* m_text;
    QPushButton* m_button;
    QProgressBar* m_progress;
    QLabel* m_step;
    bool m_offered = false;
};

} // namespace triaxis::ui
