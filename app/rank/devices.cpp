#include "app/rank/devices.h"

#include "engine/core/cores.h"
#include "engine/record/process_info.h"
#include "kernels/communicator.h"
#include "kernels/device.h"
#include "kernels/gpu.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace triaxis::rank
{

namespace
{

nlohmann::ordered_json gpusOf(const kernels::GpuSurvey& survey)
{
    nlohmann::ordered_json gpus = nlohmann::ordered_json::array();
    for (const kernels::GpuFacts& gpu : survey.gpus) {
        gpus.push_back(
            {{"number", gpu.number},
             {"name", gpu.name},
             {"bus", gpu.bus},
             {"memory_bytes", gpu.memoryBytes},
             {"compute_capability", std::to_string(gpu.major) + '.' + std::to_string(gpu.minor)}});
        if (gpu.clockMhz > 0)
            gpus.back()["clock_mhz"] = gpu.clockMhz;
        if (gpu.memoryClockMhz > 0)
            gpus.back()["memory_clock_mhz"] = gpu.memoryClockMhz;
        gpus.back()["nvlinks"] = gpu.nvlinks;
    }
    return gpus;
}

nlohmann::ordered_json linksOf(const kernels::GpuSurvey& survey)
{
    nlohmann::ordered_json links = nlohmann::ordered_json::array();
    for (const kernels::GpuLink& link : survey.links)
        links.push_back({{"gpus", {link.first, link.second}}, {"kind", link.kind}});
    return links;
}

} // namespace

void printDevices(std::FILE* out)
{
    kernels::CpuDeviceOptions options;
    options.threads = usableCores();
    const auto device = kernels::makeCpuDevice(options);
    const std::int64_t memory = std::int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
    const kernels::GpuSurvey survey = kernels::surveyGpus(kernels::GpuKind::Cuda);
    nlohmann::ordered_json found{{"host", hostName()},         {"cores", usableCores()},
                                 {"memory_bytes", memory},     {"device", device->name()},
                                 {"blas", device->blasName()}, {"mpi", kernels::mpiLibrary()},
                                 {"gpus", gpusOf(survey)}};
    if (!survey.problem.empty())
        found["gpu_problem"] = survey.problem;
    if (!survey.links.empty())
        found["gpu_links"] = linksOf(survey);
    if (!survey.linkProblem.empty())
        found["gpu_link_problem"] = survey.linkProblem;
    std::fprintf(out, "%s\n", found.dump().c_str());
    std::fflush(out);
}

} // namespace triaxis::rank
