#pragma once

#include "engine/record/frame.h"

#include <filesystem>

namespace triaxis
{

/// The frames of one file, which may not be there yet and may still grow.
class FrameFile
{
public:
    /// `offset`: where to begin, the start of a frame.
    explicit FrameFile(std::filesystem::path file, std::int64_t offset = 0);
    ~FrameFile();
    FrameFile(FrameFile&& other) noexcept;
    FrameFile& operator=(FrameFile&& other) noexcept;

    /// Visits every undamaged frame that has been completed since the last call; FrameView::offset
    /// counts from the start of the file. `final`: no more will come, so that a torn tail is
    /// damage. Never throws for what is in the file.
    void poll(bool final, const FrameScanner::Visitor& visit);
    /// Of the next frame.
    std::int64_t offset() const { return m_offset; }
    std::int64_t tornBytes() const { return m_scanner.tornBytes(); }

private:
    bool open();
    std::size_t fill();

    std::filesystem::path m_file;
    int m_descriptor = -1;
    std::int64_t m_offset = 0;
    FrameScanner m_scanner;
    Bytes m_buffer;
};

} // namespace triaxis
