#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace triaxis
{

static_assert(std::endian::native == std::endian::little,
              "record files are little-endian and written as the host lays numbers out");

using Bytes = std::vector<std::uint8_t>;

/// Appends numbers and texts to a byte buffer.
class ByteWriter
{
public:
    explicit ByteWriter(Bytes& out) : m_out(out) {}

    template <class Number>
    void put(Number value)
    {
        static_assert(std::is_arithmetic_v<Number> || std::is_enum_v<Number>);
        const std::size_t at = m_out.size();
        m_out.resize(at + sizeof value);
        std::memcpy(m_out.data() + at, &value, sizeof value);
    }

    /// Length as u32, then at most `limit` bytes of the text.
    void putText(const std::string& text, std::size_t limit = 64 << 10)
    {
        const std::size_t size = std::min(text.size(), limit);
        put(std::uint32_t(size));
        m_out.insert(m_out.end(), text.begin(), text.begin() + std::ptrdiff_t(size));
    }

private:
    Bytes& m_out;
};

/// Takes numbers and texts from a byte buffer. What lies beyond the end reads as zero and clears
/// ok().
class ByteReader
{
public:
    explicit ByteReader(std::span<const std::uint8_t> in) : m_in(in) {}

    template <class Number>
    Number take()
    {
        static_assert(std::is_arithmetic_v<Number>);
        Number value{};
        if (m_in.size() < sizeof value) {
            m_ok = false;
            m_in = {};
            return value;
        }
        std::memcpy(&value, m_in.data(), sizeof value);
        m_in = m_in.subspan(sizeof value);
        return value;
    }

    std::string takeText()
    {
        const auto size = take<std::uint32_t>();
        if (size > m_in.size()) {
            m_ok = false;
            m_in = {};
            return {};
        }
        std::string text(reinterpret_cast<const char*>(m_in.data()), size);
        m_in = m_in.subspan(size);
        return text;
    }

    std::size_t left() const { return m_in.size(); }
    bool ok() const { return m_ok; }

private:
    std::span<const std::uint8_t> m_in;
    bool m_ok = true;
};

} // namespace triaxis
