#include "kernels/cpu/cpu_device.h"

#include "kernels/cpu/blas.h"

#include <algorithm>
#include <cstring>
#include <sched.h>
#include <thread>

namespace triaxis::kernels
{

std::unique_ptr<Device> makeCpuDevice(const CpuDeviceOptions& options)
{
    return cpu::makeCpuDevice(options, cpu::bestSimdLevel());
}

namespace cpu
{

namespace
{

class CpuStream final : public Stream
{
public:
    void synchronize() override {}
};

int coresOfProcess()
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        return std::max(1, CPU_COUNT(&cores));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

} // namespace

std::unique_ptr<Device> makeCpuDevice(const CpuDeviceOptions& options, SimdLevel level)
{
    const KernelTable* const kernels = kernelTable(level);
    return kernels ? std::make_unique<CpuDevice>(options, *kernels) : nullptr;
}

CpuDevice::CpuDevice(const CpuDeviceOptions& options, const KernelTable& kernels)
    : m_pool(std::clamp(options.threads, 1, coresOfProcess()),
             {options.progress, options.progressContext}),
      m_kernels(kernels)
{
    setBlasToCallersThread();
}

std::string CpuDevice::name() const
{
    const int threads = m_pool.threads();
    return "CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::string CpuDevice::blasName() const
{
    return cpu::blasName();
}

std::unique_ptr<Stream> CpuDevice::makeStream()
{
    return std::make_unique<CpuStream>();
}

void CpuDevice::copyToDevice(Stream&, void* device, const void* host, std::size_t bytes)
{
    std::memcpy(device, host, bytes);
}

void CpuDevice::copyToHost(Stream&, void* host, const void* device, std::size_t bytes)
{
    std::memcpy(host, device, bytes);
}

void CpuDevice::copy(Stream&, float* to, const float* from, std::int64_t count)
{
    forRange(count, 1, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(to + begin, from + begin,
                    static_cast<std::size_t>(end - begin) * sizeof(float));
    });
}

void CpuDevice::fill(Stream&, float* to, float value, std::int64_t count)
{
    constexpr std::int64_t beyondCaches = std::int64_t(4) << 20;
    forRange(count, 1, [&](std::int64_t begin, std::int64_t end) {
        m_kernels.fill(to + begin, value, end - begin, count > beyondCaches);
    });
}

} // namespace cpu
} // namespace triaxis::kernels
