#include "engine/record/step_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis
{
namespace
{

/// NaN of none.
double middleOf(std::vector<double> values)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

} // namespace

StepFigures stepFigures(const std::vector<StepResult>& steps, std::size_t last)
{
    StepFigures figures{0, middleOf({}), middleOf({})};
    std::size_t first = steps.size() > 1 ? 1 : 0;
    if (last > 0 && steps.size() - first > last)
        first = steps.size() - last;
    std::vector<double> seconds;
    double time = 0;
    double tokens = 0;
    for (std::size_t i = first; i < steps.size(); ++i) {
        if (!(steps[i].seconds > 0) || !std::isfinite(steps[i].seconds))
            continue;
        seconds.push_back(steps[i].seconds);
        time += steps[i].seconds;
        tokens += double(steps[i].tokens);
    }
    figures.steps = seconds.size();
    figures.stepSeconds = middleOf(std::move(seconds));
    if (time > 0)
        figures.tokensPerSecond = tokens / time;
    return figures;
}

const char* unitOfLoss(const RunPlan& plan)
{
    return plan.data.kind == DataKind::Text ? "nats per byte" : "nats per token";
}

} // namespace triaxis
