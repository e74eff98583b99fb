#include "engine/record/utc.h"

#include <cmath>
#include <ctime>

namespace triaxis
{
namespace
{

std::string formatted(double unixSeconds, const char* format)
{
    const auto whole = std::time_t(std::floor(unixSeconds));
    std::tm parts{};
    ::gmtime_r(&whole, &parts);
    char text[64];
    return std::string(text, std::strftime(text, sizeof text, format, &parts));
}

} // namespace

double unixTime()
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

std::string utcText(double unixSeconds)
{
    return formatted(unixSeconds, "%Y-%m-%dT%H:%M:%SZ");
}

std::string utcStamp(double unixSeconds)
{
    return formatted(unixSeconds, "%Y%m%d-%H%M%S");
}

} // namespace triaxis
