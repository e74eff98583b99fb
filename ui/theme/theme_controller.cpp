#include "ui/theme/theme_controller.h"

#include "ui/theme/fonts.h"
#include "ui/theme/style_sheet.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QSettings>
#include <QStyleFactory>

#include <algorithm>

namespace triaxis::ui
{

ThemeController::ThemeController(QApplication& application, QObject* parent)
    : QObject(parent), m_application(application)
{
    m_applying = true;
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    m_systemDark = systemIsDark();
    m_applying = false;
    m_application.installEventFilter(this);
    apply();
}

void ThemeController::setChoice(ThemeChoice choice)
{
    if (choice == m_choice)
        return;
    m_choice = choice;
    apply();
}

void ThemeController::setTextScale(double scale)
{
    scale = std::clamp(scale, 1.0, 2.0);
    if (scale == m_textScale)
        return;
    m_textScale = scale;
    apply();
}

void ThemeController::load()
{
    const QSettings settings;
    const QString theme = settings.value(QStringLiteral("appearance/theme")).toString();
    m_choice = theme == QLatin1String("light")  ? ThemeChoice::Light
               : theme == QLatin1String("dark") ? ThemeChoice::Dark
                                                : ThemeChoice::System;
    const double scale = settings.value(QStringLiteral("appearance/textScale"), 1.0).toDouble();
    m_textScale = std::clamp(scale, 1.0, 2.0);
    apply();
}

void ThemeController::save() const
{
    QSettings settings;
    const char* const names[] = {"system", "light", "dark"};
    settings.setValue(QStringLiteral("appearance/theme"),
                      QString::fromLatin1(names[int(m_choice)]));
    settings.setValue(QStringLiteral("appearance/textScale"), m_textScale);
}

bool ThemeController::eventFilter(QObject* watched, QEvent* event)
{
    const bool systemSpoke =
        event->type() == QEvent::ThemeChange || event->type() == QEvent::ApplicationPaletteChange;
    if (!m_applying && systemSpoke && watched == &m_application) {
        const QColor window = QApplication::palette().color(QPalette::Window);
        const Theme& shown = m_dark ? darkTheme() : lightTheme();
        if (window != shown.window) {
            m_systemDark = window.lightness() < 128;
            apply();
        }
    }
    return QObject::eventFilter(watched, event);
}

void ThemeController::apply()
{
    m_applying = true;
    m_dark = m_choice == ThemeChoice::Dark || (m_choice == ThemeChoice::System && m_systemDark);
    const Theme& theme = m_dark ? darkTheme() : lightTheme();
    const QFont font = applicationFont(m_textScale);
    if (font != QApplication::font())
        QApplication::setFont(font);
    QApplication::setPalette(paletteOf(theme));
    const QString sheet = styleSheetOf(theme);
    if (sheet != m_application.styleSheet())
        m_application.setStyleSheet(sheet);
    m_applying = false;
    emit changed();
}

bool ThemeController::systemIsDark()
{
    QApplication::setPalette(QPalette());
    return QApplication::palette().color(QPalette::Window).lightness() < 128;
}

} // namespace triaxis::ui
