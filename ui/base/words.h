#pragma once

#include <QCoreApplication>

namespace triaxis::ui
{

/// Texts of the window that are said outside of a QObject: Words::tr("Peak memory"), with
/// QT_TRANSLATE_NOOP("Words", "…") in tables. A QObject says its texts by its own tr().
/// Counts are said by counted() (ui/base/text.h), what the engine says by spoken()
/// (ui/base/language.h).
struct Words
{
    Q_DECLARE_TR_FUNCTIONS(Words)
};

} // namespace triaxis::ui
