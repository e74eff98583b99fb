#include "app/cli/validation_text.h"

#include "app/cli/text_columns.h"
#include "engine/core/units.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace triaxis::cli
{
namespace
{

std::string rowsText(const Validation& validation)
{
    std::size_t widest = 10;
    for (const PricedCase& priced : validation.priced)
        widest = std::max(widest, std::min<std::size_t>(64, textColumns(priced.run.label)));
    std::string text = inColumn("line", 5, true) + "  " + inColumn("run", widest, false) + "  " +
                       inColumn("figure", 31, false) + inColumn("predicted", 17, true) +
                       inColumn("measured", 17, true) + inColumn("error", 10, true) + "\n";
    for (const PricedCase& priced : validation.priced) {
        for (const PricedTarget& target : priced.targets) {
            const Quantity quantity = target.target.quantity;
            text +=
                inColumn(std::to_string(priced.run.line), 5, true) + "  " +
                inColumn(priced.run.label, widest, false) + "  " +
                inColumn(std::string(toText(quantity)) + (target.target.main ? "" : " (second)"),
                         31, false) +
                inColumn(measuredText(quantity, target.predicted), 17, true) +
                inColumn(measuredText(quantity, target.target.measured), 17, true) +
                inColumn(errorText(target), 10, true) + "\n";
        }
    }
    return text;
}

std::string scoreLine(const char* name, const Score& score)
{
    std::string text =
        inColumn(name, 10, false) + "mean error " + units::percent(score.error.mean) + ", bias " +
        signedPercent(score.error.bias) + ", worst " + signedPercent(score.error.worst);
    if (score.rank)
        text += ", same-problem rank " + units::percent(*score.rank) + " of " +
                std::to_string(score.pairs) + " pairs";
    if (score.pick)
        text += ", picked layout slower by " + units::percent(*score.pick) + " (" +
                std::to_string(score.problems) + " problems)";
    return text + "\n";
}

/// The worst run by its main figure.
std::string worstLine(const Validation& validation)
{
    const WorstRun worst = worstRunOf(validation);
    return worst.run ? "worst run: line " + std::to_string(worst.run->run.line) + ", " +
                           worst.run->run.label + "\n"
                     : "";
}

std::string secondFigures(const Validation& validation)
{
    std::string text;
    for (const Quantity quantity : secondQuantities(validation)) {
        if (quantity == Quantity::OutOfMemory)
            continue;
        const ErrorScore score = errorsOf(validation, quantity);
        const bool rate = quantity == Quantity::BubbleRate;
        char buffer[96];
        std::snprintf(buffer, sizeof buffer,
                      rate ? "mean difference %.5f, worst %+.5f"
                           : "mean error %.1f%%, worst %+.1f%%",
                      rate ? score.mean : score.mean * 100, rate ? score.worst : score.worst * 100);
        text += "second figure, " + std::string(toText(quantity)) + ": " + buffer + " (" +
                std::to_string(score.values) + " values)\n";
    }
    if (validation.fit.runs > 0)
        text += "fits in memory or not: " + std::to_string(validation.fit.right) + " of " +
                std::to_string(validation.fit.runs) + " told right, of the " +
                std::to_string(validation.fit.outOfMemory) + " out of memory " +
                std::to_string(validation.fit.outOfMemoryRight) + "\n";
    return text;
}

std::string profilesText(const Validation& validation)
{
    std::string text;
    for (const SoftwareProfile& profile : profilesUsed(validation))
        text += "profile " + profile.name + ": " + domainText(profile) + "\n";
    return text;
}

std::string list(const char* title, const std::vector<std::string>& lines)
{
    if (lines.empty())
        return {};
    std::string text = std::string(title) + "\n";
    for (const std::string& line : lines)
        text += "  " + line + "\n";
    return text;
}

} // namespace

std::string validationText(const Validation& validation)
{
    std::string text = validation.table.name + " (" + validation.table.format +
                       "): " + std::to_string(validation.rows) + " rows priced, " +
                       std::to_string(validation.skipped) + " not";
    if (const auto share = pricedShare(validation.rows, validation.stating))
        text += "; " + units::percent(*share) + " of those that state what is needed";
    text += "\n\n";
    if (!validation.priced.empty())
        text += rowsText(validation) + "\n";
    if (validation.model.error.values > 0)
        text += scoreLine("model", validation.model);
    if (validation.baseline.error.values > 0)
        text += scoreLine("baseline", validation.baseline) +
                "          baseline: FLOPs / (GPUs · peak · efficiency) · (1 + (PP − 1) / (m · "
                "v)), efficiency " +
                units::percent(validation.baselineEfficiency) + ", fitted on this table\n";
    if (validation.halves)
        text += "halves: mean error " + halvesText(*validation.halves) + "\n";
    text += worstLine(validation) + secondFigures(validation) + profilesText(validation);
    std::vector<std::string> unpriced;
    for (const UnpricedRow& row : validation.unpriced)
        unpriced.push_back("line " + std::to_string(row.line) + " (" + row.label +
                           "): " + row.reason);
    std::set<std::string> assumptions;
    for (const PricedCase& priced : validation.priced)
        assumptions.insert(priced.run.assumptions.begin(), priced.run.assumptions.end());
    return text + list("\nnot priced:", unpriced) +
           list("\nassumed, the table does not state it:",
                {assumptions.begin(), assumptions.end()}) +
           list("\nknown of the source:", validation.table.remarks) + "\n";
}

} // namespace triaxis::cli
