#include "engine/cost/calibration_lock.h"

namespace triaxis
{

std::filesystem::path calibrationLock(const std::filesystem::path& home)
{
    return home / "calibration.lock";
}

} // namespace triaxis
