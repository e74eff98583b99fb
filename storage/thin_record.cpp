#include "storage/thin_record.h"

#include "engine/core/error.h"
#include "engine/record/frame_file.h"
#include "engine/record/payloads.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <map>
#include <unistd.h>
#include <vector>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

constexpr const char* tried = "cannot prune the run";

/// A stretch of the file that goes, and what comes in its place.
struct Cut
{
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
    std::int32_t step = 0;
    bool first = false; ///< of its step: the frame that counts what was dropped comes here
};

struct Cuts
{
    std::vector<Cut> cuts;
    std::map<std::int32_t, std::int64_t> dropped; ///< spans by step
    std::int64_t bytes = 0;                       ///< that the file has
};

std::int64_t droppedIn(const FrameView& frame)
{
    RecordBatch batch;
    payload::decode(frame, batch);
    return std::int64_t(batch.spans.size()) + batch.droppedSpans;
}

Cuts cutsOf(const fs::path& file, std::int32_t kept)
{
    Cuts found;
    FrameFile frames(file);
    frames.poll(true, [&](const FrameView& frame) {
        const auto type = FrameType(frame.type);
        const auto step = payload::stepOf(frame);
        if ((type != FrameType::Spans && type != FrameType::Slots) || !step || *step == kept)
            return;
        // What says already that everything was dropped stays.
        if (type == FrameType::Spans && payload::spanCount(frame) == 0)
            return;
        const auto bytes = std::int64_t(frameHeaderBytes + frame.payload.size());
        const bool first = type == FrameType::Spans && !found.dropped.contains(*step);
        if (type == FrameType::Spans)
            found.dropped[*step] += droppedIn(frame);
        found.cuts.push_back({frame.offset, bytes, *step, first});
    });
    found.bytes = frames.offset();
    return found;
}

void copy(std::ifstream& in, std::ofstream& out, std::int64_t bytes)
{
    std::vector<char> block(1 << 20);
    while (bytes > 0 && in && out) {
        const auto part = std::min<std::int64_t>(bytes, std::int64_t(block.size()));
        in.read(block.data(), part);
        out.write(block.data(), in.gcount());
        bytes -= part;
    }
}

Bytes countFrame(Rank rank, std::int32_t step, std::int64_t dropped)
{
    Bytes frame;
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    payload::appendSpans(frame, step, rank, {}, std::uint32_t(std::min(dropped, most)));
    return frame;
}

void writeThinned(const fs::path& file, Rank rank, const Cuts& cuts, const fs::path& scratch)
{
    std::ifstream in(file, std::ios::binary);
    std::ofstream out(scratch, std::ios::binary | std::ios::trunc);
    std::int64_t at = 0;
    for (const Cut& cut : cuts.cuts) {
        copy(in, out, cut.offset - at);
        if (cut.first) {
            const Bytes frame = countFrame(rank, cut.step, cuts.dropped.at(cut.step));
            out.write(reinterpret_cast<const char*>(frame.data()), std::streamsize(frame.size()));
        }
        at = cut.offset + cut.bytes;
        in.seekg(at);
    }
    copy(in, out, std::int64_t(fs::file_size(file)) - at);
    out.close();
    if (!in || !out)
        throw Error(tried, file.string() + ": it cannot be written anew",
                    "make room on the disk: a record is written beside the old one");
}

void replace(const fs::path& scratch, const fs::path& file)
{
    const int descriptor = ::open(scratch.c_str(), O_RDONLY | O_CLOEXEC);
    const bool written = descriptor >= 0 && ::fsync(descriptor) == 0;
    if (descriptor >= 0)
        ::close(descriptor);
    if (!written || ::rename(scratch.c_str(), file.c_str()) != 0)
        throw Error(tried, file.string() + ": " + std::strerror(errno),
                    "make room on the disk, and check the permissions of its folder");
}

} // namespace

std::int64_t thinRecord(const fs::path& file, Rank rank, std::int32_t kept, const fs::path& scratch)
{
    std::error_code code;
    if (fs::symlink_status(file, code).type() != fs::file_type::regular)
        return 0;
    const Cuts cuts = cutsOf(file, kept);
    if (cuts.cuts.empty())
        return 0;
    const auto before = std::int64_t(fs::file_size(file));
    writeThinned(file, rank, cuts, scratch);
    const auto after = std::int64_t(fs::file_size(scratch));
    replace(scratch, file);
    return before - after;
}

} // namespace triaxis
