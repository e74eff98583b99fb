#include "ui/base/percent_text.h"

#include "ui/base/language.h"
#include "ui/base/text.h"

#include <cmath>

namespace triaxis::ui
{

QString percentText(double share)
{
    if (!std::isfinite(share))
        return QString(QChar(0x2013));
    // Not −0.0.
    return decimalText(std::abs(share * 100) < 0.05 ? 0.0 : share * 100, 1) + thinSpace +
           QLatin1Char('%');
}

} // namespace triaxis::ui
