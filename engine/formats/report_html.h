#pragma once

#include "engine/formats/report_document.h"

#include <string>

namespace triaxis
{

/// One HTML file that needs nothing else: no link, no script; light or dark as the reader has it,
/// for wide and narrow screens, printed light. The same report gives the same bytes.
std::string reportHtml(const ReportDocument& report);

} // namespace triaxis
