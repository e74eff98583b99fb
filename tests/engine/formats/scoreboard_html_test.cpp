#include <QtTest>

#include "engine/formats/scoreboard_html.h"

#include <QXmlStreamReader>

namespace
{

using namespace triaxis;

const std::string header = "gpus,gbs,mbs,hidden,heads,layers,seq_len,tp,dp,pp,iter_time_ms,gpu,"
                           "schedule,activation_checkpointing,framework,source\n";

std::string row(int tp, int dp, const std::string& milliseconds)
{
    return std::to_string(tp * dp) + ",16,2,1024,16,12,1024," + std::to_string(tp) + "," +
           std::to_string(dp) + ",1," + milliseconds +
           ",A100,1f1b,true,Megatron-DeepSpeed,source\n";
}

Scoreboard sample()
{
    Scoreboard board;
    board.tables.push_back(validate(parseMeasuredTable(
        header + row(1, 4, "100") + row(2, 2, "110") + row(1, 2, "<b>&quick</b>"),
        "vtrain_megatron_deepspeed_single_node")));
    board.tables.push_back(
        validate(parseMeasuredTable(header + row(4, 1, "90"), "another <table>")));
    board.tables.push_back(validate(parseMeasuredTable(header, "without rows")));
    board.unscored.push_back({"calib & co", "no known format has its columns (<a>)"});
    return board;
}

/// Reads the page as XML: names of the panels and all text outside the style sheet.
struct Page
{
    QString html;
    QString text;
    QStringList titles;
    QStringList ids;
    QStringList links;
    QString fault;

    explicit Page(const Scoreboard& board) : html(QString::fromStdString(scoreboardHtml(board)))
    {
        QXmlStreamReader reader(html);
        QString element;
        while (!reader.atEnd()) {
            reader.readNext();
            if (reader.isStartElement()) {
                element = reader.name().toString();
                const QXmlStreamAttributes attributes = reader.attributes();
                if (element == "div" && attributes.hasAttribute("id"))
                    ids.append(attributes.value("id").toString());
                if (element == "a")
                    links.append(attributes.value("href").toString());
            }
            if (reader.isCharacters() && element == "h2" && !reader.isWhitespace())
                titles.append(reader.text().toString());
            if (reader.isCharacters() && element != "style")
                text += reader.text().toString() + " ";
            if (reader.isEndElement())
                element.clear();
        }
        if (reader.hasError())
            fault = reader.errorString() + QString(" in line %1").arg(reader.lineNumber());
    }
};

} // namespace

class ScoreboardHtmlTest : public QObject
{
    Q_OBJECT

private slots:
    void isWellFormedAndNamesEveryTableOnce()
    {
        const Page page(sample());
        QVERIFY2(page.fault.isEmpty(), qPrintable(page.fault));
        for (const char* name :
             {"vtrain_megatron_deepspeed_single_node", "another <table>", "without rows"})
            QCOMPARE(page.titles.count(QString(name)), 1);
        QCOMPARE(page.ids.size(), 3);
        for (const QString& link : page.links)
            QVERIFY2(page.ids.contains(link.mid(1)), qPrintable(link));
    }

    void reasonsAreShownAndEscaped()
    {
        const Page page(sample());
QVERIFY(page.html.contains("iter_time_ms is &quot;&lt;b&gt;&amp;quick&lt;/b&gt;"));
        QVERIFY(!page.html.contains("<b>&"));
        QVERIFY(page.text.contains("calib & co"));
        QVERIFY(page.text.contains("megatron-deepspeed"));
    }

    void needsNothingElse()
    {
        const Page page(sample());
        for (const char* word : {"<script", "src=", "href=\"http", "@import", "url(http", "<link"})
            QVERIFY2(!page.html.contains(word), word);
        QVERIFY(page.html.contains("prefers-color-scheme:dark"));
        QVERIFY(page.html.contains("@media print"));
    }

    void limitsAreShownWhereThereAreSome()
    {
        const Page page(sample());
        QVERIFY(page.text.contains("limit 8"));
        QVERIFY(page.text.contains("no limit set"));
    }

    void anEmptyBoardIsAPage()
    {
        const Page page(Scoreboard{});
        QVERIFY2(page.fault.isEmpty(), qPrintable(page.fault));
        QVERIFY(page.text.contains("No table was scored."));
    }

    void totalsWeighValues()
    {
        const Scoreboard board = sample();
        const ScoreTotal total = totalOf(board);
        QCOMPARE(total.rows, 3);
        QCOMPARE(total.skipped, 1);
        const double expected =
            (2 * board.tables[0].model.error.mean + board.tables[1].model.error.mean) / 3;
        QVERIFY(std::abs(total.model.error.mean - expected) < 1e-12);
        QCOMPARE(total.limits, 1);
    }

    void picturesKeepTheirItemsInside()
    {
        const Scoreboard board = sample();
        const DisplayList list = drawScatter(board.tables[0], Quantity::StepSeconds, 300, 240);
        int dots = 0;
        for (const DisplayItem& item : list.items) {
            if (const auto* dot = std::get_if<FillRect>(&item)) {
                ++dots;
                QVERIFY(dot->x >= 0 && dot->x + dot->width <= list.width);
                QVERIFY(dot->y >= 0 && dot->y + dot->height <= list.height);
            }
        }
        QCOMPARE(dots, 2);
        const DisplayList empty = drawScatter(board.tables[2], Quantity::StepSeconds, 300, 240);
        QCOMPARE(empty.items.size(), std::size_t(1));
    }
};

QTEST_APPLESS_MAIN(ScoreboardHtmlTest)
#include "scoreboard_html_test.moc"
