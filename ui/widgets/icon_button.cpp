#include "ui/widgets/icon_button.h"

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QAction>
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

IconButton::IconButton(const QString& icon, QAction& action, QWidget* parent)
    : IconButton(icon, action.text(), parent)
{
    connect(this, &QToolButton::clicked, &action, [this, &action] {
        action.trigger();
        follow(action); // one that stays chosen when it is pressed again
    });
    connect(&action, &QAction::changed, this, [this, &action] { follow(action); });
    follow(action);
}

void IconButton::follow(const QAction& action)
{
    setEnabled(action.isEnabled());
    setCheckable(action.isCheckable());
    setChecked(action.isChecked());
    const QString keys = action.shortcut().toString(QKeySequence::NativeText);
    const QString hint =
        keys.isEmpty() ? action.text() : QStringLiteral("%1 (%2)").arg(action.text(), keys);
    setToolTip(hint);
    setAccessibleName(hint);
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
