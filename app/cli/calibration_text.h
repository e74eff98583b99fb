#pragma once

#include "engine/cost/machine_calibration.h"

#include <string>

namespace triaxis::cli
{

/// The figures of a calibration that a person wants to see, on standard output. `file`: where it
/// lies.
void printCalibration(const MachineCalibration& calibration, const std::string& file);

/// How fast the cores went when they were measured and when they were looked at last: "calibrated
/// 3 min ago, the cores 8 % slower than at their quickest in the mean; just now 12 % slower than
/// when it was calibrated". Empty where the calibration does not tell.
std::string paceText(const MachineCalibration& calibration, double nowUnix);
void printPace(const MachineCalibration& calibration, double nowUnix);
/// {"calibrated", "now": dates, "slowness_then", "slowness_now": of the cores over their quickest}
nlohmann::ordered_json paceJson(const MachineCalibration& calibration);

/// "2 days" since a date in UTC ("2026-02-14T15:30:12Z"); empty where it is none.
std::string ageOf(const std::string& date, double nowUnix);

} // namespace triaxis::cli
