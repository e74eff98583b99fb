#include "ui/run/calibrate_question.h"

#include "engine/core/cores.h"
#include "engine/cost/calibration_lock.h"
#include "engine/record/file_lock.h"
#include "ui/base/text.h"
#include "ui/base/words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

#include <cstdlib>

namespace triaxis::ui
{
namespace
{

constexpr double disturbingLoad = 0.5; ///< per core

} // namespace

double loadPerCore()
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load / usableCores() : 0;
}

QString loadWarning(double loadPerCore)
{
    if (!(loadPerCore > disturbingLoad))
        return {};
    return Words::tr("Other programs use this machine (load %1 per core in the last minute): "
                          "they disturb the measurement. End them first, or expect predictions that "
                          "are off.")
        .arg(QLocale::c().toString(loadPerCore, 'f', 1));
}

QString runningCalibration(const std::filesystem::path& home)
{
    const std::filesystem::path file = calibrationLock(home);
    if (!std::filesystem::exists(file) || FileLock::tryTake(file))
        return {};
    return QCoreApplication::translate("CalibrateQuestion",
                                       "A calibration is running already (%1). Wait until it has "
                                       "ended, or stop it where it was started.")
        .arg(toQString(FileLock::holderOf(file)));
}

bool askCalibrate(double loadPerCore, QWidget* parent)
{
    const QString warning = loadWarning(loadPerCore);
    QMessageBox box(warning.isEmpty() ? QMessageBox::Question : QMessageBox::Warning,
                    Words::tr("Calibrate this machine"),
                    Words::tr("Measure this machine now? It takes up to 4 minutes."),
                    QMessageBox::Cancel, parent);
    box.setObjectName(QStringLiteral("calibrateQuestion"));
    box.setInformativeText(
        warning.isEmpty()
            ? Words::tr("Leave the machine alone meanwhile. An earlier measurement is replaced "
                             "when the new one is complete.")
            : warning);
    QPushButton* start =
        box.addButton(warning.isEmpty() ? Words::tr("Calibrate") : Words::tr("Calibrate anyway"),
                      QMessageBox::AcceptRole);
    box.setDefaultButton(warning.isEmpty() ? start : static_cast<QPushButton*>(box.button(QMessageBox::Cancel)));
    box.exec();
    return box.clickedButton() == start;
}

} // namespace triaxis::ui
