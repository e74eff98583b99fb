#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"

#include <QtTest>

#include <QDirIterator>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

using namespace triaxis::ui;

namespace
{

struct Message
{
    QString source;
    QString translation;
    QString type; ///< "unfinished", "vanished", "obsolete"; empty: done
};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const QString translations = TRIAXIS_SOURCE "/resources/translations/triaxis_ru.ts";

QList<Message> messages(const QString& path = translations)
{
    QXmlStreamReader xml(contentOf(path));
    QList<Message> all;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("message"))
            all.append(Message());
        else if (xml.name() == QLatin1String("source"))
            all.back().source = xml.readElementText();
        else if (xml.name() == QLatin1String("translation")) {
            all.back().type = xml.attributes().value("type").toString();
            all.back().translation = xml.readElementText();
        }
    }
    return all;
}

/// %1 … %9 and %n of a text, in order.
QStringList slotsOf(const QString& text)
{
    static const QRegularExpression slot("%([1-9n])");
    QStringList found;
    for (auto match = slot.globalMatch(text); match.hasNext();)
        found << match.next().captured(1);
    found.sort();
    return found;
}

QString difference(const Message& message)
{
    const auto ends = [](const QString& text, QChar mark) { return text.trimmed().endsWith(mark); };
    const auto mnemonics = [](QString text) {
        static const QRegularExpression entity("&(nbsp|lt|gt|amp|#[0-9]+);");
        return text.remove(entity).remove("&&").count('&');
    };
    if (message.translation.isEmpty())
        return "it is empty";
    if (slotsOf(message.source) != slotsOf(message.translation))
        return "its %1 … differ";
    if (mnemonics(message.source) != mnemonics(message.translation))
        return "its key (&) is missing or too many";
    for (const QChar mark : {QChar(0x2026), QChar(':')})
        if (!message.source.back().isSpace() && // else it goes on
            ends(message.source, mark) != ends(message.translation, mark))
            return QString("only one of them ends with ") + mark;
    if (message.source.front().isSpace() != message.translation.front().isSpace() &&
        message.translation.front() != ',')
        return "only one of them begins with a blank";
    if (message.source.back().isSpace() != message.translation.back().isSpace())
        return "only one of them ends with a blank";
    return {};
}

/// What is written in a source as QStringLiteral("…") and reads like a text for a person: it has
/// two words of letters, or begins with a capital, or marks a key.
QStringList plainTexts(const QByteArray& source)
{
    static const QRegularExpression comment("//[^\n]*");
    static const QRegularExpression literal("QStringLiteral\\(\\s*\"((?:[^\"\\\\\n]|\\\\.)*)\"");
    static const QRegularExpression words(
        "[a-z]{2,}[,.:;!?]? +[a-z(%“]|^[A-Z][a-z]+[ …]|^[A-Z][a-z]+$|&[A-Za-z]+$|^&[A-Z]");
    QStringList found;
    const QString text = QString::fromUtf8(source).remove(comment);
    for (auto match = literal.globalMatch(text); match.hasNext();)
        if (const QString one = match.next().captured(1); words.match(one).hasMatch())
            found << one;
    return found;
}

/// Names, keys in portable form, ids of key sections (translated where they are shown), nouns of
/// counted() (known to the phrasebook), patterns and markup.
bool needsNoTranslation(const QString& text)
{
    static const QStringList known{"Triaxis", "Llama",       "Fusion",       "English",
                                   "Inter",   "DejaVu Sans", "this machine", "other run",
                                   "Action",  "Basis",       "Help"}; // ends of ids
    static const QRegularExpression section("^(Plan|Run|History|Timeline|Floor|Window)(: |$)");
    static const QRegularExpression key("^(Esc|Left|Right|Up|Down|Home|End|Return|Pg(Up|Down))$");
    static const QRegularExpression markup("^\\^|style=|&nbsp;");
    return known.contains(text) || section.match(text).hasMatch() || key.match(text).hasMatch() ||
           markup.match(text).hasMatch();
}

} // namespace

class LanguageTest : public QObject
{
    Q_OBJECT

private slots:
    void cleanup() { setWindowLanguage("en"); }

    void everyTextHasItsTranslation()
    {
        const QList<Message> all = messages();
        QVERIFY(all.size() > 1000);
        QStringList findings;
        for (const Message& message : all)
            if (!message.type.isEmpty())
                findings << message.type + ": " + message.source;
        QVERIFY2(findings.isEmpty(), qPrintable(findings.join('\n')));
    }

