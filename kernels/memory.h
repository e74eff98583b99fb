#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace triaxis::kernels
{

/// What memory is used for (the order matches MemorySample in engine/timeline/span.h).
enum class MemoryUse : std::uint8_t {
    Weights,
    Gradients,
    Optimizer,
    Activations,
    Communication,
    Workspace
};
inline constexpr int memoryUseCount = 6;

/// Live and peak bytes by use, since the last resetPeaks().
struct MemoryFigures
{
    std::array<std::int64_t, memoryUseCount> live{};
    std::array<std::int64_t, memoryUseCount> peak{};
    std::int64_t liveTotal = 0;
    std::int64_t peakTotal = 0;
};

class Device;

/// Owned device memory; returns to its device's pool when it goes. Movable. 64-byte aligned.
class Buffer
{
public:
    Buffer() = default;
    Buffer(Device& device, void* data, std::size_t bytes, MemoryUse use);
    ~Buffer();
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;

    void* data() const { return m_data; }
    float* floats() const { return static_cast<float*>(m_data); }
    std::int32_t* ints() const { return static_cast<std::int32_t*>(m_data); }
    std::size_t bytes() const { return m_bytes; }
    explicit operator bool() const { return m_data != nullptr; }
    void reset();

private:
    Device* m_device = nullptr;
    void* m_data = nullptr;
    std::size_t m_bytes = 0;
    MemoryUse m_use = MemoryUse::Workspace;
};

} // namespace triaxis::kernels
