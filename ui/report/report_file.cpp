#include "ui/report/report_file.h"

#include "engine/core/error.h"
#include "engine/timeline/said_picture.h"
#include "ui/report/print_canvas.h"
#include "ui/base/language.h"

#include <QPainter>
#include <QSaveFile>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double border = 16;
constexpr double mostPixels = 64e6;
constexpr double printRatio = 2;

[[noreturn]] void fail(const QString& file, const QString& reason, const char* remedy)
{
    throw Error("cannot export", (file + QStringLiteral(": ") + reason).toStdString(), remedy);
}

template <class Write>
void save(const QString& file, Write&& write)
{
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        fail(file, out.errorString(), "choose another place for it");
    write(out);
    if (!out.commit())
        fail(file, out.errorString(), "free some space, or choose another place for it");
}

/// The picture with its texts in the language of the window.
DisplayList said(DisplayList picture)
{
    if (windowLanguage() != QLatin1String("en"))
        sayPicture(picture, [](const std::string& text) { return spoken(text).toStdString(); });
    return picture;
}

} // namespace

QImage pictureImage(const DisplayList& picture, double ratio)
{
    const double width = picture.width + 2 * border;
    const double height = picture.height + 2 * border;
    const double fitting = std::min(ratio, std::sqrt(mostPixels / std::max(1.0, width * height)));
    QImage image(std::max(1, int(std::ceil(width * fitting))),
                 std::max(1, int(std::ceil(height * fitting))), QImage::Format_RGB32);
    if (image.isNull())
        throw Error("cannot draw the picture", "it is too large", "export it as SVG or PDF");
    image.setDotsPerMeterX(int(std::lround(fitting * 96 / 0.0254)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    image.fill(printInk(Ink::Background));
    QPainter painter(&image);
    PrintCanvas canvas(painter, fitting);
    canvas.play(picture, {border, border}, 1, {0, 0, picture.width, picture.height});
    return image;
}

void saveReportPdf(const QString& file, const ReportDocument& report, QPageSize::PageSizeId paper,
                   const ReportProgress& progress)
{
    save(file, [&](QIODevice& out) { writeReportPdf(out, report, paper, progress); });
}

void savePicture(const QString& file, const DisplayList& drawn, PictureFormat format,
                 const QString& title, const std::string& dateUtc)
{
    const DisplayList picture = said(drawn);
    switch (format) {
    case PictureFormat::Svg:
        saveText(file, toSvg(picture, lightPalette()));
        return;
    case PictureFormat::Pdf:
        save(file, [&](QIODevice& out) { writePicturePdf(out, picture, title, dateUtc); });
        return;
    case PictureFormat::Png:
        save(file, [&](QIODevice& out) {
            if (!pictureImage(picture, printRatio).save(&out, "PNG"))
                fail(file, out.errorString(), "free some space, or choose another place for it");
        });
        return;
    }
}

void saveText(const QString& file, const std::string& text)
{
    save(file, [&](QIODevice& out) {
        if (out.write(text.data(), qint64(text.size())) != qint64(text.size()))
            fail(file, out.errorString(), "free some space, or choose another place for it");
    });
}

} // namespace triaxis::ui
