#pragma once

#include "engine/formats/report_document.h"
#include "ui/report/page_flow.h"

#include <vector>

namespace triaxis::ui
{

/// The pieces of a report's pages: title, sections one after the other, halves side by side.
/// `width` and `height` of a page's inside in pixels; `canvas` measures.
std::vector<PagePiece> reportPieces(const ReportDocument& report, const PrintCanvas& canvas,
                                    double width, double height);

/// The same of one table.
std::vector<PagePiece> tablePieces(const ReportTable& table, const PrintCanvas& canvas,
                                   double width);
/// The same of one picture, in as many slices as it needs.
std::vector<PagePiece> picturePieces(const ReportPicture& picture, double width, double height);

/// Where a picture may be cut: the lowest place not below `limit` that no box or text crosses.
double cutOf(const DisplayList& list, double from, double limit);

} // namespace triaxis::ui
