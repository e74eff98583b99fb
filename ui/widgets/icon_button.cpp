#include "ui/widgets/icon_button.h"

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QGuiApplication>

namespace triaxis::ui
{

IconButton::IconButton(const QString& icon, const QString& hint, QWidget* parent)
    : QToolButton(parent), m_icon(icon)
{
    setObjectName(icon);
    setToolTip(hint);
    setAccessibleName(hint);
    setFocusPolicy(Qt::TabFocus);
    colour();
}

void IconButton::colour()
{
    const Theme& theme = themeOf(QGuiApplication::palette());
    // Thin lines look paler than text of the same colour.
    QIcon made = iconOf(m_icon, mixed(theme.muted, theme.text, 0.6), theme.faint);
    const QIcon chosen = iconOf(m_icon, theme.accent, theme.faint);
    for (const QSize& size : chosen.availableSizes())
        made.addPixmap(chosen.pixmap(size), QIcon::Normal, QIcon::On);
    setIcon(made);
    setIconSize({scaled(16), scaled(16)});
}

void IconButton::changeEvent(QEvent* event)
{
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        colour();
}

} // namespace triaxis::ui
