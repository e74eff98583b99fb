#include "ui/widgets/icon_mark.h"

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace triaxis::ui
{
namespace
{

QColor colourOf(IconMark::Ink ink, const Theme& theme)
{
    switch (ink) {
    case IconMark::Ink::Muted:
        return theme.muted;
    case IconMark::Ink::Faint:
        return theme.faint;
    case IconMark::Ink::Accent:
        return theme.accent;
    case IconMark::Ink::Danger:
        return theme.danger;
    case IconMark::Ink::Warning:
        return theme.warning;
    case IconMark::Ink::Good:
        return theme.good;
    }
    return theme.muted;
}

} // namespace

IconMark::IconMark(const QString& icon, double size, Ink ink, QWidget* parent)
    : QWidget(parent), m_icon(icon), m_size(size), m_ink(ink)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void IconMark::setIcon(const QString& icon, Ink ink)
{
    m_icon = icon;
    m_ink = ink;
    update();
}

QSize IconMark::sizeHint() const
{
    return {scaled(m_size), scaled(m_size)};
}

void IconMark::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    paintIcon(painter, rect(), m_icon, colourOf(m_ink, themeOf(palette())));
}

} // namespace triaxis::ui
