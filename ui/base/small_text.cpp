#include "ui/base/small_text.h"

#include "ui/base/language.h"

#include <QStringList>

#include <cmath>
#include <cstdlib>

namespace triaxis::ui
{

QString smallText(double share)
{
    if (share == 0 || !std::isfinite(share))
        return share == 0 ? QStringLiteral("0") : QString(QChar(0x2013));
    static const QString raised = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    // As printed, so that 9.97·10⁻⁷ becomes 1.0·10⁻⁶.
    const QStringList parts = QString::number(share, 'e', 1).split(QLatin1Char('e'));
    const int power = parts.last().toInt();
    QString text = decimalText(parts.first().toDouble(), 1) + QStringLiteral("·10");
    if (power < 0)
        text += QChar(0x207B);
    for (const QChar digit : QString::number(std::abs(power)))
        text += raised[digit.digitValue()];
    return text;
}

} // namespace triaxis::ui
