#pragma once

#include "engine/core/ids.h"
#include "engine/record/bytes.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace triaxis
{

/// How the records of a rank travel on its standard output where it cannot reach the run directory:
/// pieces of its files, each
///
///     '@' base64(kind u8 | rank i32 | offset i64 | bytes | CRC-32 u32) ';'
///
/// without line breaks. mpirun passes output on in chunks that it cuts anywhere and mixes among
/// ranks; with --tag-output each chunk begins with "[job,rank]<stdout>:", whose brackets are in no
/// piece. The offset says where in the file the bytes belong, so that a lost piece tears nothing
/// but itself.
enum class RoutedFile : std::uint8_t { Records = 1, Status = 2 };

inline constexpr std::size_t largestRoutedBytes = 48 << 10;

struct RoutedPiece
{
    RoutedFile file = RoutedFile::Records;
    Rank rank;
    std::int64_t offset = 0;
    Bytes bytes; ///< at most largestRoutedBytes
};

std::string routedText(const RoutedPiece& piece);

/// Takes tagged chunks apart again: "[job,rank]<stdout>:" and "<stderr>:" become calls with the
/// rank and what it printed. What no tag precedes belongs to rank −1, mpirun itself.
class TaggedOutput
{
public:
    using Visitor = std::function<void(Rank rank, std::string_view text)>;

    void feed(std::string_view text, const Visitor& visit);
    /// What is held back as it might begin a tag.
    void finish(const Visitor& visit);

private:
    Rank m_rank{-1};
    std::string m_pending;
};

/// Finds the whole pieces in what ranks print.
class RouteReader
{
public:
    using PieceVisitor = std::function<void(const RoutedPiece&)>;

    void feed(Rank rank, std::string_view text, const PieceVisitor& visit);
    /// Pieces that came damaged and were left out.
    std::int64_t damaged() const { return m_damaged; }
    /// What was printed outside pieces since the last call: words of mpirun, not of ranks.
    std::string takeWords() { return std::exchange(m_words, {}); }

private:
    struct Stream
    {
        bool inPiece = false;
        std::string text;
    };
    void close(Rank rank, Stream& stream, const PieceVisitor& visit);

    std::map<int, Stream> m_streams;
    std::int64_t m_damaged = 0;
    std::string m_words;
};

} // namespace triaxis
