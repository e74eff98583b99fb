#pragma once

#include "engine/search/plan_search.h"

#include <QString>

#include <optional>
#include <vector>

namespace triaxis::ui
{

/// A layout that a search has found, or the one that is drawn.
struct SearchRow
{
    PricedPlan priced;
    double tokensPerSecond = 0;
    bool onFront = false; ///< none is both faster and smaller
    bool thumb = false;   ///< the rule of thumb's answer
    bool drawn = false;   ///< the plan as it is drawn
};

/// The rows of a search, the fastest first: the best, the front, the rule of thumb and the plan
/// that is drawn. One that is several of these is one row.
std::vector<SearchRow> rowsOf(const SearchResult& result, const TrainingJob& job,
                              const std::optional<PricedPlan>& drawn = {});

/// What a layout takes by the measure of the search; nothing where it breaks a rule of the job.
std::optional<PricedPlan> priceOf(const TrainingJob& job, const ParallelPlan& plan);

bool sameLayout(const ParallelPlan& one, const ParallelPlan& other);

/// "128 × 8 × 16, context 2": what tells layouts apart.
QString sizesText(const ParallelPlan& plan);
/// "ZB-V, 2 chunks".
QString scheduleText(const ParallelPlan& plan);
/// "ZeRO 1, full recompute, sequence parallel".
QString settingsText(const ParallelPlan& plan);

} // namespace triaxis::ui
