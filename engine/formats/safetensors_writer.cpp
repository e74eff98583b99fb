#include "engine/core/error.h"
#include "engine/formats/safetensors.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace triaxis
{
namespace
{

constexpr const char* tried = "cannot write the weights";
constexpr std::int64_t elementBytes = sizeof(float);
/// The header is padded, so that the data begins aligned.
constexpr std::size_t headerAlignment = 8;

/// The ranges of a tensor that have been written, merged where they touch.
class Coverage
{
public:
    void add(std::int64_t begin, std::int64_t end)
    {
        auto next = m_ranges.upper_bound(begin);
        if (next != m_ranges.begin()) {
            const auto previous = std::prev(next);
            if (previous->second >= begin) {
                begin = previous->first;
                end = std::max(end, previous->second);
                m_ranges.erase(previous);
            }
        }
        while (next != m_ranges.end() && next->first <= end) {
            end = std::max(end, next->second);
            next = m_ranges.erase(next);
        }
        m_ranges.emplace(begin, end);
    }

    bool covers(std::int64_t count) const
    {
        return count == 0 || (m_ranges.size() == 1 && m_ranges.begin()->first == 0 &&
                              m_ranges.begin()->second == count);
    }

private:
    std::map<std::int64_t, std::int64_t> m_ranges; ///< begin → end
};

struct Destination
{
    std::int64_t start = 0; ///< byte within the file
    std::int64_t count = 0; ///< elements
    Coverage written;
};

} // namespace

struct SafetensorsWriter::Impl
{
    std::filesystem::path path;
    std::filesystem::path unfinished; ///< where the file lies until it is complete
    int descriptor = -1;
    std::unordered_map<std::string, Destination> tensors;

    ~Impl();
    [[noreturn]] void fail(int number) const;
    void open();
    std::int64_t plan(const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& shapes);
    std::string
    header(const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& shapes);
    void put(const char* data, std::int64_t bytes, std::int64_t at);
};

SafetensorsWriter::Impl::~Impl()
{
    if (descriptor < 0)
        return;
    ::close(descriptor);
    ::unlink(unfinished.c_str());
}

void SafetensorsWriter::Impl::fail(int number) const
{
    throw Error(tried, path.string() + ": " + std::strerror(number),
                number == ENOSPC || number == EDQUOT ? "free some space on that disk"
                                                     : "check the folder and its permissions");
}

void SafetensorsWriter::Impl::open()
{
    // Beside the goal, so that the renaming stays within one file system.
    unfinished = path;
    unfinished += ".unfinished-" + std::to_string(::getpid());
    descriptor = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0)
        fail(errno);
}

std::string SafetensorsWriter::Impl::header(
    const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& shapes)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    json["__metadata__"] = {{"format", "pt"}};
    std::int64_t at = 0;
    for (const auto& [name, shape] : shapes) {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;
        std::int64_t count = 1;
        for (const std::int64_t size : shape) {
            if (size < 0 || (size > 0 && count > most / size))
                throw Error(tried, path.string() + ": tensor " + name + " has an impossible shape");
            count *= size;
        }
        if (at > most || !tensors.emplace(name, Destination{at, count, {}}).second)
            throw Error(tried, path.string() + ": tensor " + name + " is there twice or too large");
        json[name] = {
            {"dtype", "F32"}, {"shape", shape}, {"data_offsets", {at, at + count * elementBytes}}};
        at += count * elementBytes;
    }
    std::string text = json.dump();
    text.resize((text.size() + headerAlignment - 1) / headerAlignment * headerAlignment, ' ');
    return text;
}

void SafetensorsWriter::Impl::put(const char* data, std::int64_t bytes, std::int64_t at)
{
    while (bytes > 0) {
        const ssize_t done = ::pwrite(descriptor, data, std::size_t(bytes), at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            fail(done < 0 ? errno : ENOSPC);
        data += done;
        at += done;
        bytes -= done;
    }
}

std::int64_t SafetensorsWriter::Impl::plan(
    const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& shapes)
{
    const std::string text = header(shapes);
    const std::uint64_t length = text.size();
    char prefix[sizeof length];
    std::memcpy(prefix, &length, sizeof length);
    put(prefix, sizeof length, 0);
    put(text.data(), std::int64_t(text.size()), sizeof length);
    std::int64_t end = std::int64_t(sizeof length + text.size());
    const std::int64_t dataStart = end;
    for (auto& [name, destination] : tensors) {
        destination.start += dataStart;
        end = std::max(end, destination.start + destination.count * elementBytes);
    }
    return end;
}

SafetensorsWriter::SafetensorsWriter(
    const std::filesystem::path& path,
    const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& tensors)
    : m_impl(std::make_unique<Impl>())
{
    m_impl->path = path;
    m_impl->open();
    const std::int64_t size = m_impl->plan(tensors);
    // Takes the space at once, so that a full disk shows before the work and not in its middle.
    const int fault = ::posix_fallocate(m_impl->descriptor, 0, size);
    if (fault == ENOSPC || fault == EFBIG || fault == EDQUOT)
        m_impl->fail(fault);
}

SafetensorsWriter::~SafetensorsWriter() = default;

void SafetensorsWriter::write(const std::string& name, std::int64_t first, std::int64_t count,
                              const float* values)
{
    const auto found = m_impl->tensors.find(name);
    if (m_impl->descriptor < 0 || found == m_impl->tensors.end())
        throw Error(tried,
                    m_impl->path.string() + ": there is no tensor " + name + " in this file");
    Destination& tensor = found->second;
    if (first < 0 || count < 0 || first > tensor.count || count > tensor.count - first)
        throw Error(tried, m_impl->path.string() + ": tensor " + name + " has " +
                               std::to_string(tensor.count) + " elements, and " +
                               std::to_string(count) + " from " + std::to_string(first) +
                               " on do not fit");
    if (count == 0)
        return;
    m_impl->put(reinterpret_cast<const char*>(values), count * elementBytes,
                tensor.start + first * elementBytes);
    tensor.written.add(first, first + count);
}

void SafetensorsWriter::finish()
{
    if (m_impl->descriptor < 0)
        throw Error(tried, m_impl->path.string() + " is finished already");
    for (const auto& [name, tensor] : m_impl->tensors) {
        if (!tensor.written.covers(tensor.count))
            throw Error(tried, m_impl->path.string() + ": tensor " + name + " is not complete");
    }
    if (::fsync(m_impl->descriptor) != 0)
        m_impl->fail(errno);
    if (::rename(m_impl->unfinished.c_str(), m_impl->path.c_str()) != 0)
        m_impl->fail(errno);
    ::close(std::exchange(m_impl->descriptor, -1));
    // The name itself is safe only once its folder is; a file system that cannot do this is no
    // fault.
    const std::filesystem::path folder =
        m_impl->path.has_parent_path() ? m_impl->path.parent_path() : ".";
    const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        ::fsync(directory);
        ::close(directory);
    }
}

} // namespace triaxis
