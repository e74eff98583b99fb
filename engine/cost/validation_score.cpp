#include "engine/cost/validation_score.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace triaxis
{
namespace
{

constexpr double tie = 0.02;
constexpr double notFinite = 1e9;

using Problem = std::vector<const TimedLayout*>;

bool areApart(const TimedLayout& a, const TimedLayout& b)
{
    return a.layout != b.layout &&
           std::fabs(a.measured - b.measured) > tie * std::min(a.measured, b.measured);
}

void countPairs(const Problem& problem, int& pairs, int& right)
{
    for (std::size_t i = 0; i < problem.size(); ++i) {
        for (std::size_t j = i + 1; j < problem.size(); ++j) {
            const TimedLayout &a = *problem[i], &b = *problem[j];
            if (!areApart(a, b))
                continue;
            ++pairs;
            const double measured = a.measured - b.measured, predicted = a.predicted - b.predicted;
            right += (measured > 0 && predicted > 0) || (measured < 0 && predicted < 0);
        }
    }
}

double slowdownOfPick(const Problem& problem)
{
    const auto first =
        std::min_element(problem.begin(), problem.end(),
                         [](const auto* a, const auto* b) { return a->predicted < b->predicted; });
    const auto best =
        std::min_element(problem.begin(), problem.end(),
                         [](const auto* a, const auto* b) { return a->measured < b->measured; });
    return (*first)->measured / (*best)->measured - 1;
}

std::size_t layoutsOf(const Problem& problem)
{
    std::vector<std::string> names;
    for (const TimedLayout* layout : problem)
        names.push_back(layout->layout);
    std::sort(names.begin(), names.end());
    return std::size_t(std::unique(names.begin(), names.end()) - names.begin());
}

} // namespace

ErrorScore errorScore(const std::vector<double>& errors)
{
    ErrorScore score;
    score.values = int(errors.size());
    for (std::size_t i = 0; i < errors.size(); ++i) {
        const double error = std::isfinite(errors[i]) ? errors[i] : notFinite;
        score.mean += std::fabs(error) / double(errors.size());
        score.bias += error / double(errors.size());
        if (i == 0 || std::fabs(error) > std::fabs(score.worst)) {
            score.worst = error;
            score.worstAt = i;
        }
    }
    return score;
}

void scoreOrder(Score& score, const std::vector<TimedLayout>& layouts)
{
    std::map<std::string, Problem> problems;
    for (const TimedLayout& layout : layouts) {
        if (layout.measured > 0 && layout.predicted > 0)
            problems[layout.problem].push_back(&layout);
    }
    int right = 0;
    double slowdown = 0;
    score.pairs = score.problems = 0;
    for (const auto& [name, problem] : problems) {
        countPairs(problem, score.pairs, right);
        if (layoutsOf(problem) < 3)
            continue;
        ++score.problems;
        slowdown += slowdownOfPick(problem);
    }
    score.rank = score.pairs ? std::optional(double(right) / score.pairs) : std::nullopt;
    score.pick = score.problems ? std::optional(slowdown / score.problems) : std::nullopt;
}

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

} // namespace triaxis