    /// lupdate loses the namespace behind declarations that it cannot read: such texts are never
    /// found when the window asks for them.
    void contextsAreThoseOfTheSources()
    {
        QStringList findings;
        QXmlStreamReader xml(contentOf(translations));
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement &&
                xml.name() == QLatin1String("name"))
                findings << xml.readElementText();
        QVERIFY(findings.size() > 50);
        findings.removeIf([](const QString& name) {
            return name.startsWith("triaxis::ui::") || name == "Words" ||
                   name == "CalibrateQuestion";
        });
        QVERIFY2(findings.isEmpty(), qPrintable(findings.join('\n')));
    }

    void everyTextOfTheSourcesIsInTheFile()
    {
        const QTemporaryDir folder;
        const QString copy = folder.filePath("triaxis_ru.ts");
        QVERIFY(QFile::copy(translations, copy));
        QProcess lupdate;
        lupdate.setWorkingDirectory(TRIAXIS_SOURCE);
        lupdate.setStandardInputFile(QProcess::nullDevice());
        lupdate.start(TRIAXIS_LUPDATE,
                      {"-silent", "-locations", "none", "-I", ".", "ui", "app/gui", "-ts", copy});
        QVERIFY2(lupdate.waitForFinished(60'000), qPrintable(lupdate.errorString()));
        QStringList findings;
        for (const Message& message : messages(copy))
            if (!message.type.isEmpty())
                findings << message.type + ": " + message.source;
        QVERIFY2(findings.isEmpty(),
                 qPrintable("run resources/translations/update:\n" + findings.join('\n')));
    }

    void translationsKeepPlaceholdersKeysAndMarks()
    {
        QStringList findings;
        for (const Message& message : messages())
            if (const QString what = difference(message); !what.isEmpty())
                findings << message.source + ": " + what;
        QVERIFY2(findings.isEmpty(), qPrintable(findings.join('\n')));
        QVERIFY(!difference({"%1 of %2", "%1", {}}).isEmpty());
        QVERIFY(!difference({"&File", "Файл", {}}).isEmpty());
        QVERIFY(!difference({"Open…", "Открыть", {}}).isEmpty());
    }

    void noTextOfTheWindowIsWithoutTranslation()
    {
        const QDir top(TRIAXIS_SOURCE);
        QStringList findings;
        int files = 0;
        for (const char* folder : {"ui", "app/gui"}) {
            QDirIterator it(top.filePath(folder), {"*.h", "*.cpp"}, QDir::Files,
                            QDirIterator::Subdirectories);
            while (it.hasNext()) {
                const QString path = it.next();
                ++files;
                if (path.endsWith("app/gui/options.cpp")) // is printed, as the command line is
                    continue;
                for (const QString& text : plainTexts(contentOf(path)))
                    if (!needsNoTranslation(text))
                        findings << top.relativeFilePath(path) + ": " + text;
            }
        }
        QVERIFY(files > 200);
        QVERIFY2(findings.isEmpty(), qPrintable(findings.join('\n')));
        QCOMPARE(plainTexts("QStringLiteral(\"Peak memory\") // QStringLiteral(\"No text\")"),
                 QStringList{"Peak memory"});
        QVERIFY(plainTexts("setObjectName(QStringLiteral(\"themeMenu\"))").isEmpty());
    }

    void theSystemsLanguageIsTakenWhereItIsSpoken()
    {
        QCOMPARE(languageOf(LanguageChoice::System, QLocale("ru_RU")), QString("ru"));
        QCOMPARE(languageOf(LanguageChoice::System, QLocale("de_DE")), QString("en"));
        QCOMPARE(languageOf(LanguageChoice::English, QLocale("ru_RU")), QString("en"));
        QCOMPARE(languageOf(LanguageChoice::Russian, QLocale("de_DE")), QString("ru"));
    }

    void speaksRussian()
    {
        QCOMPARE(Words::tr("Peak memory"), QString("Peak memory"));
        setWindowLanguage("ru");
        QCOMPARE(Words::tr("Peak memory"), QString("Пик памяти"));
        QCOMPARE(counted(1, "rank"), QString("1 ранг"));
        QCOMPARE(counted(2, "rank"), QString("2 ранга"));
        QCOMPARE(counted(1005, "microbatch"), QString("1\u202f005 микробатчей"));
        QCOMPARE(decimalText(2.5, 2), QString("2,50"));
        QCOMPARE(wholeNumber(16384), QString("16\u202f384"));
        QCOMPARE(spoken("1.5\u202fGiB"), QString("1,5\u202fГиБ"));
        QCOMPARE(QLocale().language(), QLocale::Russian);
    }

    void speaksEnglishAgain()
    {
        setWindowLanguage("ru");
        setWindowLanguage("en");
        QCOMPARE(Words::tr("Peak memory"), QString("Peak memory"));
        QCOMPARE(counted(2, "microbatch"), QString("2 microbatches"));
        QCOMPARE(decimalText(2.5, 2), QString("2.50"));
        QCOMPARE(wholeNumber(16384), QString("16,384"));
    }
};

QTEST_GUILESS_MAIN(LanguageTest)
#include "language_test.moc"
