#pragma once

#include <QString>

#include <cstdint>
#include <string>

namespace triaxis::ui
{

inline QString toQString(const std::string& text)
{
    return QString::fromStdString(text);
}

/// The thin space (U+202F) that stands before a unit.
inline constexpr QChar thinSpace(0x202F);

/// "2.41 GFLOP": an amount of work, three significant digits.
QString flopsText(double flops);
/// "1,024" with the grouping of the figures in engine/core/units.h.
QString wholeNumber(std::int64_t value);
/// "2.114": a loss with as many digits as can be told apart in a chart. A dash for NaN.
QString lossText(double loss);
/// "+3.1 %", "−12 %": a relative difference; a dash where it is not known.
QString signedPercent(double share);
/// The same, "×12" from ten times on.
QString errorText(double share);
/// "0–5", "3": a range of consecutive indices, `count` of them from `first`; a dash for none.
QString rangeText(int first, int count);
/// "1 rank", "8 ranks", "4 microbatches": the noun in its number.
QString counted(std::int64_t count, const QString& noun);

} // namespace triaxis::ui
