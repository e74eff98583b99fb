#pragma once

#include "engine/formats/report_document.h"
#include "engine/language/phrasebook.h"

namespace triaxis
{

/// A report in the language of the book: headings, figures, tables and the words in pictures. What
/// is for programs (ids, values, commands, logs) stays as it is. In English nothing changes.
ReportDocument spokenReport(const ReportDocument& report, const Phrasebook& book);

} // namespace triaxis
