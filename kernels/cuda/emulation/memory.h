#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace triaxis::emulation
{

/// One piece of device memory. Kept after it was freed, so that late users are found.
struct Allocation
{
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;      ///< past the last byte that may be used now
    std::uintptr_t capacity = 0; ///< past the last byte that was asked for
    int number = 0;              ///< from 1, in order of allocation
    bool alive = true;
};

/// The memory of an emulated device. It lies in the process twice: where its addresses point nobody
/// may read or write, so that host code that follows one faults; the second view is for kernels and
/// copies that were checked. Beside it a shadow knows which bytes were written.
class DeviceMemory
{
public:
    explicit DeviceMemory(std::size_t bytes);
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    std::size_t total() const { return m_bytes; }
    std::size_t used() const { return m_used; }

    void* allocate(std::size_t bytes); ///< null when no piece is that large
    /// Throws Violation for an address that is no living allocation's first.
    void free(void* address);
    /// A block is handed out again: `bytes` of it may be used, and none of them is written.
    void reuse(void* address, std::size_t bytes);

    bool contains(const void* address) const;
    /// The allocation an address belongs to, its end included; null if none does.
    const Allocation* find(const void* address) const;

    /// Throws Violation unless [address, address + bytes) lies in `allocation`, which is alive.
    void requireInside(const Allocation* allocation, std::uintptr_t address, std::size_t bytes,
                       const char* what) const;
    /// The same, found by the address alone, with the view to access it by.
    void* readable(const void* address, std::size_t bytes, const char* what) const;
    void* writable(void* address, std::size_t bytes, const char* what);
    /// Without the check of what was written: for the transfer of whole buffers with padding.
    void* reachable(const void* address, std::size_t bytes, const char* what) const;

    bool written(std::uintptr_t address, std::size_t bytes) const;
    void markWritten(std::uintptr_t address, std::size_t bytes)
    {
        std::memset(m_shadow + (address - m_base), 1, bytes);
    }
    /// The same for what a kernel accesses.
    template <class T>
    bool elementWritten(std::uintptr_t address) const
    {
        std::uint8_t marks[sizeof(T)], all[sizeof(T)];
        std::memcpy(marks, m_shadow + (address - m_base), sizeof(T));
        std::memset(all, 1, sizeof(T));
        return std::memcmp(marks, all, sizeof(T)) == 0;
    }
    void markUnwritten(std::uintptr_t address, std::size_t bytes);
    /// What is known of one range goes with its bytes to another.
    void copyMarks(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);

    template <class T>
    T* view(std::uintptr_t address) const
    {
        return reinterpret_cast<T*>(m_view + (address - m_base));
    }
    std::string describe(const Allocation* allocation, std::uintptr_t address) const;

private:
    Allocation* liveAllocation(void* address, const char* what);

    std::size_t m_bytes;
    std::size_t m_used = 0;
    std::uintptr_t m_base = 0; ///< of the addresses that nobody may follow
    char* m_view = nullptr;
    std::uint8_t* m_shadow = nullptr; ///< one byte for each byte: 1 where written
    std::map<std::uintptr_t, std::unique_ptr<Allocation>> m_live;
    std::vector<std::unique_ptr<Allocation>> m_freed;
    int m_count = 0;
};

} // namespace triaxis::emulation
