#include "engine/search/plan_search.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/cost/memory.h"
#include "engine/search/exact_prices.h"
#include "engine/search/uneven_split.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace triaxis
{
namespace
{

/// Candidates that wait for an exact price; when it is full, the best of them are priced, and those
/// that fall behind are dropped.
constexpr std::size_t room = 1 << 16;
constexpr std::size_t firstPriced = 256;

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
        ScanCalls calls;
        calls.take = [this](const PlanCandidate& candidate) { return take(candidate); };
        calls.progress = [this](const ScanProgress& progress) {
            m_result.complete = !m_request.progress || m_request.progress(progress);
            return m_result.complete;
        };
        scanPlans(m_request.job, m_request.limits, calls, m_result.counts);
        settle(m_waiting.size());
        finish();
        m_result.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return std::move(m_result);
    }

private:
    bool isOpen(const PlanCandidate& candidate) const
    {
        if (candidate.bound <= m_limit) {
            return true;
        }
        return m_request.front &&
               !m_front.covers(candidate.bound, candidate.memory, m_request.job.devices);
    }

    bool take(const PlanCandidate& candidate)
    {
        if (!isOpen(candidate)) {
            return false;
        }
        m_waiting.push_back(candidate);
        if (m_waiting.size() >= room) {
            settle(firstPriced);
            if (m_waiting.size() > room / 2) {
                settle(m_waiting.size());
            }
        }
        return true;
    }

    /// Prices the `count` most promising candidates, and drops all that cannot win any more.
    void settle(std::size_t count)
    {
        std::sort(m_waiting.begin(), m_waiting.end(),
                  [](const PlanCandidate& a, const PlanCandidate& b) {
                      return a.bound != b.bound ? a.bound < b.bound : a.point < b.point;
                  });
        for (std::size_t index = 0; index < std::min(count, m_waiting.size()); ++index) {
            if (isOpen(m_waiting[index])) {
                price(m_waiting[index]);
            }
        }
        m_waiting.erase(m_waiting.begin(), m_waiting.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                   count, m_waiting.size())));
        std::erase_if(m_waiting, [this](const PlanCandidate& c) { return !isOpen(c); });
    }

    void reject(Rejection reason) { ++m_result.counts.rejected[static_cast<std::size_t>(reason)]; }

    void price(const PlanCandidate& candidate)
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
        m_result.thumb = ruleOfThumb(m_request.job, m_capacity);
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
        for (std::size_t index = 0; index < count; ++index) {
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
    std::vector<PlanCandidate> m_waiting;
    std::vector<PricedPoint> m_best;
    ParetoFront m_front;
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
           " at least: use more devices (--smallest-cluster finds how many) or devices with more "
           "memory";
}

} // namespace triaxis
