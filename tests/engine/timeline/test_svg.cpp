#include <QtTest>

#include "engine/timeline/number_text.h"
#include "engine/timeline/svg_writer.h"

#include <QXmlStreamReader>
#include <clocale>
#include <cmath>

using namespace triaxis;

namespace
{

/// Elements of well-formed XML by name; an empty list and a test failure otherwise.
QStringList elementsOf(const std::string& xml)
{
    QXmlStreamReader reader(QString::fromStdString(xml));
    QStringList names;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement)
            names.append(reader.name().toString());
    }
    if (reader.hasError()) {
        qWarning("%s", qPrintable(reader.errorString()));
        return {};
    }
    return names;
}

DisplayList sample()
{
    DisplayList list;
    list.width = 200;
    list.height = 100;
    list.items.emplace_back(FillRect{1.5, 2.25, 10.123456, 18, Ink::Forward, 2});
    list.items.emplace_back(FillRect{20, 2, 30, 8, Ink::Wait, 0, true});
    list.items.emplace_back(StrokeLine{0, 50, 200, 50, Ink::Line, 1, true});
    list.items.emplace_back(
        DrawText{5, 10, "a < b & \"c\"", Ink::Forward, 10, Align::Centre, true, true});
    list.items.emplace_back(Polyline{{{0, 0}, {1, 1}, {2.5, 3.25}}, Ink::Accent});
    return list;
}

} // namespace

class TestSvg : public QObject
{
    Q_OBJECT

private slots:
    void pictureIsWellFormedAndSelfContained()
    {
        const std::string svg = toSvg(sample(), lightPalette());
        const QStringList elements = elementsOf(svg);
        QCOMPARE(elements.count("rect"), 5); // background, two of the pattern, two fills
        QCOMPARE(elements.count("pattern"), 1);
        QCOMPARE(elements.count("text"), 1);
        QCOMPARE(elements.count("polyline"), 1);
        const QString text = QString::fromStdString(svg);
        QVERIFY(text.contains("fill=\"#0072B2\""));
        QVERIFY(text.contains("width=\"10.12\""));
        QVERIFY(text.contains("a &lt; b &amp; &quot;c&quot;"));
        QVERIFY(text.contains("points=\"0,0 1,1 2.5,3.25\""));
        QVERIFY(!text.contains("href"));
        QCOMPARE(text.count("http"), 1); // the name of the format
    }

    void labelsTakeTheColourThatReads()
    {
        QVERIFY(
            QString::fromStdString(toSvg(sample(), lightPalette())).contains("fill=\"#FFFFFF\">a"));
        QVERIFY(
            QString::fromStdString(toSvg(sample(), darkPalette())).contains("fill=\"#0B0F14\">a"));
    }

    void classesHaveRulesInBothThemes()
    {
        ClassPaint paint;
        DisplayList list = sample();
        list.items.emplace_back(FillRect{0, 0, 1, 1, Ink::Accent, 0, false, 0.25});
        list.items.emplace_back(
            DrawText{0, 0, "x", Ink::Accent, 10, Align::Left, false, true, 0.25});
        const QString svg = QString::fromStdString(svgOf(list, paint, "A \"title\""));
        QVERIFY(!svg.contains("#0072B2"));
        QVERIFY(svg.contains("aria-label=\"A &quot;title&quot;\""));
        const QRegularExpression use("class=\"([^\"]+)\"");
        int uses = 0;
        for (auto match = use.globalMatch(svg); match.hasNext(); ++uses) {
            const QString rule = "." + match.next().captured(1) + "{";
            for (const Palette* palette : {&lightPalette(), &darkPalette(), &highContrastPalette()})
                QVERIFY2(QString::fromStdString(paint.rules(*palette)).contains(rule),
                         qPrintable(rule));
        }
        QVERIFY(uses > 6);
    }

    void picturesOfOnePageHaveTheirOwnPatterns()
    {
        ClassPaint paint;
        const std::string first = svgOf(sample(), paint);
        paint.nextPicture();
        const std::string second = svgOf(sample(), paint);
        QVERIFY(first != second);
        QVERIFY(QString::fromStdString(second).contains("url(#t1hatch"));
    }

    void anyTextBecomesXml()
    {
        QCOMPARE(escapedXml("<script>&'\""), "&lt;script&gt;&amp;&#39;&quot;");
        QCOMPARE(escapedXml("dp0 · größe — 𝛽"), "dp0 · größe — 𝛽");
        QCOMPARE(escapedXml(std::string("a\0b\x1b[0m\tc\n", 10)), "ab[0m\tc\n");
        QCOMPARE(escapedXml("\xff\xc3("), "\uFFFD\uFFFD(");
        QCOMPARE(escapedXml("\xc0\xaf"), "\uFFFD\uFFFD");           // overlong '/'
        QCOMPARE(escapedXml("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD"); // a surrogate
        QCOMPARE(escapedXml("end \xe2\x82"), "end \uFFFD\uFFFD");
        for (int byte = 0; byte < 256; ++byte) {
            const std::string text = "x" + std::string(1, char(byte)) + "y";
            QCOMPARE(elementsOf("<a>" + escapedXml(text) + "</a>").size(), 1);
        }
    }

    void numbersAreTheSameInAnyLocale()
    {
        const std::string saved = std::setlocale(LC_ALL, nullptr);
        // Where no comma locale is installed this compares the C locale with itself.
        for (const char* name : {"C", "de_DE.UTF-8", "fr_FR.UTF-8"}) {
            std::setlocale(LC_ALL, name);
            const std::string fixed = fixedText(1234.5678, 3);
            const std::string brief = shortText(0.5, 4);
            const std::string exact = exactText(0.1);
            std::setlocale(LC_ALL, saved.c_str());
            QCOMPARE(fixed, "1234.568");
            QCOMPARE(brief, "0.5");
            QCOMPARE(exact, "0.1");
        }
        QCOMPARE(shortText(-0.0001, 2), "0");
        QCOMPARE(shortText(100, 2), "100");
        QCOMPARE(fixedText(1e300, 2).size(), std::size_t(304));
        QCOMPARE(exactText(std::nan("")), "nan");
    }
};

QTEST_APPLESS_MAIN(TestSvg)
#include "test_svg.moc"
