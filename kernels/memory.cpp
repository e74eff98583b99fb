#include "kernels/memory.h"

#include "kernels/device.h"
#include "kernels/error.h"

#include <algorithm>
#include <limits>
#include <string>

namespace triaxis::kernels
{

Buffer::Buffer(Device& device, void* data, std::size_t bytes, MemoryUse use)
    : m_device(&device), m_data(data), m_bytes(bytes), m_use(use)
{
}

Buffer::~Buffer()
{
    reset();
}

Buffer::Buffer(Buffer&& other) noexcept
    : m_device(std::exchange(other.m_device, nullptr)),
      m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0)),
      m_use(other.m_use)
{
}

Buffer& Buffer::operator=(Buffer&& other) noexcept
{
    if (this != &other) {
        reset();
        m_device = std::exchange(other.m_device, nullptr);
        m_data = std::exchange(other.m_data, nullptr);
        m_bytes = std::exchange(other.m_bytes, 0);
        m_use = other.m_use;
    }
    return *this;
}

void Buffer::reset()
{
    if (m_data)
        m_device->returned(m_data, m_bytes, m_use);
    m_device = nullptr;
    m_data = nullptr;
    m_bytes = 0;
}

Buffer Device::allocate(std::size_t bytes, MemoryUse use)
{
    if (bytes == 0)
        return {};
    void* const data = rawAllocate(bytes);
    if (!data)
        throw DeviceError("cannot allocate " + std::to_string(bytes) + " bytes on " + name() +
                          ": " + std::to_string(m_memory.liveTotal) +
                          " bytes are in use and no more are free");
    const auto index = static_cast<std::size_t>(use);
    const auto size = static_cast<std::int64_t>(bytes);
    m_memory.live[index] += size;
    m_memory.liveTotal += size;
    m_memory.peak[index] = std::max(m_memory.peak[index], m_memory.live[index]);
    m_memory.peakTotal = std::max(m_memory.peakTotal, m_memory.liveTotal);
    return Buffer(*this, data, bytes, use);
}

Buffer Device::allocateFloats(std::int64_t count, MemoryUse use)
{
    constexpr auto most = std::numeric_limits<std::int64_t>::max() / std::int64_t(sizeof(float));
    if (count < 0 || count > most)
        throw DeviceError("cannot allocate " + std::to_string(count) + " floats on " + name() +
                          ": no such size");
    return allocate(static_cast<std::size_t>(count) * sizeof(float), use);
}

void Device::gemmBias(Stream& stream, const Gemm& product, const float* bias)
{
    gemm(stream, product);
    addBias(stream, product.c, bias, product.m, product.n);
}

void Device::gemmBiasGelu(Stream& stream, const Gemm& product, float* y, const float* bias)
{
    gemm(stream, product);
    geluForward(stream, y, product.c, bias, product.m, product.n);
}

/// `add` adds it to a double of the device.
template <class Add>
double Device::numberFor(Stream& stream, Add add)
{
    const Buffer total = allocate(sizeof(double), MemoryUse::Workspace);
    fill(stream, total.floats(), 0, 2);
    add(static_cast<double*>(total.data()));
    double number = 0;
    copyToHost(stream, &number, total.data(), sizeof number);
    stream.synchronize();
    return number;
}

double Device::crossEntropySum(Stream& stream, const float* sums, std::int64_t rows)
{
    return numberFor(stream, [&](double* total) { addCrossEntropySum(stream, total, sums, rows); });
}

double Device::sumOfSquares(Stream& stream, const float* x, std::int64_t count)
{
    return numberFor(stream, [&](double* total) { addSumOfSquares(stream, total, x, count); });
}

void Device::resetPeaks()
{
    m_memory.peak = m_memory.live;
    m_memory.peakTotal = m_memory.liveTotal;
}

void Device::returned(void* data, std::size_t bytes, MemoryUse use) noexcept
{
    const auto size = static_cast<std::int64_t>(bytes);
    m_memory.live[static_cast<std::size_t>(use)] -= size;
    m_memory.liveTotal -= size;
    rawFree(data, bytes);
}

} // namespace triaxis::kernels
