#include "ui/widgets/legend_bar.h"

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/display_list_player.h"

#include <QPainter>

namespace triaxis::ui
{
namespace
{

constexpr double swatch = 9;
constexpr double afterSwatch = 5;
constexpr double between = 14;

} // namespace

LegendBar::LegendBar(std::vector<Entry> entries, QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setEntries(std::move(entries));
}

void LegendBar::setEntries(std::vector<Entry> entries)
{
    m_entries = std::move(entries);
    QStringList names;
    for (const Entry& entry : m_entries)
        names << entry.name;
    setAccessibleName(QStringLiteral("Colours: ") + names.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize LegendBar::sizeHint() const
{
    const QFontMetrics metrics(fontOf(FontRole::Small));
    double width = 0;
    for (const Entry& entry : m_entries)
        width += swatch + afterSwatch + metrics.horizontalAdvance(entry.name) + between;
    return {int(width), scaled(18)};
}

QSize LegendBar::minimumSizeHint() const
{
    return {60, scaled(18)};
}

void LegendBar::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontOf(FontRole::Small));
    const QFontMetrics metrics = painter.fontMetrics();
    DisplayListPlayer player;
    double x = 0;
    for (const Entry& entry : m_entries) {
        const double length = swatch + afterSwatch + metrics.horizontalAdvance(entry.name);
        if (x + length > width())
            break;
        FillRect box{x, (height() - swatch) / 2, swatch, swatch, entry.ink, 2};
        box.hatched = entry.ink == Ink::Wait;
        player.play(painter, {swatch, swatch, {box}}, theme.painted);
        painter.setPen(theme.muted);
        painter.drawText(QRectF(x + swatch + afterSwatch, 0, length, height()),
                         Qt::AlignLeft | Qt::AlignVCenter, entry.name);
        x += length + between;
    }
}

} // namespace triaxis::ui
