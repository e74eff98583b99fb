#include "ui/theme/fonts.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double bodyPixels = 12;

struct RoleFont
{
    double pixels;
    QFont::Weight weight;
};

RoleFont describe(FontRole role)
{
    switch (role) {
    case FontRole::Body:
        return {12, QFont::Normal};
    case FontRole::BodyBold:
        return {12, QFont::DemiBold};
    case FontRole::Small:
        return {11, QFont::Normal};
    case FontRole::SmallBold:
        return {11, QFont::DemiBold};
    case FontRole::Tiny:
        return {10, QFont::Normal};
    case FontRole::PageTitle:
        return {14, QFont::DemiBold};
    case FontRole::Figure:
        return {19, QFont::DemiBold};
    case FontRole::ChipValue:
        return {15, QFont::Bold};
    }
    return {bodyPixels, QFont::Normal};
}

} // namespace

QFont applicationFont(double scale)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    QStringList families{QStringLiteral("Inter")};
    families += font.families();
    families << QStringLiteral("DejaVu Sans") << QStringLiteral("sans-serif");
    font.setFamilies(families);
    font.setPixelSize(int(std::lround(bodyPixels * scale)));
    return font;
}

double fontScale()
{
    const int pixels = QGuiApplication::font().pixelSize();
    return pixels > 0 ? pixels / bodyPixels : 1.0;
}

QFont fontOf(FontRole role)
{
    const RoleFont wanted = describe(role);
    QFont font = QGuiApplication::font();
    font.setPixelSize(std::max(6, scaled(wanted.pixels)));
    font.setWeight(wanted.weight);
    return font;
}

int scaled(double pixels)
{
    return int(std::lround(pixels * fontScale()));
}

double drawTabular(QPainter& painter, const QPointF& baseline, const QString& text)
{
    const QFontMetricsF metrics(painter.font(), painter.device());
    double cell = 0;
    for (char digit = '0'; digit <= '9'; ++digit)
        cell = std::max(cell, metrics.horizontalAdvance(QLatin1Char(digit)));
    double x = baseline.x();
    QString run;
    const auto flush = [&] {
        painter.drawText(QPointF(x, baseline.y()), run);
        x += metrics.horizontalAdvance(run);
        run.clear();
    };
    for (const QChar character : text) {
        if (!character.isDigit()) {
            run += character;
            continue;
        }
        flush();
        const double inset = (cell - metrics.horizontalAdvance(character)) / 2;
        painter.drawText(QPointF(x + inset, baseline.y()), QString(character));
        x += cell;
    }
    flush();
    return x - baseline.x();
}

} // namespace triaxis::ui
