#include "app/gui/render_report.h"

#include "engine/core/error.h"
#include "engine/formats/report_parcel.h"
#include "ui/report/report_file.h"

#include <QFile>
#include <QGuiApplication>

#include <cstdio>

namespace triaxis::gui
{
namespace
{

ReportDocument readParcel(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw Error("cannot read the report",
                    (path + QStringLiteral(": ") + file.errorString()).toStdString(),
                    "check the path");
    const QByteArray bytes = file.readAll();
    return unpackReport({bytes.constData(), std::size_t(bytes.size())});
}

void write(const RenderOptions& options)
{
    const ReportDocument report = readParcel(options.parcel);
    if (options.view.isEmpty()) {
        ui::saveReportPdf(options.output, report,
                          options.paper == QLatin1String("letter") ? QPageSize::Letter
                                                                   : QPageSize::A4);
        return;
    }
    const ReportPicture& picture = pictureOf(report, options.view.toStdString());
    ui::savePicture(options.output, picture.draw(options.width),
                    options.format == QLatin1String("png") ? ui::PictureFormat::Png
                                                           : ui::PictureFormat::Pdf,
                    QString::fromStdString(report.title + " · " + picture.title), report.dateUtc);
}

} // namespace

int renderReport(const RenderOptions& options, int count, char** arguments)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(count, arguments);
    try {
        write(options);
        return 0;
    } catch (const Error& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}

} // namespace triaxis::gui
