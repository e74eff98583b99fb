#pragma once

#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// A layout of a problem: measured and predicted seconds of a step.
struct TimedLayout
{
    std::string problem;
    std::string layout; ///< the same text for the same layout
    double measured = 0;
    double predicted = 0;
};

struct ErrorScore
{
    int values = 0;
    double mean = 0;  ///< mean absolute relative error
    double bias = 0;  ///< mean relative error
    double worst = 0; ///< the largest in size, signed
    std::size_t worstAt = 0;
};

struct Score
{
    ErrorScore error;
    int pairs = 0;              ///< pairs of layouts of one problem that were measured apart
    std::optional<double> rank; ///< share of them in the right order
    int problems = 0;           ///< problems of at least three layouts
    std::optional<double> pick; ///< mean slowdown of the layout that the model ranks first
};

/// Errors as they come. Values that are not finite count as an error of 1e9.
ErrorScore errorScore(const std::vector<double>& errors);

/// Fills in pairs, rank, problems and pick. Pairs measured within 2% of each other are ties and
/// left out, as are two measurements of the same layout.
void scoreOrder(Score& score, const std::vector<TimedLayout>& layouts);

/// The middle value; 0 for none.
double median(std::vector<double> values);

} // namespace triaxis
