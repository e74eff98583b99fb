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

namespace
{

const QStringList& choiceNames()
{
    static const QStringList names{QStringLiteral("system"), QStringLiteral("light"),
                                   QStringLiteral("dark"), QStringLiteral("high-contrast")};
    return names;
}

} // namespace

QString toText(ThemeChoice choice)
{
    return choiceNames().at(int(choice));
}

std::optional<ThemeChoice> themeChoiceOf(const QString& name)
{
    const qsizetype at = choiceNames().indexOf(name);
    if (at < 0)
        return std::nullopt;
    return ThemeChoice(at);
}

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
    m_choice = themeChoiceOf(settings.value(QStringLiteral("appearance/theme")).toString())
                   .value_or(ThemeChoice::System);
    const double scale = settings.value(QStringLiteral("appearance/textScale"), 1.0).toDouble();
    m_textScale = std::clamp(scale, 1.0, 2.0);
    apply();
}

void ThemeController::save() const
{
    QSettings settings;
    settings.setValue(QStringLiteral("appearance/theme"), toText(m_choice));
    settings.setValue(QStringLiteral("appearance/textScale"), m_textScale);
}

bool ThemeController::eventFilter(QObject* watched, QEvent* event)
{
    const bool systemSpoke =
        event->type() == QEvent::ThemeChange || event->type() == QEvent::ApplicationPaletteChange;
    if (!m_applying && systemSpoke && watched == &m_application) {
        const QColor window = QApplication::palette().color(QPalette::Window);
        if (window != theme().window) {
            m_systemDark = window.lightness() < 128;
            apply();
        }
    }
    return QObject::eventFilter(watched, event);
}

const Theme& ThemeController::theme() const
{
    switch (m_choice) {
    case ThemeChoice::System:
        return m_systemDark ? darkTheme() : lightTheme();
    case ThemeChoice::Light:
        return lightTheme();
    case ThemeChoice::Dark:
        return darkTheme();
    case ThemeChoice::HighContrast:
        return highContrastTheme();
    }
    return lightTheme();
}

bool ThemeController::isDark() const
{
    return theme().dark;
}

void ThemeController::apply()
{
    m_applying = true;
    const QFont font = applicationFont(m_textScale);
    if (font != QApplication::font())
        QApplication::setFont(font);
    QApplication::setPalette(paletteOf(theme()));
    const QString sheet = styleSheetOf(theme());
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
