#include "engine/timeline/span_search.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <tuple>

namespace triaxis
{
namespace
{

std::vector<std::string> tokensOf(const std::string& text)
{
    std::vector<std::string> tokens;
    std::string token;
    const auto finish = [&] {
        if (!token.empty())
            tokens.push_back(std::move(token));
        token.clear();
    };
    for (const char c : text) {
        if (c == ' ' || c == '\t' || c == ',' || c == ':' || c == '=')
            finish();
        else
            token += char(std::tolower(static_cast<unsigned char>(c)));
    }
    finish();
    return tokens;
}

std::optional<int> numberOf(const std::string& text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0)
        return std::nullopt;
    return value;
}

/// The field a word names.
using Field = std::optional<int> SpanQuery::*;

std::optional<Field> fieldOf(const std::string& word)
{
    struct Name
    {
        const char* word;
        Field field;
    };
    static const Name names[] = {
        {"#", &SpanQuery::microbatch},
        {"mb", &SpanQuery::microbatch},
        {"microbatch", &SpanQuery::microbatch},
        {"chunk", &SpanQuery::chunk},
        {"step", &SpanQuery::step},
        {"rank", &SpanQuery::rank},
        {"r", &SpanQuery::rank},
        {"dp", &SpanQuery::data},
        {"replica", &SpanQuery::data},
        {"tp", &SpanQuery::tensor},
        {"pp", &SpanQuery::pipeline},
        {"stage", &SpanQuery::pipeline},
    };
    for (const Name& name : names) {
        if (word == name.word)
            return name.field;
    }
    return std::nullopt;
}

/// "mb5" as "mb" and "5".
std::pair<std::string, std::string> splitNumber(const std::string& token)
{
    std::size_t digits = token.size();
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(token[digits - 1])))
        --digits;
    return {token.substr(0, digits), token.substr(digits)};
}

bool fits(const std::optional<int>& wanted, int value)
{
    return !wanted || *wanted == value;
}

bool hasMicrobatch(Kind kind)
{
    return kind <= Kind::ReceiveGradient || kind == Kind::TensorCollective;
}

bool nameFits(const SpanQuery& query, Kind kind, bool waiting)
{
    const std::string name = (waiting ? std::string("wait ") : std::string()) + toText(kind);
    std::string letter = shortName(kind);
    std::transform(letter.begin(), letter.end(), letter.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    return std::all_of(query.words.begin(), query.words.end(), [&](const std::string& word) {
        return word.size() == 1 ? word == letter : name.find(word) != std::string::npos;
    });
}

/// A query with its words looked up for every kind of instruction.
class SpanFilter
{
public:
    explicit SpanFilter(const SpanQuery& query) : m_query(query)
    {
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            m_fits[kind] = nameFits(query, Kind(kind), false);
            m_fitsWaiting[kind] = nameFits(query, Kind(kind), true);
        }
    }

    bool fitsLane(const RankTracks& lane) const
    {
        return fits(m_query.rank, lane.rank.value) && fits(m_query.data, lane.at.data) &&
               fits(m_query.tensor, lane.at.tensor) && fits(m_query.pipeline, lane.at.pipeline);
    }

    bool fitsSpan(const Track& track, std::size_t index) const
    {
        const InstructionId id = track.id(index);
        const auto kind = std::size_t(id.kind());
        if (kind >= kinds ||
            !(track.category(index) == Category::Wait ? m_fitsWaiting : m_fits)[kind])
            return false;
        if (m_query.microbatch &&
            !(hasMicrobatch(id.kind()) && id.microbatch().value == *m_query.microbatch))
            return false;
        return fits(m_query.step, track.step(index)) && fits(m_query.chunk, id.chunk().value);
    }

private:
    static constexpr std::size_t kinds = std::size_t(Kind::TensorCollective) + 1;
    const SpanQuery& m_query;
    std::array<bool, kinds> m_fits{};
    std::array<bool, kinds> m_fitsWaiting{};
};

/// Where a span stands in the order of the search.
using Key = std::tuple<double, std::size_t, int, std::size_t>;

struct Candidate
{
    Key key;
    SpanPlace place;
};

