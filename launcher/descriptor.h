#pragma once

#include <unistd.h>
#include <utility>

namespace triaxis
{

/// An open file descriptor, closed with its owner.
class Descriptor
{
public:
    Descriptor() = default;
    explicit Descriptor(int value) : m_value(value) {}
    ~Descriptor() { reset(); }
    Descriptor(Descriptor&& other) noexcept : m_value(std::exchange(other.m_value, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_value, other.m_value);
        return *this;
    }

    int value() const { return m_value; }
    explicit operator bool() const { return m_value >= 0; }
    void reset()
    {
        if (m_value >= 0)
            ::close(m_value);
        m_value = -1;
    }

private:
    int m_value = -1;
};

} // namespace triaxis
