#pragma once

#include <QString>

#include <filesystem>

class QWidget;

namespace triaxis::ui
{

/// How many processes wanted each core, on the mean of the last minute (getloadavg); 0 where that is unknown.
double loadPerCore();
/// What a person should know before this machine is measured: that other programs disturb it. Empty where it is idle enough.
QString loadWarning(double loadPerCore);
/// What to say where this machine is measured already, from a window or a command line; empty where it is not.
QString runningCalibration(const std::filesystem::path& home);
/// Asks whether to measure now, and says how long it takes.
bool askCalibrate(double loadPerCore, QWidget* parent);

} // namespace triaxis::ui
