#include "engine/cluster/device_json.h"

#include <cmath>

namespace triaxis
{
namespace
{

constexpr double giga = 1e9;
constexpr double mostRate = 1e9; // GB/s or TFLOP/s: far above any device

void requirePositive(const DeviceSpec& device, const char* field, double value)
{
    if (!(value > 0) || !std::isfinite(value))
        throw Error("cannot use the device " + device.name,
                    std::string(field) + " is not positive and finite", "correct it");
}

void requireNotNegative(const DeviceSpec& device, const char* field, double value)
{
    if (value != 0)
        requirePositive(device, field, value);
}

} // namespace

DeviceSpec deviceFromFields(const JsonFields& fields)
{
    DeviceSpec device;
    device.name = fields.text("name");
    device.title = fields.text("title", device.name);
    device.vendor = fields.text("vendor", "");
    device.source = fields.text("source", "");
    const JsonFields peaks = fields.object("peakTflops");
    for (std::size_t i = 0; i < numberFormats; ++i)
        device.peak[i] = 1e12 * peaks.real(toText(NumberFormat(i)), 0, mostRate, 0.0);
    device.memoryBytes =
        std::int64_t(std::llround(fields.real("memoryGiB", 0, 0x1p32) * 1024 * 1024 * 1024));
    device.memoryBandwidth = giga * fields.real("memoryGBps", 0, mostRate);
    device.computeUnits = fields.smallInteger("computeUnits", 1, 1'000'000, 1);
    device.scaleUpBandwidth = giga * fields.real("scaleUpGBps", 0, mostRate, 0.0);
    device.pcieBandwidth = giga * fields.real("pcieGBps", 0, mostRate, 0.0);
    checkDevice(device);
    return device;
}

void checkDevice(const DeviceSpec& device)
{
    double best = 0;
    for (std::size_t i = 0; i < numberFormats; ++i) {
        requireNotNegative(device, toText(NumberFormat(i)), device.peak[i]);
        best = std::max(best, device.peak[i]);
    }
    requirePositive(device, "the peak of every number format", best);
    requirePositive(device, "memory", double(device.memoryBytes));
    requirePositive(device, "memory bandwidth", device.memoryBandwidth);
    requirePositive(device, "number of compute units", device.computeUnits);
    requireNotNegative(device, "scale-up bandwidth", device.scaleUpBandwidth);
    requireNotNegative(device, "PCIe bandwidth", device.pcieBandwidth);
}

} // namespace triaxis
