#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace triaxis
{

/// A string as JSON with its quotes; what is no UTF-8 becomes U+FFFD.
std::string jsonText(const std::string& text);
/// Nanoseconds as microseconds with three decimals.
std::string traceTime(std::int64_t nanoseconds);

/// Writes the events of a trace one by one, so that no trace need fit into memory as text.
class TraceWriter
{
public:
    explicit TraceWriter(std::ostream& out);

    /// `head`: what stands before "traceEvents" in the top-level object, without braces.
    void begin(const std::string& head);
    /// `fields`: the members of one event, without braces.
    void event(const std::string& fields);
    void end();

    void nameProcess(int pid, const std::string& name, int sortIndex);
    void nameThread(int pid, int tid, const std::string& name, int sortIndex);

private:
    std::ostream& m_out;
    bool m_first = true;
};

} // namespace triaxis
