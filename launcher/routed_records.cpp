#include "launcher/routed_records.h"

#include "engine/core/error.h"
#include "launcher/descriptor.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace triaxis
{
namespace
{

/// Until there is no more, but bounded: whoever prints without end must not keep us from watching.
template <class Visitor>
void readAll(int descriptor, const Visitor& visit)
{
    constexpr int mostReads = 1024;
    char buffer[64 << 10];
    for (int i = 0; i < mostReads; ++i) {
        const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return;
        visit(std::string_view(buffer, std::size_t(got)));
    }
}

} // namespace

RoutedRecords::RoutedRecords(const RunDirectory& run, int ranks, OutputLog& log)
    : m_run(run), m_ranks(ranks), m_log(log)
{
}

RoutedRecords::~RoutedRecords()
{
    m_wordTags.finish([&](Rank, std::string_view text) { m_log.add(std::string(text)); });
    if (damaged() > 0)
        m_log.add("triaxis: " + std::to_string(damaged()) +
                  " pieces of records came damaged over standard output and were left out\n");
}

void RoutedRecords::drain(int route, int words)
{
    readAll(route, [&](std::string_view text) {
        m_routeTags.feed(text, [&](Rank rank, std::string_view part) {
            m_reader.feed(rank, part, [&](const RoutedPiece& piece) { write(piece); });
        });
    });
    if (const std::string text = m_reader.takeWords(); !text.empty())
        m_log.add(text);
    readAll(words, [&](std::string_view text) {
        m_wordTags.feed(text, [&](Rank, std::string_view part) { m_log.add(std::string(part)); });
    });
}

void RoutedRecords::write(const RoutedPiece& piece)
{
    if (piece.rank.value < 0 || piece.rank.value >= m_ranks)
        return;
    const std::filesystem::path file = piece.file == RoutedFile::Records
                                           ? m_run.recordFile(piece.rank)
                                           : m_run.statusFile(piece.rank);
    const Descriptor descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    const ssize_t written =
        ::pwrite(descriptor.value(), piece.bytes.data(), piece.bytes.size(), off_t(piece.offset));
    if (written != ssize_t(piece.bytes.size()))
        throw Error("cannot write the record of rank " + std::to_string(piece.rank.value),
                    file.string() + ": " + std::strerror(written < 0 ? errno : ENOSPC),
                    "make room on the disk, or set TRIAXIS_HOME to another place");
}

} // namespace triaxis
