#pragma once

#include "ui/timeline/counter_strip.h"

#include <utility>
#include <vector>

namespace triaxis::ui
{

struct RunUpdate;

/// What the curves beneath a timeline are made of, gathered from a run's updates.
class CounterCurves
{
public:
    /// Forgets the run before.
    void begin(int ranks);
    void take(const RunUpdate& update);
    /// Memory of one rank, tokens a second and loss; none before begin() with ranks.
    std::vector<CounterStrip::Curve> of(int rank) const;

private:
    using Points = std::vector<std::pair<double, double>>; ///< seconds, value

    std::vector<Points> m_memory; ///< [rank] bytes
    Points m_loss, m_rate;
};

} // namespace triaxis::ui
