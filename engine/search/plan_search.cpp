#include "engine/search/plan_search.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/cost/memory.h"
#include "engine/search/candidate_pool.h"
#include "engine/search/exact_prices.h"
#include "engine/search/uneven_split.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <tuple>

namespace triaxis
{
namespace
{

/// Candidates of one scan that wait for an exact price.
constexpr std::size_t room = 1 << 18;
/// Candidates that are priced together, those of one shape after each other.
constexpr std::size_t pricesAtOnce = 16;

/// Best first: a scan gathers the candidates with the smallest bounds, which are then priced in the
/// order of their bounds until none of them can win any more. A layout that is priced has a bound
/// below what is to be beaten, and what beats it has been priced before.
class PlanSearch
{
public:
    explicit PlanSearch(const SearchRequest& request)
        : m_request(request), m_prices(request.job),
          m_capacity(memoryLimit(request.job, request.limits)),
          m_wanted(static_cast<std::size_t>(std::max({1, request.keep, request.refined})))
    {
    }

    SearchResult run()
    {
        const auto begin = std::chrono::steady_clock::now();
        searchBest(m_request.front ? 0.3 : 0.95);
        if (m_request.front && m_result.complete) {
            searchFront(0.95);
        }
        finish();
        m_result.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return std::move(m_result);
    }

private:
    /// One scan: what `open` says of each layout that fits decides whether it is offered.
    template <class Open>
    void scan(Open open, double until)
    {
        const double from = m_share;
        ScanCounts counts;
        ScanCalls calls;
        calls.take = [&](const PlanCandidate& candidate) {
            return open(candidate) && m_pool.offer(candidate);
        };
        calls.progress = [&](const ScanProgress& progress) {
            m_layouts = std::max(m_layouts, progress.layouts);
            return report(from + (until - from) * progress.share);
        };
        scanPlans(m_request.job, m_request.limits, calls, counts);
        if (!m_scanned) { // later scans see the same layouts
            m_scanned = true;
            m_layouts = counts.layouts;
            m_result.counts = counts;
        }
    }

    /// False where the search is to end.
    bool report(double share)
    {
        m_share = std::max(m_share, std::min(share, 1.0));
        if (m_request.stop.stop_requested()) {
            m_result.complete = false;
        } else if (m_request.progress) {
            const double best = m_best.empty() ? 0 : m_best.front().seconds;
            m_result.complete = m_request.progress({m_layouts, m_share, m_result.exact, best});
        }
        return m_result.complete;
    }

    /// Scans and prices until no layout that `open` lets through is left.
    template <class Open>
    void exhaust(Open open, double until)
    {
        for (bool left = true; left && m_result.complete;) {
            scan(open, m_share + (until - m_share) / 2);
            left = m_pool.isCut();
            const std::vector<PlanCandidate> candidates = m_pool.take();
            left = price(candidates, open, until) && left;
        }
    }

    /// In order, until one is closed for all that follow; false where that was so.
    template <class Open>
    bool price(const std::vector<PlanCandidate>& candidates, Open open, double until)
    {
        const double from = m_share;
        std::vector<PlanCandidate> batch;
        for (std::size_t index = 0; index < candidates.size() && m_result.complete;) {
            batch.clear();
            for (; index < candidates.size() && batch.size() < pricesAtOnce; ++index) {
                if (open(candidates[index])) {
                    batch.push_back(candidates[index]);
                } else if (!m_onFront) {
                    priceBatch(batch, open);
                    if (index > 0) {
                        m_pool.passed(candidates[index - 1]);
                    }
                    return false;
                }
            }
            report(from + (until - from) * static_cast<double>(index) /
                              static_cast<double>(candidates.size()));
            priceBatch(batch, open);
            m_pool.passed(candidates[index - 1]);
        }
        return true;
    }

    /// Those of one schedule and shape one after the other: they share its compiled order.
    template <class Open>
    void priceBatch(std::vector<PlanCandidate>& batch, Open open)
    {
        const auto shape = [this](const PlanCandidate& candidate) {
            const PlanPoint& p = candidate.point;
            const std::int64_t batchOfRank = std::int64_t(p.dp) * p.microbatch;
            return std::tuple(p.schedule, p.pp, p.virtualStages,
                              m_request.job.globalBatch / batchOfRank);
        };
        std::stable_sort(
            batch.begin(), batch.end(),
            [&](const PlanCandidate& a, const PlanCandidate& b) { return shape(a) < shape(b); });
        for (const PlanCandidate& candidate : batch) {
            if (m_request.stop.stop_requested()) {
                m_result.complete = false;
                return;
            }
            // What is too slow by now may still belong to the front, and does not come again.
            if (!m_onFront || open(candidate)) {
                priceExactly(candidate);
            }
        }
    }

    void searchBest(double until)
    {
        exhaust([this](const PlanCandidate& candidate) { return candidate.bound <= m_limit; },
                until);
    }

    void searchFront(double until)
    {
        m_onFront = true;
        exhaust(
            [this](const PlanCandidate& candidate) {
                return !m_front.covers(candidate.bound, candidate.memory, m_request.job.devices);
            },
            until);
    }

    void reject(Rejection reason) { ++m_result.counts.rejected[static_cast<std::size_t>(reason)]; }

