#include "engine/cost/run_samples.h"

#include <algorithm>

namespace triaxis
{
namespace
{

double medianOf(std::vector<double> values)
{
    const std::size_t half = values.size() / 2;
    std::sort(values.begin(), values.end());
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

} // namespace

RunKind runKind(int ranks, int cores)
{
    if (ranks <= 1)
        return RunKind::OneRank;
    return ranks <= cores ? RunKind::WithinCores : RunKind::BeyondCores;
}

double runsOverSamples(const MachineCalibration& calibration, int ranks)
{
    std::vector<double> same, all;
    const RunKind kind = runKind(ranks, calibration.cores);
    for (const RunSample& run : calibration.runs) {
        all.push_back(run.seconds / run.predicted);
        if (runKind(run.ranks, calibration.cores) == kind)
            same.push_back(all.back());
    }
    if (all.empty())
        return 1;
    return medianOf(same.empty() ? all : same);
}

} // namespace triaxis
