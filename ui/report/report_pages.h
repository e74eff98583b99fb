#pragma once

#include "engine/formats/report_document.h"

#include <QPageSize>
#include <QString>

#include <functional>

class QIODevice;

namespace triaxis::ui
{

/// Raised by a progress function to give up; nothing half written is left by report_file.h.
struct ReportCancelled
{
};

/// Share of the work done, 0 … 1.
using ReportProgress = std::function<void(double share)>;

/// A report as PDF pages in landscape: text that can be searched and copied, embedded fonts,
/// pictures as vectors, tables that repeat their head where they go on, "page 2 of 5". The same
/// report gives the same bytes apart from the date, which is now where the report has none. Any
/// thread. Throws Error where the device cannot be written.
void writeReportPdf(QIODevice& device, const ReportDocument& report, QPageSize::PageSizeId paper,
                    const ReportProgress& progress = {});

/// One picture as a PDF page of its size.
void writePicturePdf(QIODevice& device, const DisplayList& picture, const QString& title,
                     const std::string& dateUtc);

} // namespace triaxis::ui
