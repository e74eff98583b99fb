#pragma once

#include <QLocale>
#include <QString>

#include <string_view>

namespace triaxis::ui
{

enum class LanguageChoice { System, English, Russian };

LanguageChoice storedLanguage();
void storeLanguage(LanguageChoice choice);
/// "en" or "ru": what the choice comes to under the given locale of the system.
QString languageOf(LanguageChoice choice, const QLocale& system = QLocale::system());

/// Makes the window speak a language, "en" or "ru": its own texts, Qt's, the engine's, numbers and
/// dates. Texts that are shown already stay as they are, so it is called before the first widget.
void setWindowLanguage(const QString& language);
/// "en" before anything was set.
QString windowLanguage();

/// What the engine says, in the language of the window: findings, errors, names and values of
/// figures ("1.5 GiB" with the marks and units of the language).
QString spoken(std::string_view english);
QString spoken(const char* english);
QString spoken(const QString& english);
/// In which numbers are shown and typed; the C locale in English.
QLocale numberLocale();
/// A number with the decimal mark of the language, without grouping.
QString decimalText(double value, int decimals);

} // namespace triaxis::ui
