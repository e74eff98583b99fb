#include "app/rank/courier.h"

#include "engine/core/error.h"
#include "engine/record/record_route.h"
#include "engine/record/small_file.h"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

namespace triaxis::rank
{
namespace fs = std::filesystem;
namespace
{

constexpr auto interval = std::chrono::milliseconds(50);

int openedFile(const fs::path& file)
{
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        throw Error("cannot send the record of a rank",
                    file.string() + ": " + std::strerror(errno));
    return descriptor;
}

Bytes readAt(int descriptor, std::int64_t offset, std::size_t limit)
{
    Bytes bytes(limit);
    const ssize_t got = ::pread(descriptor, bytes.data(), bytes.size(), off_t(offset));
    bytes.resize(got > 0 ? std::size_t(got) : 0);
    return bytes;
}

void print(std::FILE* out, const RoutedPiece& piece)
{
    const std::string text = routedText(piece);
    std::fwrite(text.data(), 1, text.size(), out);
    std::fflush(out);
}

} // namespace

LocalRun::LocalRun(const std::string& id, const std::string& description) : m_id(id)
{
    std::string name = (fs::temp_directory_path() / "triaxis-rank-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        throw Error("cannot make a folder for the record of a rank",
                    name + ": " + std::strerror(errno), "make room there, or set TMPDIR");
    m_folder = name;
    std::error_code code;
    fs::create_directory(m_folder / m_id, code);
    replaceFile(m_folder / m_id / "run.json", description);
}

LocalRun::~LocalRun()
{
    std::error_code code;
    fs::remove_all(m_folder, code);
}

Courier::Courier(const RunDirectory& run, Rank rank, std::FILE* out)
    : m_rank(rank), m_out(out), m_records(openedFile(run.recordFile(rank))),
      m_status(openedFile(run.statusFile(rank)))
{
    m_thread = std::jthread([this](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any ended;
        std::unique_lock lock(mutex);
        while (!ended.wait_for(lock, stop, interval, [&] { return stop.stop_requested(); }))
            sendNews();
    });
}

Courier::~Courier()
{
    m_thread.request_stop();
    m_thread.join();
    sendNews();
    ::close(m_records);
    ::close(m_status);
}

void Courier::sendNews()
{
    while (sendRecords()) {
    }
    sendStatus();
}

bool Courier::sendRecords()
{
    RoutedPiece piece{RoutedFile::Records, m_rank, m_sent,
                      readAt(m_records, m_sent, largestRoutedBytes)};
    if (piece.bytes.empty())
        return false;
    print(m_out, piece);
    m_sent += std::int64_t(piece.bytes.size());
#ifdef FALLOC_FL_PUNCH_HOLE
    // Gives the room of what is sent back where the file system can.
    (void)::fallocate(m_records, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, off_t(m_sent));
#endif
    return true;
}

void Courier::sendStatus()
{
    RoutedPiece piece{RoutedFile::Status, m_rank, 0, readAt(m_status, 0, 4096)};
    std::string status(piece.bytes.begin(), piece.bytes.end());
    if (status == m_lastStatus)
        return;
    print(m_out, piece);
    m_lastStatus = std::move(status);
}

} // namespace triaxis::rank
