#include "engine/data/text_source.h"

#include "engine/core/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace triaxis
{
namespace
{

constexpr const char* tried = "cannot read the training text";

/// Bytes of a regular file, and nothing that could block.
std::int64_t sizeOf(const std::string& path)
{
    struct stat status;
    if (::stat(path.c_str(), &status) != 0)
        throw Error(tried, path + ": " + std::strerror(errno), "give the path of a text file");
    if (!S_ISREG(status.st_mode))
        throw Error(tried, path + " is no regular file", "give the path of a text file");
    return status.st_size;
}

std::int64_t windowsOf(const std::string& path, int sequence)
{
    const std::int64_t bytes = sizeOf(path);
    if (bytes == 0)
        throw Error(tried, path + " is empty", "give a text file with some text");
    if (bytes < sequence)
        throw Error(
            tried,
            path + " has " + std::to_string(bytes) + " bytes, too few for one sequence of " +
                std::to_string(sequence) + " tokens",
            "give a longer text, or use a sequence length of at most " + std::to_string(bytes));
    return bytes / sequence;
}

} // namespace

TextSource::TextSource(const std::filesystem::path& file, int sequence, std::uint64_t seed)
    : m_path(file.string()), m_sequence(sequence), m_windows(windowsOf(m_path, sequence)),
      m_order(seed, m_windows)
{
    m_descriptor = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC);
    if (m_descriptor < 0)
        throw Error(tried, m_path + ": " + std::strerror(errno),
                    "check the permissions of the file");
    m_bytes = sizeOf(m_path);
}

TextSource::~TextSource()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void TextSource::sample(std::int64_t index, std::int32_t* tokens) const
{
    const std::int64_t window = m_order.at(index / m_windows, index % m_windows);
    const std::int64_t begin = window * m_sequence;
    const std::int64_t wanted = std::min<std::int64_t>(m_sequence + 1, m_bytes - begin);
    std::string bytes(std::size_t(wanted), '\0');
    std::int64_t got = 0;
    while (got < wanted) {
        const ssize_t part =
            ::pread(m_descriptor, bytes.data() + got, std::size_t(wanted - got), begin + got);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            throw Error(tried,
                        m_path + (part < 0 ? std::string(": ") + std::strerror(errno)
                                           : " has become shorter"),
                        "leave the file as it is while a run reads it");
        got += part;
    }
    for (std::int64_t i = 0; i < wanted; ++i)
        tokens[i] = std::uint8_t(bytes[std::size_t(i)]);
    if (wanted <= m_sequence)
        tokens[wanted] = endOfText;
}

} // namespace triaxis
