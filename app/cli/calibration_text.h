#pragma once

#include "engine/cost/machine_calibration.h"

#include <string>

namespace triaxis::cli
{

/// The figures of a calibration that a person wants to see, on standard output. `file`: where it
/// lies.
void printCalibration(const MachineCalibration& calibration, const std::string& file);

/// "2 days" since a date in UTC ("2026-02-14T15:30:12Z"); empty where it is none.
std::string ageOf(const std::string& date, double nowUnix);

} // namespace triaxis::cli
