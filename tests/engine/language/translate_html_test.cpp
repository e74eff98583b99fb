#include "engine/language/translate_html.h"

#include <QtTest>

using namespace triaxis;

namespace
{

Phrasebook small()
{
    return Phrasebook::parse(
        R"json({"language": "ru", "decimal": ",", "group": " ", "units": {"ms": "мс"},
        "phrases": {"Bubble": "Пузырь", "rank %n": "ранг %n", "data & head": "данные и <голова>"}})json");
}

} // namespace

class TranslateHtmlTest : public QObject
{
    Q_OBJECT

private slots:
    void saysTextsAndLabels()
    {
        const std::string page =
            "<html lang=\"en\"><h2>Bubble</h2>\n <p title=\"rank 3\"> rank 2 <b>1.5\u202fms</b></p>"
            "<td>data &amp; head</td></html>";
        QCOMPARE(translateHtml(page, small()),
                 std::string("<html lang=\"ru\"><h2>Пузырь</h2>\n <p title=\"ранг 3\"> ранг 2 "
                             "<b>1,5\u202fмс</b></p>"
                             "<td>данные и &lt;голова&gt;</td></html>"));
    }

    void leavesStylesScriptsAndLogs()
    {
        const std::string page = "<style>.a{content:\"Bubble\"}</style><pre>Bubble</"
                                 "pre><script>Bubble</script><!-- Bubble -->x";
        QCOMPARE(translateHtml(page, small()), page);
    }

    void leavesBrokenPagesWhole()
    {
        for (const std::string page :
             {"<", "<b", "a<!--", "<style>x", "&", "&amp", "<p title=\"", ""})
            QCOMPARE(translateHtml(page, small()), page);
    }

    void englishStays()
    {
        QCOMPARE(translateHtml("<html lang=\"en\">Bubble", Phrasebook::of("en")),
                 std::string("<html lang=\"en\">Bubble"));
    }
};

QTEST_APPLESS_MAIN(TranslateHtmlTest)
#include "translate_html_test.moc"
