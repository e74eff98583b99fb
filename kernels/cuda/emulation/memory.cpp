#include "kernels/cuda/emulation/memory.h"

#include "kernels/cuda/emulation/violation.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace triaxis::emulation
{

namespace
{

constexpr std::size_t alignment = 256;
constexpr std::size_t redZone = 1024; ///< that belongs to nobody, around every allocation

// For the handler of faults, which may look at little else.
std::uintptr_t faultBase = 0;
std::uintptr_t faultEnd = 0;

void reportFault(int signal, siginfo_t* info, void*)
{
    const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (at >= faultBase && at < faultEnd) {
        constexpr char text[] =
            "emulated device: host code reads or writes device memory directly; it needs a copy\n";
        [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
    }
    std::signal(signal, SIG_DFL);
}

void watchFaults(std::uintptr_t base, std::size_t bytes)
{
    faultBase = base;
    faultEnd = base + bytes;
    struct sigaction action = {};
    action.sa_sigaction = reportFault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
}

std::uintptr_t number(const void* address)
{
    return reinterpret_cast<std::uintptr_t>(address);
}

} // namespace

DeviceMemory::DeviceMemory(std::size_t bytes) : m_bytes(bytes)
{
    const int file = memfd_create("device", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0)
        throw std::bad_alloc();
    void* const view = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    void* const base =
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void* const shadow = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (view == MAP_FAILED || base == MAP_FAILED || shadow == MAP_FAILED)
        throw std::bad_alloc();
    m_view = static_cast<char*>(view);
    m_base = number(base);
    m_shadow = static_cast<std::uint8_t*>(shadow);
    watchFaults(m_base, m_bytes);
}

DeviceMemory::~DeviceMemory()
{
    munmap(m_view, m_bytes);
    munmap(reinterpret_cast<void*>(m_base), m_bytes);
    munmap(m_shadow, m_bytes);
}

void* DeviceMemory::allocate(std::size_t bytes)
{
    if (bytes == 0 || bytes > m_bytes)
        return nullptr;
    const std::size_t size = (bytes + alignment - 1) / alignment * alignment;
    std::uintptr_t at = m_base + redZone;
    for (const auto& [begin, allocation] : m_live) {
        if (begin >= at + size + redZone)
            break;
        at = (allocation->capacity + redZone + alignment - 1) / alignment * alignment;
    }
    if (at + size + redZone > m_base + m_bytes)
        return nullptr;
    auto allocation = std::make_unique<Allocation>();
    allocation->begin = at;
    allocation->end = allocation->capacity = at + bytes;
    allocation->number = ++m_count;
    markUnwritten(at, bytes);
    m_live.emplace(at, std::move(allocation));
    m_used += size;
    return reinterpret_cast<void*>(at);
}

Allocation* DeviceMemory::liveAllocation(void* address, const char* what)
{
    const auto found = m_live.find(number(address));
    if (found == m_live.end())
        throw Violation(std::string(what) + ": no allocation begins at this address");
    return found->second.get();
}

void DeviceMemory::free(void* address)
{
    Allocation* const allocation = liveAllocation(address, "cudaFree");
    const std::size_t bytes = allocation->capacity - allocation->begin;
    allocation->alive = false;
    m_used -= (bytes + alignment - 1) / alignment * alignment;
    m_freed.push_back(std::move(m_live.at(allocation->begin)));
    m_live.erase(allocation->begin);
}

void DeviceMemory::reuse(void* address, std::size_t bytes)
{
    Allocation* const allocation = liveAllocation(address, "handing out a block again");
    if (bytes > allocation->capacity - allocation->begin)
        throw Violation("a block of " + std::to_string(allocation->capacity - allocation->begin) +
                        " bytes is handed out for " + std::to_string(bytes));
    allocation->end = allocation->begin + bytes;
    markUnwritten(allocation->begin, allocation->capacity - allocation->begin);
}

bool DeviceMemory::contains(const void* address) const
{
    return number(address) >= m_base && number(address) < m_base + m_bytes;
}

const Allocation* DeviceMemory::find(const void* address) const
{
    auto next = m_live.upper_bound(number(address));
    if (next == m_live.begin())
        return nullptr;
    const Allocation* const allocation = std::prev(next)->second.get();
    return number(address) <= allocation->capacity ? allocation : nullptr;
}

std::string DeviceMemory::describe(const Allocation* allocation, std::uintptr_t address) const
{
    if (!allocation)
        return "an address outside of every allocation";
    std::string text = "byte " +
                       std::to_string(std::int64_t(address) - std::int64_t(allocation->begin)) +
                       " of allocation " + std::to_string(allocation->number) + " (" +
                       std::to_string(allocation->end - allocation->begin) + " bytes)";
    if (!allocation->alive)
        text += ", which was freed";
    return text;
}

void DeviceMemory::requireInside(const Allocation* allocation, std::uintptr_t address,
                                 std::size_t bytes, const char* what) const
{
    if (allocation && allocation->alive && address >= allocation->begin &&
        address + bytes <= allocation->end)
        return;
    throw Violation(std::string(what) + " " + std::to_string(bytes) + " bytes out of bounds: at " +
                    describe(allocation, address));
}

void* DeviceMemory::reachable(const void* address, std::size_t bytes, const char* what) const
{
    requireInside(find(address), number(address), bytes, what);
    return view<void>(number(address));
}

void* DeviceMemory::readable(const void* address, std::size_t bytes, const char* what) const
{
    void* const at = reachable(address, bytes, what);
    if (!written(number(address), bytes)) {
        const std::uint8_t* const marks = m_shadow + (number(address) - m_base);
        const auto first = std::size_t(std::find(marks, marks + bytes, 0) - marks);
        throw Violation(std::string(what) + " memory that nothing was written to: at " +
                        describe(find(address), number(address) + first));
    }
    return at;
}

void* DeviceMemory::writable(void* address, std::size_t bytes, const char* what)
{
    void* const at = reachable(address, bytes, what);
    markWritten(number(address), bytes);
    return at;
}

bool DeviceMemory::written(std::uintptr_t address, std::size_t bytes) const
{
    const std::uint8_t* const marks = m_shadow + (address - m_base);
    std::uint8_t all = 1;
    for (std::size_t i = 0; i < bytes; ++i)
        all &= marks[i];
    return all != 0;
}

void DeviceMemory::markUnwritten(std::uintptr_t address, std::size_t bytes)
{
    std::memset(m_shadow + (address - m_base), 0, bytes);
    std::memset(view<char>(address), 0xff, bytes); // floats that are no numbers
}

void DeviceMemory::copyMarks(std::uintptr_t to, std::uintptr_t from, std::size_t bytes)
{
    std::memmove(m_shadow + (to - m_base), m_shadow + (from - m_base), bytes);
}

} // namespace triaxis::emulation
