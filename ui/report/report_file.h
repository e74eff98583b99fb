#pragma once

#include "engine/formats/report_document.h"
#include "ui/report/report_pages.h"

#include <QImage>
#include <QString>

namespace triaxis::ui
{

/// What a picture can be written as.
enum class PictureFormat { Png, Svg, Pdf };

/// Each writes beside its place first and takes it when all has reached the disk: a full disk
/// leaves neither half a file nor an older one destroyed. Throws Error; ReportCancelled leaves
/// nothing.
void saveReportPdf(const QString& file, const ReportDocument& report, QPageSize::PageSizeId paper,
                   const ReportProgress& progress = {});
void savePicture(const QString& file, const DisplayList& picture, PictureFormat format,
                 const QString& title, const std::string& dateUtc = {});
void saveText(const QString& file, const std::string& text);

/// Light on white with a border, `ratio` pixels of the image a pixel of the picture.
QImage pictureImage(const DisplayList& picture, double ratio);

} // namespace triaxis::ui
