#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace triaxis
{

/// Formats in which matrix products run.
enum class NumberFormat { Fp32, Tf32, Fp16, Bf16, Fp8, Fp4 };
inline constexpr std::size_t numberFormats = 6;

const char* toText(NumberFormat format); ///< "fp32", "tf32", "fp16", "bf16", "fp8", "fp4"
/// Throws Error for an unknown name.
NumberFormat parseNumberFormat(const std::string& text);

/// One accelerator (or one CPU core that runs a rank) as its vendor states it.
struct DeviceSpec
{
    std::string name;   ///< "a100-80gb": on command lines and in files
    std::string title;  ///< "NVIDIA A100 SXM 80 GB"
    std::string vendor; ///< "NVIDIA"
    std::string source; ///< where the figures were read
    /// Dense FLOP/s by NumberFormat; 0: the device has no unit for it.
    std::array<double, numberFormats> peak{};
    std::int64_t memoryBytes = 0;
    double memoryBandwidth = 0; ///< bytes a second
    int computeUnits = 1;       ///< SMs, CUs, tensor cores or CPU cores: what a wave of tiles fills
    double scaleUpBandwidth =
        0; ///< bytes a second, one direction, to its neighbours in a node; 0: PCIe only
    double pcieBandwidth = 0; ///< bytes a second, one direction

    /// FLOP/s of a format; a format without a unit of its own runs at the next wider one's rate.
    /// Never 0.
    double peakOf(NumberFormat format) const;
};

/// All presets of resources/devices.json, in the order of the file.
const std::vector<DeviceSpec>& devicePresets();
/// By name, or by a name as tables print it ("A100-80GB", "h100_80gb", "MI300X", "TPU v5p"). Throws
/// Error that lists the names.
const DeviceSpec& devicePreset(const std::string& name);

} // namespace triaxis
