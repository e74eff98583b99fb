#include "ui/widgets/legend_bar.h"

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/display_list_player.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double swatch = 9;
constexpr double afterSwatch = 5;
constexpr double between = 14;
constexpr double strip = 4;
constexpr double lineHeight = 18; ///< at a text size of 100 %

double widthOf(const LegendBar::Entry& entry)
{
    return entry.strip.empty() ? swatch : 2 * swatch;
}

} // namespace

LegendBar::LegendBar(std::vector<Entry> entries, QWidget* parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setEntries(std::move(entries));
}

void LegendBar::setEntries(std::vector<Entry> entries)
{
    m_entries = std::move(entries);
    QStringList names;
    for (const Entry& entry : m_entries)
        names << entry.name;
    setAccessibleName(tr("Colours: ") + names.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize LegendBar::sizeHint() const
{
    const QFontMetrics metrics(fontOf(FontRole::Small));
    double width = 0;
    for (const Entry& entry : m_entries)
        width += widthOf(entry) + afterSwatch + metrics.horizontalAdvance(entry.name) + between;
    return {int(width), scaled(lineHeight)};
}

QSize LegendBar::minimumSizeHint() const
{
    return {60, scaled(lineHeight)};
}

int LegendBar::heightForWidth(int width) const
{
    const std::vector<QRectF> all = boxes(width);
    return all.empty() ? scaled(lineHeight) : int(std::ceil(all.back().bottom()));
}

std::vector<QRectF> LegendBar::boxes(double width) const
{
    const QFontMetricsF metrics(fontOf(FontRole::Small));
    const double height = scaled(lineHeight);
    std::vector<QRectF> all;
    double x = 0;
    double y = 0;
    for (const Entry& entry : m_entries) {
        const double length = widthOf(entry) + afterSwatch + metrics.horizontalAdvance(entry.name);
        if (x > 0 && x + length > width) {
            x = 0;
            y += height;
        }
        all.emplace_back(x, y, std::min(length, width), height);
        x += length + between;
    }
    return all;
}

void LegendBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        updateGeometry();
}

void LegendBar::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontOf(FontRole::Small));
    DisplayListPlayer player;
    const std::vector<QRectF> all = boxes(width());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Entry& entry = m_entries[i];
        const double wide = widthOf(entry);
        FillRect box{all[i].left(), all[i].center().y() - swatch / 2, wide, swatch, entry.ink, 2};
        box.hatched = entry.ink == Ink::Wait;
        box.opacity = entry.opacity;
        DisplayList list{double(width()), double(height()), {box}};
        const double part = wide / double(std::max<std::size_t>(1, entry.strip.size()));
        for (std::size_t s = 0; s < entry.strip.size(); ++s)
            list.items.emplace_back(FillRect{box.x + double(s) * part, box.y + swatch - strip, part,
                                             strip, entry.strip[s], 0});
        player.play(painter, list, theme.painted);
        painter.setPen(theme.muted);
        painter.drawText(
            all[i].adjusted(wide + afterSwatch, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(entry.name, Qt::ElideRight,
                                             int(std::ceil(all[i].width() - wide - afterSwatch))));
    }
}

} // namespace triaxis::ui
