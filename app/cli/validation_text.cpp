#include "app/cli/validation_text.h"

#include "engine/core/units.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace triaxis::cli
{
namespace
{

/// Characters on screen: bytes that begin one.
std::size_t widthOf(const std::string& text)
{
    return std::size_t(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right)
{
    const std::size_t own = widthOf(text);
    const std::string blanks(own < width ? width - own : 0, ' ');
    return right ? blanks + text : text + blanks;
}

std::string signedPercent(double share)
{
    char text[32];
    std::snprintf(text, sizeof text, "%+.1f%%", std::clamp(share, -1e6, 1e6) * 100);
    return text;
}

std::string errorText(const PricedTarget& target)
{
    if (target.target.quantity == Quantity::OutOfMemory)
        return target.error == 0 ? "right" : "wrong";
    if (target.target.quantity == Quantity::BubbleRate) {
        char text[32];
        std::snprintf(text, sizeof text, "%+.5f", target.error);
        return text;
    }
    return signedPercent(target.error);
}

std::string rowsText(const Validation& validation)
{
    std::size_t widest = 10;
    for (const PricedCase& priced : validation.priced)
        widest = std::max(widest, std::min<std::size_t>(64, widthOf(priced.run.label)));
    std::string text = padded("line", 5, true) + "  " + padded("run", widest, false) + "  " +
                       padded("figure", 31, false) + padded("predicted", 17, true) +
                       padded("measured", 17, true) + padded("error", 10, true) + "\n";
    for (const PricedCase& priced : validation.priced) {
        for (const PricedTarget& target : priced.targets) {
            const Quantity quantity = target.target.quantity;
            text += padded(std::to_string(priced.run.line), 5, true) + "  " +
                    padded(priced.run.label, widest, false) + "  " +
                    padded(std::string(toText(quantity)) + (target.target.main ? "" : " (second)"),
                           31, false) +
                    padded(figureText(quantity, target.predicted), 17, true) +
                    padded(figureText(quantity, target.target.measured), 17, true) +
                    padded(errorText(target), 10, true) + "\n";
        }
    }
    return text;
}

std::string scoreLine(const char* name, const Score& score)
{
    std::string text = padded(name, 10, false) + "mean error " + units::percent(score.error.mean) +
                       ", bias " + signedPercent(score.error.bias) + ", worst " +
                       signedPercent(score.error.worst);
    if (score.rank)
        text += ", same-problem rank " + units::percent(*score.rank) + " of " +
                std::to_string(score.pairs) + " pairs";
    if (score.pick)
        text += ", picked layout slower by " + units::percent(*score.pick) + " (" +
                std::to_string(score.problems) + " problems)";
    return text + "\n";
}

/// The worst run by its main figure.
std::string worstRun(const Validation& validation)
{
    const PricedCase* worst = nullptr;
    double most = -1;
    for (const PricedCase& priced : validation.priced) {
        for (const PricedTarget& target : priced.targets) {
            if (target.target.main && std::abs(target.error) > most) {
                most = std::abs(target.error);
                worst = &priced;
            }
        }
    }
    return worst ? "worst run: line " + std::to_string(worst->run.line) + ", " + worst->run.label +
                       "\n"
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

std::string figureText(Quantity quantity, double value)
{
    switch (quantity) {
    case Quantity::StepSeconds:
    case Quantity::LayerForward:
    case Quantity::LayerBackward:
        return units::seconds(value);
    case Quantity::DeviceFlops:
        return units::flopsPerSecond(value);
    case Quantity::Mfu:
    case Quantity::ActivationShare:
    case Quantity::BubbleRate:
        return units::percent(value);
    case Quantity::TokensPerSecond:
    case Quantity::TokensPerDeviceSecond:
        return units::count(value) + " tok/s";
    case Quantity::SamplesPerDeviceSecond:
        return units::count(value) + " seq/s";
    case Quantity::Memory:
    case Quantity::StateMemory:
    case Quantity::ActivationMemory:
        return units::bytes(std::int64_t(std::clamp(value, 0.0, 9e18)));
    case Quantity::OutOfMemory:
        return value > 0 ? "does not fit" : "fits";
    }
    return {};
}

std::string validationText(const Validation& validation)
{
    std::string text = validation.table.name + " (" + validation.table.format +
                       "): " + std::to_string(validation.rows) + " rows priced, " +
                       std::to_string(validation.skipped) + " not\n\n";
    if (!validation.priced.empty())
        text += rowsText(validation) + "\n";
    if (validation.model.error.values > 0)
        text += scoreLine("model", validation.model);
    if (validation.baseline.error.values > 0)
        text += scoreLine("baseline", validation.baseline) +
                "          baseline: FLOPs / (GPUs · peak · efficiency) · (1 + (PP − 1) / (m · "
                "v)), efficiency " +
                units::percent(validation.baselineEfficiency) + ", fitted on this table\n";
    text += worstRun(validation) + secondFigures(validation);
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
