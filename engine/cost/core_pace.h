#pragma once

#include "engine/cost/machine_calibration.h"

#include <vector>

namespace triaxis
{

/// How many times as long as at its quickest a core takes, moment after moment: no core of a shared
/// machine keeps its pace. The moments that a calibration has seen follow each other for ever.
class CorePace
{
public:
    /// Every core at one pace for ever.
    explicit CorePace(double slowness = 1);
    /// As it was found last (MachineCalibration::now), else while the machine was calibrated.
    explicit CorePace(const MachineCalibration& calibration);
    /// The same with every moment so many times as slow.
    CorePace times(double factor) const;

    bool even() const { return m_slowness.empty(); }
    /// Seconds after which it begins anew; 0 where it is even.
    double length() const;
    /// Of a core of the machine; cores beyond those that were followed go as these did.
    double slowness(int core, double time) const;
    /// Of `threads` cores that wait for each other, the first of them `core`.
    double slowestOf(int core, int threads, double time) const;
    /// Of work that moves between `cores` cores.
    double shared(int cores, double time) const;
    /// When the moment ends in which `time` lies; infinite where it is even.
    double nextChange(double time) const;
    /// Of all cores together, by the work that they get done.
    double mean() const;

private:
    std::size_t momentAt(double time) const;

    double m_uniform = 1;
    double m_interval = 0;
    std::vector<std::vector<double>> m_slowness; ///< [core][moment]
};

/// How much slower than at the quickest a calibration's samples themselves are to be expected under
/// an occupancy: each is the shortest of a few rounds, of which all may have met a slow moment.
double slownessOfSamples(const MachineCalibration& calibration, const Occupancy& under);

} // namespace triaxis
