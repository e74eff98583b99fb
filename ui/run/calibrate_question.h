#pragma once

#include <QString>

class QWidget;

namespace triaxis::ui
{

/// How many processes wanted each core, on the mean of the last minute (getloadavg); 0 where that is unknown.
double loadPerCore();
/// What a person should know before this machine is measured: that other programs disturb it. Empty where it is idle enough.
QString loadWarning(double loadPerCore);
/// Asks whether to measure now, and says how long it takes.
bool askCalibrate(double loadPerCore, QWidget* parent);

} // namespace triaxis::ui
