#include "ui/base/language.h"

#include "engine/language/phrasebook.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QSettings>
#include <QTranslator>

#include <array>
#include <memory>

namespace triaxis::ui
{
namespace
{

const char* const languageKey = "appearance/language";
constexpr std::array<const char*, 3> choiceNames{"system", "en", "ru"};

/// What Qt keeps a part of for each application: its translators and default locale.
struct Speech
{
    QString language = QStringLiteral("en");
    QLocale numbers = QLocale::c();
    Phrasebook book;
    QTranslator window;
    QTranslator qt;
};

Speech& speech()
{
    static Speech one;
    return one;
}

} // namespace

LanguageChoice storedLanguage()
{
    const QString name = QSettings().value(QLatin1String(languageKey)).toString();
    for (std::size_t i = 0; i < choiceNames.size(); ++i)
        if (name == QLatin1String(choiceNames[i]))
            return LanguageChoice(i);
    return LanguageChoice::System;
}

void storeLanguage(LanguageChoice choice)
{
    QSettings().setValue(QLatin1String(languageKey),
                         QLatin1String(choiceNames[std::size_t(choice)]));
}

QString languageOf(LanguageChoice choice, const QLocale& system)
{
    if (choice == LanguageChoice::System)
        choice = system.language() == QLocale::Russian ? LanguageChoice::Russian
                                                       : LanguageChoice::English;
    return QLatin1String(choiceNames[std::size_t(choice)]);
}

void setWindowLanguage(const QString& language)
{
    Speech& now = speech();
    QCoreApplication::removeTranslator(&now.window);
    QCoreApplication::removeTranslator(&now.qt);
    now.language = language;
    now.book = Phrasebook::of(language.toStdString());
    // The system's own locale where it speaks this language: it knows the country.
    const QLocale wanted(language);
    const QLocale system = QLocale::system();
    QLocale::setDefault(system.language() == wanted.language() ? system : wanted);
    now.numbers = language == QLatin1String("en") ? QLocale::c() : wanted;
    if (language == QLatin1String("en"))
        return;
    if (now.qt.load(QStringLiteral("qtbase_") + language,
                    QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&now.qt);
    if (now.window.load(QStringLiteral(":/translations/triaxis_%1.qm").arg(language)))
        QCoreApplication::installTranslator(&now.window);
}

QString windowLanguage()
{
    return speech().language;
}

QString spoken(std::string_view english)
{
    return QString::fromStdString(speech().book.say(english));
}

QString spoken(const char* english)
{
    return spoken(std::string_view(english));
}

QString spoken(const QString& english)
{
    return speech().book.language() == "en" ? english : spoken(english.toStdString());
}

QLocale numberLocale()
{
    return speech().numbers;
}

QString decimalText(double value, int decimals)
{
    QLocale plain = numberLocale();
    plain.setNumberOptions(QLocale::OmitGroupSeparator);
    return plain.toString(value, 'f', decimals);
}

} // namespace triaxis::ui
