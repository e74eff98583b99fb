#include "engine/timeline/prediction_join.h"

#include "engine/timeline/metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace triaxis
{
namespace
{

constexpr double shortest = 1e-9;

double medianOf(std::vector<double>& values)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Gathers joined spans to one row.
class Gathered
{
public:
    void add(const Span& predicted, const Span& measured)
    {
        const double took = measured.end - measured.begin;
        const double told = predicted.end - predicted.begin;
        ++m_worst.spans;
        const bool compared = took >= shortest && told >= shortest;
        if (compared && m_errors.empty()) { // what takes no time says nothing beside these
            m_took.clear();
            m_told.clear();
        }
        if (compared || m_errors.empty()) {
            m_took.push_back(took);
            m_told.push_back(told);
        }
        if (!compared)
            return;
        const double error = told / took - 1;
        if (m_errors.empty() || std::abs(error) > std::abs(m_worst.worst)) {
            m_worst.worst = error;
            m_worst.worstRank = measured.rank;
            m_worst.worstId = measured.id;
            m_worst.worstStep = measured.step;
        }
        m_errors.push_back(error);
    }
    SpanErrors errors()
    {
        SpanErrors errors = m_worst;
        errors.compared = m_errors.size();
        errors.measured = medianOf(m_took);
        errors.predicted = medianOf(m_told);
        errors.median = m_errors.empty() ? 0 : medianOf(m_errors);
        return errors;
    }

private:
    SpanErrors m_worst;
    std::vector<double> m_took, m_told, m_errors;
};

using ById = std::unordered_map<std::uint64_t, const Span*>;

std::vector<ById> spansByRank(const std::vector<Span>& spans, const Layout& layout)
{
    std::vector<ById> byRank(std::size_t(std::max(0, layout.ranks())));
    for (const Span& span : spans)
        if (span.rank.value >= 0 && span.rank.value < layout.ranks())
            byRank[std::size_t(span.rank.value)][span.id.packed] = &span;
    return byRank;
}

std::map<std::int32_t, std::vector<Span>> bySteps(const std::vector<Span>& spans,
                                                  const Layout& layout)
{
    std::map<std::int32_t, std::vector<Span>> steps;
    for (const Span& span : spans)
        if (span.rank.value >= 0 && span.rank.value < layout.ranks() && std::isfinite(span.begin) &&
            std::isfinite(span.end))
            steps[span.step].push_back(span);
    return steps;
}

} // namespace

PredictionJoin joinPrediction(const std::vector<Span>& predicted, const std::vector<Span>& measured,
                              const Layout& layout)
{
    PredictionJoin join;
    const std::vector<ById> told = spansByRank(predicted, layout);
    std::map<Kind, Gathered> kinds;
    std::vector<Gathered> ranks(told.size());
    join.byRank.resize(told.size());
    std::vector<double> steps, bubbles;
    for (const auto& [step, spans] : bySteps(measured, layout)) {
        std::size_t found = 0;
        for (const Span& span : spans) {
            const auto rank = std::size_t(span.rank.value);
            const auto twin = told[rank].find(span.id.packed);
            // Children are there only where detail was asked for; their parents carry the sums.
            if (twin == told[rank].end()) {
                join.measuredOnly += span.id.kind() == Kind::TensorCollective ? 0 : 1;
                continue;
            }
            ++found;
            kinds[span.id.kind()].add(*twin->second, span);
            if (isCompute(span.id.kind())) {
                ranks[rank].add(*twin->second, span);
                join.byRank[rank].measuredSeconds += span.end - span.begin;
                join.byRank[rank].predictedSeconds += twin->second->end - twin->second->begin;
            }
        }
        join.joined += found;
        join.predictedOnly += predicted.size() - std::min(found, predicted.size());
        const StepShares shares = stepShares(spans, layout);
        steps.push_back(shares.end - shares.begin);
        if (const double idle = bubble(shares, layout); std::isfinite(idle))
            bubbles.push_back(idle);
        ++join.steps;
    }
    for (auto& [kind, gathered] : kinds)
        join.byKind.push_back({kind, gathered.errors()});
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        RankErrors& row = join.byRank[rank];
        row.rank = Rank(int(rank));
        row.errors = ranks[rank].errors();
        row.measuredSeconds /= std::max(1, join.steps);
        row.predictedSeconds /= std::max(1, join.steps);
    }
    join.measuredStep = medianOf(steps);
    join.measuredBubble = medianOf(bubbles);
    if (!predicted.empty()) {
        const StepShares shares = stepShares(predicted, layout);
        join.predictedStep = shares.end - shares.begin;
        join.predictedBubble = bubble(shares, layout);
    }
    return join;
}

} // namespace triaxis
