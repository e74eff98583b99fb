#include "engine/record/record_route.h"

#include "engine/record/crc32.h"

#include <array>
#include <optional>

namespace triaxis
{
namespace
{

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// kind, rank, offset, checksum
constexpr std::size_t overhead = 1 + 4 + 8 + 4;
constexpr std::size_t largestText = (largestRoutedBytes + overhead + 2) / 3 * 4;
constexpr std::size_t mostWords = 64 << 10;
/// "[4294967295,4294967295]<stddiag>:"
constexpr std::size_t longestTag = 33;

std::array<std::int8_t, 256> inverseAlphabet()
{
    std::array<std::int8_t, 256> inverse;
    inverse.fill(-1);
    for (std::size_t i = 0; i < alphabet.size(); ++i)
        inverse[std::uint8_t(alphabet[i])] = std::int8_t(i);
    return inverse;
}

void appendBase64(std::string& out, const Bytes& bytes)
{
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (i < count ? bytes[at + i] : 0u);
        for (std::size_t i = 0; i < 4; ++i)
            out += i <= count ? alphabet[group >> (18 - 6 * i) & 63] : '=';
    }
}

std::optional<Bytes> fromBase64(std::string_view text)
{
    static const std::array<std::int8_t, 256> inverse = inverseAlphabet();
    if (text.empty() || text.size() % 4 != 0)
        return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && text.ends_with('=')) {
        text.remove_suffix(1);
        ++padding;
    }
    Bytes bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t group = 0;
    int bits = 0;
    for (const char letter : text) {
        const int value = inverse[std::uint8_t(letter)];
        if (value < 0)
            return std::nullopt;
        group = group << 6 | std::uint32_t(value);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.push_back(std::uint8_t(group >> bits));
        }
    }
    return bytes;
}

std::optional<RoutedPiece> parsed(std::string_view text)
{
    const std::optional<Bytes> bytes = fromBase64(text);
    if (!bytes || bytes->size() < overhead)
        return std::nullopt;
    const std::span<const std::uint8_t> body(bytes->data(), bytes->size() - 4);
    if (ByteReader(std::span(*bytes).last(4)).take<std::uint32_t>() != crc32(body))
        return std::nullopt;
    ByteReader reader(body);
    const auto kind = reader.take<std::uint8_t>();
    RoutedPiece piece;
    piece.rank = Rank(reader.take<std::int32_t>());
    piece.offset = reader.take<std::int64_t>();
    piece.file = RoutedFile(kind);
    piece.bytes.assign(body.end() - std::ptrdiff_t(reader.left()), body.end());
    const bool known = piece.file == RoutedFile::Records || piece.file == RoutedFile::Status;
    return known && piece.offset >= 0 ? std::optional(std::move(piece)) : std::nullopt;
}

bool isDigit(char letter)
{
    return letter >= '0' && letter <= '9';
}

struct Tag
{
    enum class Match { No, Partial, Whole };
    Match match = Match::No;
    int rank = -1;
    std::size_t size = 0;
};

/// Goes over a number of at most ten digits; false where there is none.
bool number(std::string_view text, std::size_t& at, std::int64_t& value)
{
    const std::size_t start = at;
    for (value = 0; at < text.size() && isDigit(text[at]) && at - start < 10; ++at)
        value = 10 * value + (text[at] - '0');
    return at > start || at == text.size();
}

/// Whether `text`, which begins with '[', begins with a tag.
Tag tagAt(std::string_view text)
{
    constexpr Tag::Match no = Tag::Match::No;
    std::size_t at = 1;
    std::int64_t job = 0;
    std::int64_t rank = 0;
    if (!number(text, at, job))
        return {no};
    if (at < text.size() && text[at++] != ',')
        return {no};
    if (!number(text, at, rank) || rank > 0x7fffffff)
        return {no};
    for (const std::string_view end : {"]<stdout>:", "]<stderr>:", "]<stddiag>:"}) {
        const std::string_view rest = text.substr(at);
        if (rest.starts_with(end))
            return {Tag::Match::Whole, int(rank), at + end.size()};
        if (end.starts_with(rest))
            return {Tag::Match::Partial};
    }
    return {no};
}

} // namespace

std::string routedText(const RoutedPiece& piece)
{
    Bytes bytes;
    ByteWriter writer(bytes);
    writer.put(std::uint8_t(piece.file));
    writer.put(std::int32_t(piece.rank.value));
    writer.put(piece.offset);
    bytes.insert(bytes.end(), piece.bytes.begin(), piece.bytes.end());
    writer.put(crc32(bytes));
    std::string text = "@";
    appendBase64(text, bytes);
    return text + ";";
}

void TaggedOutput::feed(std::string_view text, const Visitor& visit)
{
    m_pending += text;
    std::string_view rest = m_pending;
    while (!rest.empty()) {
        const std::size_t bracket = std::min(rest.find('['), rest.size());
        if (bracket > 0)
            visit(m_rank, rest.substr(0, bracket));
        rest.remove_prefix(bracket);
        if (rest.empty())
            break;
        const Tag tag = tagAt(rest);
        if (tag.match == Tag::Match::Partial && rest.size() < longestTag)
            break;
        if (tag.match == Tag::Match::Whole) {
            m_rank = Rank(tag.rank);
            rest.remove_prefix(tag.size);
        } else {
            visit(m_rank, rest.substr(0, 1));
            rest.remove_prefix(1);
        }
    }
    m_pending = std::string(rest);
}

void TaggedOutput::finish(const Visitor& visit)
{
    if (!m_pending.empty())
        visit(m_rank, m_pending);
    m_pending.clear();
}

void RouteReader::feed(Rank rank, std::string_view text, const PieceVisitor& visit)
{
    Stream& stream = m_streams[rank.value];
    for (const char letter : text) {
        if (letter == '@') {
            m_damaged += stream.inPiece;
            stream = {true, {}};
        } else if (letter == ';' && stream.inPiece) {
            close(rank, stream, visit);
        } else if (stream.inPiece && stream.text.size() < largestText) {
            stream.text += letter;
        } else if (stream.inPiece) {
            ++m_damaged;
            stream = {};
        } else if (m_words.size() < mostWords) {
            m_words += letter;
        }
    }
}

void RouteReader::close(Rank rank, Stream& stream, const PieceVisitor& visit)
{
    const auto piece = parsed(stream.text);
    stream = {};
    if (piece && piece->rank == rank)
        visit(*piece);
    else
        ++m_damaged;
}

} // namespace triaxis
