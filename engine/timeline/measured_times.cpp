#include "engine/timeline/measured_times.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace triaxis
{
namespace
{

struct Mean
{
    double sum = 0;
    int count = 0;
    void add(double seconds)
    {
        sum += seconds;
        ++count;
    }
    double value() const { return count > 0 ? sum / count : 0; }
};

struct Means
{
    Mean forward, backward, input, weight;
    std::set<Rank> ranks;
    int microbatches = 0;

    void add(const Span& span)
    {
        const double seconds = span.end - span.begin;
        if (span.lane != Lane::Compute || !std::isfinite(seconds))
            return;
        Mean* mean = of(span.id.kind());
        if (!mean)
            return;
        mean->add(seconds);
        ranks.insert(span.rank);
        microbatches = std::max(microbatches, span.id.microbatch().value + 1);
    }

private:
    Mean* of(Kind kind)
    {
        if (kind == Kind::Forward)
            return &forward;
        if (kind == Kind::Backward)
            return &backward;
        if (kind == Kind::BackwardInput)
            return &input;
        return kind == Kind::BackwardWeight ? &weight : nullptr;
    }
};

} // namespace

std::optional<MeasuredTimes> measuredTimes(const std::vector<Span>& spansOfStep)
{
    Means means;
    for (const Span& span : spansOfStep)
        means.add(span);
    const bool split = means.input.count > 0 && means.weight.count > 0;
    if (means.forward.count == 0 || (means.backward.count == 0 && !split))
        return std::nullopt;
    // A share has so many chunks; of two replicas each takes half of the microbatches.
    const double chunks =
        double(means.forward.count) / (double(means.microbatches) * double(means.ranks.size()));
    MeasuredTimes measured;
    measured.split = split;
    measured.times.forward = chunks * means.forward.value();
    measured.times.input = chunks * (split ? means.input.value() : means.backward.value() / 2);
    measured.times.weight = chunks * (split ? means.weight.value() : means.backward.value() / 2);
    return measured;
}

} // namespace triaxis
