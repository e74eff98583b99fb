#pragma once

#include "kernels/cuda/emulation/block.h"
#include "kernels/cuda/emulation/machine.h"

#include <cstdint>
#include <type_traits>

namespace triaxis::emulation
{

template <class T>
class Global;

/// An element of device memory in a kernel: every read and write is checked.
template <class T>
class GlobalElement
{
public:
    explicit GlobalElement(const Global<T>& at) : m_at(at) {}
    GlobalElement(const GlobalElement&) = default;

    operator T() const { return m_at.load(); }
    GlobalElement& operator=(T value)
    {
        m_at.store(value);
        return *this;
    }
    GlobalElement& operator=(const GlobalElement& other) { return *this = T(other); }
    GlobalElement& operator+=(T value) { return *this = T(*this) + value; }
    GlobalElement& operator-=(T value) { return *this = T(*this) - value; }
    GlobalElement& operator*=(T value) { return *this = T(*this) * value; }
    Global<T> operator&() const { return m_at; }

private:
    Global<T> m_at;
};

/// A pointer of a kernel into device memory. It keeps to the allocation that it was made from.
template <class T>
class Global
{
public:
    using Value = std::remove_const_t<T>;

    Global() = default;
    Global(std::nullptr_t) {}
    Global(T* at)
        : m_at(reinterpret_cast<std::uintptr_t>(at)),
          m_allocation(at ? machine().memory().find(at) : nullptr)
    {
    }
    /// As pointers do: to const.
    Global(const Global<Value>& other) requires(std::is_const_v<T>)
        : m_at(other.address()), m_allocation(other.allocation())
    {
    }
    Global(const Global&) = default;
    Global& operator=(const Global&) = default;

    explicit operator bool() const { return m_at != 0; }
    std::uintptr_t address() const { return m_at; }
    const Allocation* allocation() const { return m_allocation; }

    Global operator+(std::int64_t count) const
    {
        Global moved = *this;
        moved.m_at += std::uintptr_t(count) * sizeof(T);
        return moved;
    }
    Global operator-(std::int64_t count) const { return *this + -count; }
    Global& operator+=(std::int64_t count) { return *this = *this + count; }

    auto operator[](std::int64_t index) const { return *(*this + index); }
    auto operator*() const
    {
        if constexpr (std::is_const_v<T>)
            return load();
        else
            return GlobalElement<T>(*this);
    }

    Value load() const
    {
        require("reads");
        DeviceMemory& memory = machine().memory();
        if (!memory.elementWritten<T>(m_at)) [[unlikely]]
            currentBlock().fail("reads memory that nothing was written to: at " +
                                memory.describe(m_allocation, m_at));
        return *memory.view<Value>(m_at);
    }
    void store(Value value) const requires(!std::is_const_v<T>)
    {
        require("writes");
        DeviceMemory& memory = machine().memory();
        memory.markWritten(m_at, sizeof(T));
        *memory.view<T>(m_at) = value;
    }

private:
    void require(const char* what) const
    {
        if (!m_allocation || !m_allocation->alive || m_at < m_allocation->begin ||
            m_at + sizeof(T) > m_allocation->end)
            currentBlock().fail(std::string(what) + " " + std::to_string(sizeof(T)) +
                                " bytes out of bounds: at " +
                                machine().memory().describe(m_allocation, m_at));
        for (const Claim* claim : machine().claimsOfOthers)
            if (m_at < claim->end && m_at + sizeof(T) > claim->begin &&
                (claim->isWritten || *what == 'w'))
                currentBlock().fail(std::string(what) +
                                    " memory that NCCL still has, which nothing orders: " +
                                    machine().memory().describe(m_allocation, m_at));
        if (m_at % alignof(T) != 0)
            currentBlock().fail(std::string(what) + " a misaligned address: " +
                                machine().memory().describe(m_allocation, m_at));
    }

    std::uintptr_t m_at = 0;
    const Allocation* m_allocation = nullptr;
};

/// An element of shared memory in a kernel.
template <class T>
class SharedElement
{
public:
    SharedElement(T& value, SharedWord& word) : m_value(value), m_word(word) {}
    SharedElement(const SharedElement&) = default;

    operator T() const
    {
        currentBlock().sharedRead(m_word);
        return m_value;
    }
    SharedElement& operator=(T value)
    {
        currentBlock().sharedWrite(m_word);
        m_value = value;
        return *this;
    }
    SharedElement& operator=(const SharedElement& other) { return *this = T(other); }
    SharedElement& operator+=(T value) { return *this = T(*this) + value; }
    SharedElement& operator*=(T value) { return *this = T(*this) * value; }

private:
    T& m_value;
    SharedWord& m_word;
};

/// A piece of shared memory.
template <class T>
class Shared
{
public:
    Shared(T* values, SharedWord* words, std::int64_t count)
        : m_values(values), m_words(words), m_count(count)
    {
    }
    SharedElement<T> operator[](std::int64_t index) const
    {
        if (index < 0 || index >= m_count)
            currentBlock().fail("reaches element " + std::to_string(index) + " of " +
                                std::to_string(m_count) + " in shared memory");
        return {m_values[index], m_words[index * wordsOfElement]};
    }

private:
    static constexpr std::int64_t wordsOfElement = (sizeof(T) + 3) / 4;

