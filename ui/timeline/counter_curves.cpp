#include "ui/timeline/counter_curves.h"

#include "engine/core/units.h"
#include "ui/base/count_text.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/run/run_data.h"

#include <numeric>

namespace triaxis::ui
{

void CounterCurves::begin(int ranks)
{
    m_memory.assign(std::size_t(ranks), {});
    m_loss.clear();
    m_rate.clear();
}

void CounterCurves::take(const RunUpdate& update)
{
    for (const MemorySample& sample : update.memory) {
        const auto rank = std::size_t(sample.rank.value);
        if (sample.rank.value < 0 || rank >= m_memory.size())
            continue;
        Points& curve = m_memory[rank];
        const double bytes =
            double(std::accumulate(sample.live.begin(), sample.live.end(), std::int64_t(0)));
        // Samples of a rank come in order, but for a clock that was set right.
        if (curve.empty() || curve.back().first <= sample.time)
            curve.emplace_back(sample.time, bytes);
    }
    for (const StepResult& step : update.steps) {
        m_loss.emplace_back(step.begin, step.loss);
        m_rate.emplace_back(step.begin, step.seconds > 0 ? double(step.tokens) / step.seconds : 0);
    }
}

std::vector<CounterStrip::Curve> CounterCurves::of(int rank) const
{
    std::vector<CounterStrip::Curve> curves;
    if (m_memory.empty())
        return curves;
    if (rank >= 0 && std::size_t(rank) < m_memory.size())
        curves.push_back({Words::tr("memory of rank %1").arg(rank), m_memory[std::size_t(rank)],
                          [](double v) { return spoken(units::bytes(std::int64_t(v))); }});
    curves.push_back(
        {Words::tr("tokens/s"), m_rate, [](double v) { return countText(v); }});
    curves.push_back({Words::tr("loss"), m_loss, [](double v) { return lossText(v); }, false});
    return curves;
}

} // namespace triaxis::ui
