#pragma once

#include "engine/record/records.h"
#include "engine/record/run_directory.h"

#include <iosfwd>
#include <string>

namespace triaxis
{

/// Chrome trace event JSON that opens correctly in ui.perfetto.dev: pid = rank, one tid a lane, X events that nest, ts and dur in µs with three
/// decimals relative to the run's start, flows inside their slices, sort indices, distributedInfo.
void writeChromeTrace(std::ostream& out, const RunPlan& plan, const RunRecords& records);

/// Checks a trace for nesting, flows, integer ids and relative time; the findings, empty if it is right.
std::vector<std::string> checkChromeTrace(std::istream& in);

/// One row a span: step, rank, dp, tp, pp, lane, kind, chunk, microbatch, part, ready, begin, end, bytes, flops, tensor_wait, tensor_transfer.
void writeSpanCsv(std::ostream& out, const RunPlan& plan, const RunRecords& records);

/// One self-contained HTML file: settings, figures, loss chart, timeline of a steady step, bubble by stage against the closed form,
/// memory of every rank, and how each figure was made.
std::string htmlReport(const RunPlan& plan, const RunEnvironment& environment, const RunStatus& status, const RunRecords& records);

} // namespace triaxis