Key keyOf(const Lanes& lanes, const SpanPlace& place)
{
    return {trackOf(lanes, place).begin(place.index), place.lane, int(place.communication),
            place.index};
}

/// Best match of one track behind (or before) a key.
std::optional<Candidate> nextOnTrack(const Lanes& lanes, const SpanFilter& filter, SpanPlace place,
                                     const Key& from, bool forward)
{
    const Track& track = trackOf(lanes, place);
    const double time = std::get<0>(from);
    std::size_t i = std::min(track.lowerBound(time), track.size());
    const auto look = [&](std::size_t index) -> std::optional<Candidate> {
        place.index = index;
        const Key key = keyOf(lanes, place);
        const bool beyond = forward ? key > from : key < from;
        if (beyond && filter.fitsSpan(track, index))
            return Candidate{key, place};
        return std::nullopt;
    };
    if (forward) {
        for (; i < track.size(); ++i)
            if (const auto found = look(i))
                return found;
        return std::nullopt;
    }
    i = std::min(i + 1, track.size());
    while (i > 0)
        if (const auto found = look(--i))
            return found;
    return std::nullopt;
}

std::optional<SpanPlace> nextFrom(const Lanes& lanes, const SpanFilter& filter, const Key& from,
                                  bool forward)
{
    std::optional<Candidate> best;
    for (std::size_t lane = 0; lane < lanes.ranks().size(); ++lane) {
        if (!filter.fitsLane(lanes.ranks()[lane]))
            continue;
        for (const bool communication : {false, true}) {
            const auto found = nextOnTrack(lanes, filter, {lane, communication, 0}, from, forward);
            if (found && (!best || (forward ? found->key < best->key : found->key > best->key)))
                best = found;
        }
    }
    return best ? std::optional(best->place) : std::nullopt;
}

} // namespace

bool SpanQuery::empty() const
{
    return words.empty() && !microbatch && !chunk && !step && !rank && !data && !tensor &&
           !pipeline;
}

SpanQuery parseSpanQuery(const std::string& text)
{
    SpanQuery query;
    const std::vector<std::string> tokens = tokensOf(text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (const auto field = fieldOf(tokens[i]); field && i + 1 < tokens.size()) {
            if (const auto number = numberOf(tokens[i + 1])) {
                query.**field = *number;
                ++i;
                continue;
            }
        }
        const auto [word, digits] = splitNumber(tokens[i]);
        const auto field = fieldOf(word);
        const auto number = numberOf(digits);
        if (field && number)
            query.**field = *number;
        else
            query.words.push_back(tokens[i]);
    }
    return query;
}

bool matches(const SpanQuery& query, const RankTracks& lane, const Track& track, std::size_t index)
{
    const SpanFilter filter(query);
    return filter.fitsLane(lane) && filter.fitsSpan(track, index);
}

std::optional<SpanPlace> findNext(const Lanes& lanes, const SpanQuery& query,
                                  const std::optional<SpanPlace>& from, double time, bool forward)
{
    if (query.empty() || lanes.stepRanges().empty())
        return std::nullopt;
    const Key start =
        from ? keyOf(lanes, *from) : Key{time, forward ? 0 : lanes.ranks().size(), -1, 0};
    const SpanFilter filter(query);
    if (const auto found = nextFrom(lanes, filter, start, forward))
        return found;
    const double end = forward ? lanes.begin() - 1 : lanes.end() + 1;
    return nextFrom(lanes, filter, Key{end, 0, -1, 0}, forward);
}

std::size_t countMatches(const Lanes& lanes, const SpanQuery& query, std::size_t most)
{
    std::size_t count = 0;
    if (query.empty())
        return 0;
    const SpanFilter filter(query);
    for (const RankTracks& lane : lanes.ranks()) {
        if (!filter.fitsLane(lane))
            continue;
        for (const Track* track : {&lane.compute, &lane.communication}) {
            for (std::size_t i = 0; i < track->size(); ++i) {
                count += filter.fitsSpan(*track, i);
                if (count >= most)
                    return count;
            }
        }
    }
    return count;
}

} // namespace triaxis
