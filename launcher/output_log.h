#pragma once

#include "launcher/descriptor.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace triaxis
{

/// Takes what mpirun and the ranks print into a file of bounded size: the beginning, and when the
/// log is closed the end of what did not fit. The last part is also kept in memory, so that it is
/// known when the disk is full.
class OutputLog
{
public:
    static constexpr std::int64_t headBytes = 8 << 20;
    static constexpr std::size_t tailBytes = 64 << 10;

    explicit OutputLog(const std::filesystem::path& file);
    ~OutputLog();
    OutputLog(const OutputLog&) = delete;
    OutputLog& operator=(const OutputLog&) = delete;

    /// Reads a descriptor that does not block until it has no more; false at its end.
    bool drain(int descriptor);
    void add(const std::string& text);
    /// The last tailBytes of everything.
    const std::string& recent() const { return m_recent; }

private:
    void writeOut(const char* data, std::size_t size);

    Descriptor m_file;
    std::int64_t m_written = 0;
    std::int64_t m_total = 0;
    std::string m_recent;
};

} // namespace triaxis
