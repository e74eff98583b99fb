#pragma once

#include "engine/cost/validation.h"

#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// A file that could not be scored: no table of training runs, or not readable.
struct UnscoredTable
{
    std::string name;
    std::string reason;
};

/// All tables side by side.
struct Scoreboard
{
    std::vector<Validation> tables;
    std::vector<UnscoredTable> unscored;
};

/// Everything together: values, pairs and problems of all tables count alike.
struct ScoreTotal
{
    int rows = 0;
    int skipped = 0;
    int stating = 0; ///< rows that state what is needed
    Score model;
    ErrorScore baseline;
    int limits = 0;       ///< tables that have a limit …
    int withinLimits = 0; ///< … and keep it
    int halved = 0;       ///< tables of two halves to compare …
    int halvesAgree = 0;  ///< … whose errors lie within halvesApart
};

ScoreTotal totalOf(const Scoreboard& board);

/// The most that the mean error of a table may be, by the table's name; empty: none is set.
std::optional<double> limitOf(const std::string& table);

/// The run with the largest error of a main figure, and that figure; null where nothing was priced.
struct WorstRun
{
    const PricedCase* run = nullptr;
    const PricedTarget* target = nullptr;
};
WorstRun worstRunOf(const Validation& validation);

/// Share of the rows that state what is needed which is priced; empty: none does.
std::optional<double> pricedShare(int rows, int stating);
/// "5.8 % of the rows in odd places, 5.9 % of those in even ones, kept back in fits: 0.1 points
/// apart"
std::string halvesText(const Halves& halves);

/// Quantities of the main figures, in the order of Quantity.
std::vector<Quantity> mainQuantities(const Validation& validation);

/// Software profiles that the runs were priced with, each once, in the order of their rows.
std::vector<SoftwareProfile> profilesUsed(const Validation& validation);

/// A figure with its unit, for people.
std::string measuredText(Quantity quantity, double value);
/// "+3.4 %", "−12 %"
std::string signedPercent(double share);
/// The error of a figure: a percentage, "right" or "wrong", a difference.
std::string errorText(const PricedTarget& target);

} // namespace triaxis