    void priceExactly(const PlanCandidate& candidate)
    {
        const ParallelPlan plan = planOf(candidate.point);
        PricedPoint priced;
        priced.point = candidate.point;
        priced.devices = m_request.job.devices;
        try {
            priced.memory = m_prices.memory(plan);
            if (priced.memory > m_capacity) {
                reject(Rejection::Memory);
                return;
            }
            if (m_onFront &&
                m_front.covers(candidate.bound, priced.memory, m_request.job.devices)) {
                return;
            }
            priced.seconds = m_prices.seconds(plan);
        } catch (const Error&) {
            reject(Rejection::Schedule);
            ++m_unplayable;
            return;
        }
        ++m_result.exact;
        if (m_request.front) {
            m_front.insert(priced);
        }
        keep(priced);
    }

    /// Of layouts that differ in what they shard only, the best stays.
    void keep(const PricedPoint& priced)
    {
        const auto same = std::find_if(m_best.begin(), m_best.end(), [&](const PricedPoint& other) {
            PlanPoint point = other.point;
            point.zero = priced.point.zero;
            return point == priced.point;
        });
        if (same != m_best.end()) {
            if (!priced.before(*same)) {
                return;
            }
            m_best.erase(same);
        }
        const auto at = std::lower_bound(
            m_best.begin(), m_best.end(), priced,
            [](const PricedPoint& a, const PricedPoint& b) { return a.before(b); });
        if (at == m_best.begin() && m_request.found) {
            m_request.found({planOf(priced.point), priced.seconds, priced.memory});
        }
        m_best.insert(at, priced);
        if (m_best.size() > m_wanted) {
            m_best.pop_back();
        }
        if (m_best.size() == m_wanted) {
            m_limit = m_best.back().seconds;
        }
    }

    void finish()
    {
        for (const PricedPoint& priced : m_best) {
            m_result.best.push_back({planOf(priced.point), priced.seconds, priced.memory});
        }
        refine();
        if (m_result.best.size() > static_cast<std::size_t>(std::max(1, m_request.keep))) {
            m_result.best.resize(static_cast<std::size_t>(std::max(1, m_request.keep)));
        }
        m_result.front = m_front.sorted();
        if (m_result.complete) {
            m_result.thumb = ruleOfThumb(m_request.job, m_capacity);
        }
        ScanCounts& counts = m_result.counts;
        // Not those schedules that were refused before anything was priced.
        const std::int64_t refused =
            counts.rejected[static_cast<std::size_t>(Rejection::Memory)] + m_unplayable;
        std::int64_t& slower = counts.rejected[static_cast<std::size_t>(Rejection::Slower)];
        slower = counts.layouts - refused - static_cast<std::int64_t>(m_result.best.size());
    }

    void refine()
    {
        std::vector<PricedPlan>& best = m_result.best;
        const std::size_t count =
            std::min(best.size(), static_cast<std::size_t>(std::max(0, m_request.refined)));
        // What is worth reaching: a place among those that are asked for.
        const std::size_t last = static_cast<std::size_t>(std::max(1, m_request.keep)) - 1;
        const double goal =
            last < best.size() ? best[last].seconds : std::numeric_limits<double>::infinity();
        for (std::size_t index = 0; index < count && report(m_share); ++index) {
            best[index] = withBetterSplit(m_request.job, best[index], m_capacity, goal, m_prices,
                                          m_result.refined);
        }
        std::stable_sort(best.begin(), best.end(), [](const PricedPlan& a, const PricedPlan& b) {
            return a.seconds < b.seconds;
        });
    }

    const SearchRequest& m_request;
    ExactPrices m_prices;
    double m_capacity = 0;
    std::size_t m_wanted = 1;
    CandidatePool m_pool{room};
    std::vector<PricedPoint> m_best;
    ParetoFront m_front;
    bool m_onFront = false;
    bool m_scanned = false;
    std::int64_t m_layouts = 0;
    double m_share = 0;
    double m_limit = std::numeric_limits<double>::infinity();
    std::int64_t m_unplayable = 0; ///< priced by closed forms, refused by their generator
    SearchResult m_result;
};

} // namespace

SearchResult searchPlans(const SearchRequest& request)
{
    checkShape(request.job.model);
    if (request.job.devices < 1 || request.job.globalBatch < 1 || request.job.sequence < 1) {
        throw Error("cannot search the layouts", "a job without devices, sequences or tokens",
                    "give at least one of each");
    }
    return PlanSearch(request).run();
}

std::string refusalText(const TrainingJob& job, const PlanLimits& limits, const ScanCounts& counts)
{
    const auto rejected = [&](Rejection reason) {
        return counts.rejected[static_cast<std::size_t>(reason)];
    };
    if (counts.layouts == 0) {
        Rejection most = Rejection::Tensor;
        for (std::size_t index = 0; index < rejections; ++index) {
            if (counts.rejected[index] > rejected(most)) {
                most = static_cast<Rejection>(index);
            }
        }
        return "no layout keeps the rules; most often " + std::string(toText(most)) +
               ": allow more sizes, or choose numbers of devices and sequences with more divisors";
    }
    const PlanCandidate& smallest = counts.smallest;
    const PlanPoint& p = smallest.point;
    const auto bytes = [](double value) {
        return units::bytes(static_cast<std::int64_t>(std::min(value, 9e18)));
    };
    return "no layout fits " + bytes(memoryLimit(job, limits)) + ": the one that takes least (dp " +
           std::to_string(p.dp) + ", tp " + std::to_string(p.tp) + ", cp " + std::to_string(p.cp) +
           ", pp " + std::to_string(p.pp) + ", microbatch " + std::to_string(p.microbatch) +
           ", ZeRO " + toText(static_cast<ZeroStage>(p.zero)) + ", recompute " +
           toText(static_cast<Recompute>(p.recompute)) + ") needs " + bytes(smallest.memory) +
           " at least: use more devices, or devices with more memory";
}

} // namespace triaxis
