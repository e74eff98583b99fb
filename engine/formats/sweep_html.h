#pragma once

#include "engine/formats/report_document.h"
#include "engine/sweep/sweep_table.h"

#include <string>
#include <vector>

namespace triaxis
{

/// A sweep as a report: for each form its notes, the scaling chart and the table; then how it was
/// made.
ReportDocument sweepReport(const std::string& title, const std::string& subtitle,
                           const std::vector<SweepTable>& tables);

/// The same with the title of a sweep over layouts.
ReportDocument sweepReport(const std::vector<SweepTable>& tables);

/// A sweep as one HTML page that needs nothing else: no script, light and dark, for print and
/// phone. For each form what it was made on, the scaling chart and the table.
std::string sweepHtml(const std::string& title, const std::string& subtitle,
                      const std::vector<SweepTable>& tables);

} // namespace triaxis
