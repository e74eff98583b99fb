#include "kernels/cuda/emulation/machine.h"
#include "kernels/cuda/emulation/violation.h"

#include <cuda_runtime.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace triaxis::emulation
{

struct Event
{
    std::shared_ptr<Mark> mark; ///< of its last recording; null before the first
    Queue* queue = nullptr;     ///< that it was recorded in
    bool timed = true;
};

namespace
{

/// What every call that touches the device begins and ends with.
cudaError_t state()
{
    return machine().lost() ? cudaErrorIllegalAddress : cudaSuccess;
}

template <class Work>
cudaError_t guarded(Work work)
{
    if (machine().lost())
        return cudaErrorIllegalAddress;
    try {
        work();
    } catch (const Violation& violation) {
        machine().lose(violation.what());
    }
    return state();
}

cudaError_t enqueue(cudaStream_t stream, std::function<bool()> advance)
{
    if (machine().lost())
        return cudaErrorIllegalAddress;
    machine().queueOf(stream).add(operation(std::move(advance)));
    return cudaSuccess;
}

bool onDevice(const void* address)
{
    return machine().memory().contains(address);
}

constexpr const char* copying = "a copy reaches";

void toDevice(void* to, const void* from, std::size_t bytes)
{
    std::memcpy(machine().memory().writable(to, bytes, copying), from, bytes);
}

/// TRIAXIS_EMULATED_DEATH=RANK:N: that rank is killed at its N-th copy to the host.
void dieIfAskedTo()
{
    static int copiesLeft = faultSetting("TRIAXIS_EMULATED_DEATH");
    if (copiesLeft > 0 && --copiesLeft == 0)
        std::raise(SIGKILL);
}

void toHost(void* to, const void* from, std::size_t bytes)
{
    dieIfAskedTo();
    std::memcpy(to, machine().memory().readable(from, bytes, copying), bytes);
}

void withinDevice(void* to, const void* from, std::size_t bytes)
{
    DeviceMemory& memory = machine().memory();
    std::memmove(memory.reachable(to, bytes, copying), memory.reachable(from, bytes, copying),
                 bytes);
    memory.copyMarks(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from),
                     bytes);
}

} // namespace

cudaError_t enqueueKernel(const char* name, dim3 grid, dim3 block, std::size_t sharedBytes,
                          cudaStream_t stream, std::function<void()> body)
{
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    if (grid.count() == 0 || block.count() == 0 || block.count() > 1024 || grid.y > 65535 ||
        grid.z > 65535 || sharedBytes > properties.sharedMemPerBlockOptin)
        return cudaErrorInvalidValue;
    return enqueue(stream, [=, number = ++machine().asked, body = std::move(body)] {
        machine().claimsOfOthers.clear();
        for (const Claim* claim : machine().claims)
            if (claim->number < number)
                machine().claimsOfOthers.push_back(claim);
        for (unsigned z = 0; z < grid.z; ++z)
            for (unsigned y = 0; y < grid.y; ++y)
                for (unsigned x = 0; x < grid.x; ++x)
                    currentBlock().run(name, grid, block, {x, y, z}, sharedBytes, body);
        return true;
    });
}

cudaError_t reuseInOrder(void* address, std::size_t bytes, cudaStream_t stream)
{
    return enqueue(stream, [=] {
        machine().memory().reuse(address, bytes);
        return true;
    });
}

} // namespace triaxis::emulation

using namespace triaxis::emulation;

cudaError_t cudaGetDeviceCount(int* count)
{
    *count = machine().deviceCount();
    return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device >= machine().deviceCount())
        return cudaErrorInvalidDevice;
    machine().device = device;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
{
    if (device < 0 || device >= machine().deviceCount())
        return cudaErrorInvalidDevice;
    *properties = {};
    std::strcpy(properties->name, "emulated device");
    properties->totalGlobalMem = machine().memory().total();
    properties->sharedMemPerBlockOptin = std::size_t(163) << 10;
    properties->major = 8;
    properties->multiProcessorCount = 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device)
{
    std::snprintf(id, std::size_t(length), "0000:%02x:00.0", unsigned(device) + 1);
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer)
{
    *can = device != peer;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version)
{
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version)
{
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize()
{
    machine().counts.wait();
    return guarded([] { machine().finishAll(); });
}

cudaError_t cudaGetLastError()
{
    return state();
}

const char* cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorInvalidValue:
        return "invalid argument";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorInsufficientDriver:
        return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorNoDevice:
        return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
        return "invalid device ordinal";
    case cudaErrorInvalidResourceHandle:
        return "invalid resource handle";
    case cudaErrorNotReady:
        return "device not ready";
    case cudaErrorIllegalAddress:
        return machine().reason().c_str();
    }
    return "unrecognized error code";
}

