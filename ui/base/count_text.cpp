#include "ui/base/count_text.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"

namespace triaxis::ui
{

QString countText(double count)
{
    QString english = toQString(units::count(count));
    // "406 B" are bytes for the phrasebook, which has no more than the text.
    if (windowLanguage() == QLatin1String("en") || !english.endsWith(QLatin1Char('B')))
        return spoken(english);
    english.chop(2);
    return spoken(english) + thinSpace + Words::tr("B", "billions");
}

} // namespace triaxis::ui
