#pragma once

#include "engine/timeline/span_place.h"

#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// What a person looks for among spans; everything given must hold.
struct SpanQuery
{
    std::vector<std::string> words;  ///< parts of the instruction's name, lower case
    std::optional<int> microbatch;   ///< from 0
    std::optional<int> chunk;        ///< from 0
    std::optional<int> step;
    std::optional<int> rank;
    std::optional<int> data, tensor, pipeline; ///< coordinates
    bool empty() const;
};
/// "backward mb 5 rank 3", "send #2", "pp1 forward", "step 12": everything counts from 0, microbatches as on the spans ("#2",
/// "mb 2", "mb2", "microbatch 2"). Anything else is a word of the instruction.
SpanQuery parseSpanQuery(const std::string& text);
bool matches(const SpanQuery& query, const RankTracks& lane, const Track& track, std::size_t index);

/// The nearest span in time after (`forward`) or before `from` that matches, over all lanes; among those that begin
/// together the upper lane first. Wraps round at the ends. None: nothing matches.
std::optional<SpanPlace> findNext(const Lanes& lanes, const SpanQuery& query,
                                  const std::optional<SpanPlace>& from, double time, bool forward);
/// How many spans match, counted up to `most`.
std::size_t countMatches(const Lanes& lanes, const SpanQuery& query, std::size_t most);

} // namespace triaxis