cudaError_t cudaMalloc(void** address, std::size_t bytes)
{
    if (machine().lost())
        return cudaErrorIllegalAddress;
    ++machine().counts.allocations;
    *address = machine().allocationFails() ? nullptr : machine().memory().allocate(bytes);
    return *address ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void* address)
{
    if (!address)
        return cudaSuccess;
    machine().counts.wait();
    return guarded([&] {
        machine().finishAll();
        machine().memory().free(address);
    });
}

cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total)
{
    *total = machine().memory().total();
    *available = *total - machine().memory().used();
    return state();
}

cudaError_t cudaHostAlloc(void** address, std::size_t bytes, unsigned)
{
    ++machine().counts.allocations;
    const std::size_t pages = (bytes + 4095) / 4096 * 4096;
    *address = machine().allocationFails() ? nullptr : std::aligned_alloc(4096, pages);
    if (!*address)
        return cudaErrorMemoryAllocation;
    machine().pin(*address, bytes);
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void* address)
{
    machine().counts.wait();
    machine().finishAll();
    machine().unpin(address);
    std::free(address);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream)
{
    if (bytes == 0)
        return state();
    if (onDevice(to) && onDevice(from))
        return enqueue(stream, [=] { return withinDevice(to, from, bytes), true; });
    if (onDevice(to) && machine().isPinned(from))
        return enqueue(stream, [=] { return toDevice(to, from, bytes), true; });
    if (onDevice(to)) {
        // Pageable memory is read before the call returns.
        const auto* const first = static_cast<const char*>(from);
        std::vector<char> staged(first, first + bytes);
        return enqueue(stream, [=, staged = std::move(staged)] {
            return toDevice(to, staged.data(), bytes), true;
        });
    }
    if (!onDevice(from))
        return cudaErrorInvalidValue;
    const cudaError_t result = enqueue(stream, [=] { return toHost(to, from, bytes), true; });
    return result != cudaSuccess || machine().isPinned(to) ? result : cudaStreamSynchronize(stream);
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream)
{
    return enqueue(stream, [=] {
        std::memset(machine().memory().writable(to, bytes, "clearing reaches"), value, bytes);
        return true;
    });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int)
{
    *stream = machine().makeQueue();
    return state();
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    machine().removeQueue(stream);
    return state();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    machine().counts.wait();
    return guarded([&] { machine().finish(machine().queueOf(stream)); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    machine().advance();
    if (machine().lost())
        return cudaErrorIllegalAddress;
    return machine().queueOf(stream).empty() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    static int waitsLeft = faultSetting("TRIAXIS_EMULATED_LOST_WAIT");
    const bool isLost = waitsLeft > 0 && --waitsLeft == 0;
    if (!event->mark || isLost)
        return state();
    return enqueue(stream, [mark = event->mark] { return mark->done; });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
{
    ++machine().counts.allocations;
    *event = new Event;
    (*event)->timed = (flags & cudaEventDisableTiming) == 0;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    event->mark = std::make_shared<Mark>();
    event->queue = &machine().queueOf(stream);
    return enqueue(stream, [mark = event->mark] {
        mark->seconds = steadySeconds();
        mark->done = true;
        return true;
    });
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    if (!event->mark)
        return cudaSuccess;
    if (!event->mark->done)
        machine().advance();
    if (machine().lost())
        return cudaErrorIllegalAddress;
    return event->mark->done ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (!event->mark)
        return cudaSuccess;
    machine().counts.wait();
    return guarded(
        [&] { machine().advanceUntil(*event->queue, [&] { return event->mark->done; }); });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    if (!begin->timed || !end->timed || !begin->mark || !end->mark)
        return cudaErrorInvalidResourceHandle;
    if (!begin->mark->done || !end->mark->done)
        return cudaErrorNotReady;
    *milliseconds = static_cast<float>((end->mark->seconds - begin->mark->seconds) * 1e3);
    return cudaSuccess;
}
