#include "launcher/output_log.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>

namespace triaxis
{

OutputLog::OutputLog(const std::filesystem::path& file)
    : m_file(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644))
{
}

OutputLog::~OutputLog()
{
    const std::int64_t missing = m_total - m_written;
    if (missing <= 0)
        return;
    const auto kept = std::min<std::int64_t>(missing, std::int64_t(m_recent.size()));
    const std::string note = "\n[" + std::to_string(missing - kept) + " bytes left out]\n";
    writeOut(note.data(), note.size());
    writeOut(m_recent.data() + m_recent.size() - std::size_t(kept), std::size_t(kept));
}

/// A log that cannot be written (a full disk) must not end a run; what counts is in recent().
void OutputLog::writeOut(const char* data, std::size_t size)
{
    while (size > 0 && m_file) {
        const ssize_t written = ::write(m_file.value(), data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        data += written;
        size -= std::size_t(written);
    }
}

void OutputLog::add(const std::string& text)
{
    const auto size = std::int64_t(text.size());
    const std::int64_t room = std::clamp<std::int64_t>(headBytes - m_written, 0, size);
    // Once something was left out nothing more follows, or the log would lie about the order.
    if (m_total == m_written && room > 0) {
        writeOut(text.data(), std::size_t(room));
        m_written += room;
    }
    m_total += size;
    m_recent += text;
    if (m_recent.size() > 2 * tailBytes)
        m_recent.erase(0, m_recent.size() - tailBytes);
}

bool OutputLog::drain(int descriptor)
{
    char buffer[16 << 10];
    // Bounded, so that a rank that prints without end cannot keep its watcher from watching.
    for (int i = 0; i < 64; ++i) {
        const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno == EAGAIN;
        if (got == 0)
            return false;
        add(std::string(buffer, std::size_t(got)));
    }
    return true;
}

} // namespace triaxis
