#pragma once

#include "kernels/communicator.h"
#include "kernels/device.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace triaxis::kernels
{

/// The kinds of GPU that a rank may compute on.
enum class GpuKind {
    Cuda,
    Emulated ///< a CUDA device within the process, for tests
};

/// One GPU of this host.
struct GpuFacts
{
    int number = 0;
    std::string name;
    std::string bus; ///< its PCI address, which tells it from every other of the host
    std::int64_t memoryBytes = 0;
    int major = 0, minor = 0; ///< compute capability
    // What surveyGpus() adds where the driver's management library answers, else 0.
    int clockMhz = 0, memoryClockMhz = 0; ///< at most
    int nvlinks = 0;                      ///< that are up
};

/// How two GPUs of a host reach each other.
struct GpuLink
{
    int first = 0, second = 0; ///< their numbers
    std::string kind;          ///< "NVLink", "PCIe, one switch", …
};

/// What GPUs this host has.
struct GpuSurvey
{
    std::vector<GpuFacts> gpus;
    std::vector<GpuLink> links; ///< of each pair, as far as they are known
    std::string linkProblem;    ///< why clocks and links are not known
    std::string
        problem; ///< why there is none, as a sentence's end: "no driver answers"; empty if some
};

/// How ranks on GPUs send each other messages.
enum class GpuTransport {
    Automatic, ///< NCCL where every rank has a GPU of its own, else by way of the host
    Nccl,
    Host ///< copied to the host and sent with MPI
};

/// How matrix products take their factors. Sums, weights and everything else are float32.
enum class GpuPrecision {
    Float32,
    Bfloat16 ///< rounded to it, for tensor cores
};

struct GpuOptions
{
    GpuKind kind = GpuKind::Cuda;
    GpuTransport transport = GpuTransport::Automatic;
    GpuPrecision precision = GpuPrecision::Float32;
    double deadlineSeconds = 60; ///< that a message of NCCL may take once it is waited for
};

/// A rank's device, and the world whose communicators take that device's memory.
struct GpuRank
{
    std::unique_ptr<Device> device;
    std::unique_ptr<World> world; ///< goes before the device
    /// Which rank has which GPU of which host, a line each, and what follows from it.
    std::string placement;
};

/// Never throws for a host without GPUs or driver.
GpuSurvey surveyGpus(GpuKind kind);

/// Collective over `hosts`, which must outlive the result: each rank takes one GPU of its host, in
/// turn. Throws DeviceError where a rank has none, or the transport that is asked for cannot be.
GpuRank makeGpuRank(const GpuOptions& options, World& hosts);

} // namespace triaxis::kernels
