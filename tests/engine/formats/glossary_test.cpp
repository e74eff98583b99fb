#include <QtTest>

#include "engine/core/error.h"
#include "engine/formats/glossary.h"
#include "engine/formats/report_html.h"
#include "engine/formats/sweep_html.h"
#include "engine/language/phrasebook.h"

#include <set>

using namespace triaxis;

class GlossaryTest : public QObject
{
    Q_OBJECT

private slots:
    void everyEntryIsWholeAndOnce()
    {
        std::set<std::string> ids, terms;
        for (const GlossaryEntry& entry : glossary()) {
            QVERIFY2(ids.insert(entry.id).second, entry.id.c_str());
            QVERIFY2(terms.insert(entry.term).second, entry.term.c_str());
            QVERIFY2(entry.definition.size() > 20 && entry.definition.back() == '.',
                     entry.id.c_str());
            QVERIFY2(!entry.term.empty(), entry.id.c_str());
        }
        QVERIFY(ids.size() > 25);
    }

    void everyTextIsSaidInRussian()
    {
        const Phrasebook russian = Phrasebook::of("ru");
        for (const GlossaryEntry& entry : glossary()) {
            const std::set<std::string> same{"√ Σ g²", "MFU", "FLOP", "×", "%", ""};
            for (const std::string& text :
                 {entry.term, entry.unit, entry.formula, entry.definition})
                QVERIFY2(same.contains(text) || russian.say(text) != text, text.c_str());
        }
    }

    void anUnknownIdIsAnError()
    {
        QCOMPARE(glossaryEntry("bubble").term, std::string("Bubble"));
        QVERIFY_EXCEPTION_THROWN(glossaryEntry("happiness"), Error);
    }

    void sweepReportsDefineTheirNumbersFromIt()
    {
        const QString html = QString::fromStdString(reportHtml(sweepReport({})));
        for (const char* id : {"speed-up", "efficiency", "bubble", "communication-share"})
            QVERIFY2(html.contains(QString::fromStdString(glossaryEntry(id).term)), id);
        QVERIFY(html.contains("Which part of the added ranks became speed."));
    }
};

QTEST_APPLESS_MAIN(GlossaryTest)
#include "glossary_test.moc"
