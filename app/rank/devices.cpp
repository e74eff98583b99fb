#include "app/rank/devices.h"

#include "engine/core/cores.h"
#include "engine/record/process_info.h"
#include "kernels/communicator.h"
#include "kernels/device.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace triaxis::rank
{

void printDevices(std::FILE* out)
{
    kernels::CpuDeviceOptions options;
    options.threads = usableCores();
    const auto device = kernels::makeCpuDevice(options);
    const std::int64_t memory = std::int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
    // This version computes on processors only.
    const nlohmann::ordered_json found{{"host", hostName()},
                                       {"cores", usableCores()},
                                       {"memory_bytes", memory},
                                       {"device", device->name()},
                                       {"blas", device->blasName()},
                                       {"mpi", kernels::mpiLibrary()},
                                       {"gpus", nlohmann::ordered_json::array()}};
    std::fprintf(out, "%s\n", found.dump().c_str());
    std::fflush(out);
}

} // namespace triaxis::rank