    T* m_values;
    SharedWord* m_words;
    std::int64_t m_count;
};

/// Shared memory of a fixed size, declared in a kernel.
template <class T, int count>
class SharedArray
{
public:
    SharedElement<T> operator[](std::int64_t index)
    {
        if (index < 0 || index >= count)
            currentBlock().fail("reaches element " + std::to_string(index) + " of " +
                                std::to_string(count) + " in shared memory");
        return {m_values[index], m_words[index]};
    }

private:
    T m_values[count];
    SharedWord m_words[count];
};

/// `count` elements from byte `offset` of what the launch asked for.
template <class T>
Shared<T> dynamicShared(std::size_t offset, std::int64_t count)
{
    Block& block = currentBlock();
    if (offset % sizeof(T) != 0 || offset + std::size_t(count) * sizeof(T) > block.dynamicBytes())
        block.fail("uses " + std::to_string(offset + std::size_t(count) * sizeof(T)) +
                   " bytes of dynamic shared memory; the launch gave " +
                   std::to_string(block.dynamicBytes()));
    return {reinterpret_cast<T*>(static_cast<char*>(block.dynamicShared()) + offset),
            block.dynamicWords() + offset / 4, count};
}

template <class T>
std::uint64_t bitsOf(T value)
{
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T>
T valueOf(std::uint64_t bits)
{
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// What steps over 16, 8, … 1 lanes with __shfl_xor_sync give, in the same order, for one exchange.
/// The operation is commutative: all lanes get the same.
template <class T, class Operation>
T overLanes(T value, Operation operation,
            const std::source_location& where = std::source_location::current())
{
    Block& block = currentBlock();
    const auto& shown = block.exchange(0xffffffffu, bitsOf(value), where);
    if (block.combined())
        return valueOf<T>(*block.combined());
    T values[lanesOfWarp];
    for (unsigned i = 0; i < lanesOfWarp; ++i)
        values[i] = valueOf<T>(shown[i]);
    for (unsigned half = lanesOfWarp / 2; half > 0; half /= 2)
        for (unsigned i = 0; i < half; ++i)
            values[i] = operation(values[i], values[i + half]);
    block.combined() = bitsOf(values[0]);
    return values[0];
}

} // namespace triaxis::emulation

// CUDA's functions of threads, warps and atomics.

inline void __syncthreads(const std::source_location& where = std::source_location::current())
{
    triaxis::emulation::currentBlock().barrier(where);
}

inline void __syncwarp(unsigned mask = 0xffffffffu,
                       const std::source_location& where = std::source_location::current())
{
    triaxis::emulation::currentBlock().exchange(mask, 0, where);
}

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32,
              const std::source_location& where = std::source_location::current())
{
    using namespace triaxis::emulation;
    Block& block = currentBlock();
    const auto own = int(block.lane());
    const int from = own / width * width + (lane & (width - 1));
    return valueOf<T>(block.exchange(mask, bitsOf(value), where)[std::size_t(from)]);
}

template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32,
                  const std::source_location& where = std::source_location::current())
{
    using namespace triaxis::emulation;
    Block& block = currentBlock();
    const auto own = int(block.lane());
    const int other = own ^ lanes;
    const int from = other / width == own / width ? other : own;
    return valueOf<T>(block.exchange(mask, bitsOf(value), where)[std::size_t(from)]);
}

template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned lanes, int width = 32,
                   const std::source_location& where = std::source_location::current())
{
    using namespace triaxis::emulation;
    Block& block = currentBlock();
    const auto own = int(block.lane());
    const int from = own % width + int(lanes) < width ? own + int(lanes) : own;
    return valueOf<T>(block.exchange(mask, bitsOf(value), where)[std::size_t(from)]);
}

inline unsigned __ballot_sync(unsigned mask, int predicate,
                              const std::source_location& where = std::source_location::current())
{
    const auto& shown = triaxis::emulation::currentBlock().exchange(mask, predicate != 0, where);
    unsigned ballot = 0;
    for (unsigned lane = 0; lane < triaxis::emulation::lanesOfWarp; ++lane)
        if ((mask >> lane & 1u) != 0 && shown[lane] != 0)
            ballot |= 1u << lane;
    return ballot;
}

inline int __any_sync(unsigned mask, int predicate,
                      const std::source_location& where = std::source_location::current())
{
    return __ballot_sync(mask, predicate, where) != 0;
}

inline int __all_sync(unsigned mask, int predicate,
                      const std::source_location& where = std::source_location::current())
{
    return __ballot_sync(mask, predicate, where) == mask;
}

template <class T>
T atomicAdd(const triaxis::emulation::Global<T>& at, T value)
{
    const T before = at.load();
    at.store(before + value);
    return before;
}

template <class T>
T atomicMax(const triaxis::emulation::Global<T>& at, T value)
{
    const T before = at.load();
    at.store(before < value ? value : before);
    return before;
}

template <class T>
T atomicCAS(const triaxis::emulation::Global<T>& at, T expected, T value)
{
    const T before = at.load();
    if (before == expected)
        at.store(value);
    return before;
}
