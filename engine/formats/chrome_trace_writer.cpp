#include "engine/formats/chrome_trace_writer.h"

#include <nlohmann/json.hpp>
#include <ostream>

namespace triaxis
{

std::string jsonText(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string traceTime(std::int64_t nanoseconds)
{
    const bool negative = nanoseconds < 0;
    const std::int64_t size = negative ? -nanoseconds : nanoseconds;
    const std::string fraction = std::to_string(size % 1000);
    return (negative ? "-" : "") + std::to_string(size / 1000) + "." +
           std::string(3 - fraction.size(), '0') + fraction;
}

TraceWriter::TraceWriter(std::ostream& out) : m_out(out) {}

void TraceWriter::begin(const std::string& head)
{
    m_out << "{" << head << ",\n\"traceEvents\":[";
}

void TraceWriter::event(const std::string& fields)
{
    m_out << (m_first ? "\n{" : ",\n{") << fields << "}";
    m_first = false;
}

void TraceWriter::end()
{
    m_out << "\n]}\n";
}

void TraceWriter::nameProcess(int pid, const std::string& name, int sortIndex)
{
    const std::string head = "\"ph\":\"M\",\"pid\":" + std::to_string(pid) + ",\"tid\":0,\"name\":";
    event(head + "\"process_name\",\"args\":{\"name\":" + jsonText(name) + "}");
    event(head + "\"process_sort_index\",\"args\":{\"sort_index\":" + std::to_string(sortIndex) +
          "}");
}

void TraceWriter::nameThread(int pid, int tid, const std::string& name, int sortIndex)
{
    const std::string head = "\"ph\":\"M\",\"pid\":" + std::to_string(pid) +
                             ",\"tid\":" + std::to_string(tid) + ",\"name\":";
    event(head + "\"thread_name\",\"args\":{\"name\":" + jsonText(name) + "}");
    event(head + "\"thread_sort_index\",\"args\":{\"sort_index\":" + std::to_string(sortIndex) +
          "}");
}

} // namespace triaxis
