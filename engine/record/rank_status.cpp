#include "engine/record/rank_status.h"

#include "engine/core/error.h"
#include "engine/record/process_info.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace triaxis
{
namespace
{

constexpr std::uint32_t statusMagic = 0x31535854; // "TXS1"

/// The file as it lies on disk, little-endian.
struct StatusPage
{
    std::uint32_t magic;
    std::int32_t pid;
    std::int64_t startTime;
    char host[64];
    std::uint64_t current;
    std::uint64_t finished;
    std::int32_t step;
    std::int32_t reserved;
};
static_assert(sizeof(StatusPage) == 104);
static_assert(std::atomic_ref<std::uint64_t>::is_always_lock_free);

Error cannotWrite(const std::filesystem::path& file, int code)
{
    return Error("cannot write the status of a rank", file.string() + ": " + std::strerror(code),
                 "make room on the disk, or set TRIAXIS_HOME to another place");
}

void fillFile(int descriptor, const StatusPage& page, const std::filesystem::path& file)
{
    // Written, not only allocated: blocks must exist before the map is used, since a fault on a
    // full disk is a signal.
    const ssize_t written = ::pwrite(descriptor, &page, sizeof page, 0);
    if (written != ssize_t(sizeof page))
        throw cannotWrite(file, written < 0 ? errno : ENOSPC);
    const int code = ::posix_fallocate(descriptor, 0, sizeof page);
    if (code != 0 && code != EOPNOTSUPP && code != EINVAL)
        throw cannotWrite(file, code);
}

} // namespace

struct RankStatusWriter::Impl
{
    StatusPage* page = nullptr;

    ~Impl()
    {
        if (page)
            ::munmap(page, sizeof(StatusPage));
    }
};

RankStatusWriter::RankStatusWriter(const std::filesystem::path& file, int pid)
    : m_impl(std::make_unique<Impl>())
{
    StatusPage page{};
    page.magic = statusMagic;
    page.pid = pid;
    const auto process = processInfo(pid);
    page.startTime = process ? process->startTime : 0;
    std::strncpy(page.host, hostName().c_str(), sizeof page.host - 1);

    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0)
        throw cannotWrite(file, errno);
    try {
        fillFile(descriptor, page, file);
    } catch (...) {
        ::close(descriptor);
        throw;
    }
    void* map = ::mmap(nullptr, sizeof page, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    const int code = errno;
    ::close(descriptor);
    if (map == MAP_FAILED)
        throw cannotWrite(file, code);
    m_impl->page = static_cast<StatusPage*>(map);
}

RankStatusWriter::~RankStatusWriter() = default;

void RankStatusWriter::begin(int step, InstructionId id) noexcept
{
    std::atomic_ref(m_impl->page->step).store(step, std::memory_order_relaxed);
    std::atomic_ref(m_impl->page->current).store(id.packed, std::memory_order_relaxed);
}

void RankStatusWriter::finished() noexcept
{
    // One writer: no read-modify-write is needed.
    std::atomic_ref counter(m_impl->page->finished);
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

std::optional<RankStatus> readRankStatus(const std::filesystem::path& file)
{
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return std::nullopt;
    StatusPage page{};
    const ssize_t size = ::pread(descriptor, &page, sizeof page, 0);
    ::close(descriptor);
    if (size != ssize_t(sizeof page) || page.magic != statusMagic)
        return std::nullopt;
    RankStatus status;
    status.pid = page.pid;
    status.startTime = page.startTime;
    status.host.assign(page.host, ::strnlen(page.host, sizeof page.host));
    status.step = page.step;
    status.current = InstructionId(page.current);
    status.finished = page.finished;
    return status;
}

} // namespace triaxis
