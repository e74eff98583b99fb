#pragma once

#include <string>

namespace triaxis
{

/// Unix time of now, seconds.
double unixTime();
/// "2026-02-14T15:30:12Z".
std::string utcText(double unixSeconds);
/// "20260214-153012", for names of files; sorts by time.
std::string utcStamp(double unixSeconds);

} // namespace triaxis
