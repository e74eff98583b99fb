#include "ui/base/text.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/words.h"

#include <array>
#include <cmath>

namespace triaxis::ui
{
namespace
{

QString englishNumber(std::int64_t value)
{
    QString digits = QString::number(value < 0 ? -value : value);
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, QLatin1Char(','));
    return value < 0 ? QChar(0x2212) + digits : digits;
}

} // namespace

QString flopsText(double flops)
{
    static constexpr std::array<const char*, 7> units{"FLOP",  "kFLOP", "MFLOP", "GFLOP",
                                                      "TFLOP", "PFLOP", "EFLOP"};
    std::size_t unit = 0;
    while (std::abs(flops) >= 1000 && unit + 1 < units.size()) {
        flops /= 1000;
        ++unit;
    }
    const int decimals = unit == 0 || flops >= 100 ? 0 : flops >= 10 ? 1 : 2;
    return spoken(QString::number(flops, 'f', decimals) + thinSpace + QLatin1String(units[unit]));
}

QString wholeNumber(std::int64_t value)
{
    return spoken(englishNumber(value));
}

QString lossText(double loss)
{
    if (std::isnan(loss))
        return QString(QChar(0x2013));
    if (std::isinf(loss))
        return Words::tr("infinite");
    const int decimals = std::abs(loss) >= 100 ? 1 : 3;
    return decimalText(loss, decimals);
}

QString signedPercent(double share)
{
    if (!std::isfinite(share))
        return QString(QChar(0x2013));
    const double percent = std::abs(share) * 100;
    const QString number = decimalText(percent, percent < 9.95 ? 1 : 0);
    if (percent < 0.05)
        return number + thinSpace + QLatin1Char('%');
    return (share > 0 ? QString(QLatin1Char('+')) : QString(QChar(0x2212))) + number + thinSpace +
           QLatin1Char('%');
}

QString errorText(double share)
{
    constexpr double many = 10;
    constexpr double tooMany = 10'000;
    const double factor = share + 1;
    if (!std::isfinite(share) || factor < many)
        return signedPercent(share);
    return QChar(0xD7) +
           (factor < tooMany ? wholeNumber(std::llround(factor)) : spoken(units::count(factor)));
}

QString rangeText(int first, int count)
{
    if (count <= 0)
        return QString(QChar(0x2013));
    if (count == 1)
        return QString::number(first);
    return QStringLiteral("%1–%2").arg(first).arg(first + count - 1);
}

QString counted(std::int64_t count, const QString& noun)
{
    const bool sibilant = noun.endsWith(QLatin1String("ch")) || noun.endsWith(QLatin1Char('s'));
    const QString plural = sibilant ? QStringLiteral("es") : QStringLiteral("s");
    return spoken(englishNumber(count) + QLatin1Char(' ') + noun +
                  (count == 1 ? QString() : plural));
}

} // namespace triaxis::ui
