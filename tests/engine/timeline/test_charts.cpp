#include <QtTest>

#include "engine/timeline/charts.h"
#include "engine/timeline/said_picture.h"
#include "engine/timeline/steady_step.h"
#include "tests/engine/timeline/played_run.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

template <class Item>
std::vector<Item> itemsOf(const DisplayList& list)
{
    std::vector<Item> items;
    for (const DisplayItem& item : list.items) {
        if (const auto* found = std::get_if<Item>(&item))
            items.push_back(*found);
    }
    return items;
}

bool hasText(const DisplayList& list, const std::string& wanted)
{
    for (const DrawText& text : itemsOf<DrawText>(list)) {
        if (text.text == wanted)
            return true;
    }
    return false;
}

struct Box
{
    double left, top, right, bottom;
};

Box boxOf(const DrawText& text)
{
    const double width = textWidth(text.text, text.size, text.bold);
    const double left = text.align == Align::Left    ? text.x
                        : text.align == Align::Right ? text.x - width
                                                     : text.x - width / 2;
    return {left, text.y - text.size / 2, left + width, text.y + text.size / 2};
}

/// Everything lies in the picture, and no text on another.
void verifyTidy(const DisplayList& list)
{
    std::vector<Box> texts;
    for (const DrawText& text : itemsOf<DrawText>(list)) {
        const Box box = boxOf(text);
        QVERIFY2(box.left >= -1 && box.right <= list.width + 1 && box.top >= -1 &&
                     box.bottom <= list.height + 1,
                 text.text.c_str());
        for (const Box& other : texts)
            QVERIFY2(box.left >= other.right || box.right <= other.left ||
                         box.top >= other.bottom || box.bottom <= other.top,
                     text.text.c_str());
        texts.push_back(box);
    }
    for (const FillRect& rect : itemsOf<FillRect>(list))
        QVERIFY(rect.x >= -0.01 && rect.x + rect.width <= list.width + 0.01 && rect.y >= -0.01 &&
                rect.y + rect.height <= list.height + 0.01);
    for (const Polyline& line : itemsOf<Polyline>(list)) {
        for (const auto& [x, y] : line.points)
            QVERIFY(x >= 0 && x <= list.width && y >= 0 && y <= list.height);
    }
}

StepShares sampleShares(const RunPlan& plan)
{
    Durations durations;
    durations.jitter = 0.2;
    return stepShares(playRun(plan, 1, durations).all.spans, plan.layout);
}

std::vector<MemoryCell> cellsOf(int dp, int tp, int pp)
{
    Layout layout;
    layout.dp = dp;
    layout.tp = tp;
    layout.pp = pp;
    std::vector<MemoryCell> cells;
    for (int r = 0; r < layout.ranks(); ++r)
        cells.push_back({Rank(r), coordinatesOf(layout, Rank(r)), std::int64_t(200 + r) << 20});
    return cells;
}

} // namespace

class TestCharts : public QObject
{
    Q_OBJECT

private slots:
    void bubbleRowsAreSharesOfTheStep()
    {
        const RunPlan plan = smallPlan(2, 2, 4, 8);
        const auto rows = bubbleRows(sampleShares(plan), plan.layout, 0.25);
        QCOMPARE(rows.size(), std::size_t(4));
        for (const BubbleRow& row : rows) {
            QVERIFY(std::abs(row.share.window() - 1) < 1e-9);
            QCOMPARE(row.closedForm, 0.25);
            QVERIFY(row.measured > 0.2 && row.measured < 0.5);
        }
        QCOMPARE(rows[0].share.warmUp, 0.0);
        QVERIFY(rows[3].share.warmUp > rows[1].share.warmUp);
    }

    void bubbleBarsShowEveryPartToScale()
    {
        const RunPlan plan = smallPlan(1, 2, 4, 8);
        const auto rows = bubbleRows(sampleShares(plan), plan.layout, 3.0 / 11);
        const DisplayList list = drawBubbleBars(rows, 500);
        verifyTidy(list);
        double scale = 0;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const double middle = 14 + 28 * double(r);
            double width = 0;
            for (const FillRect& rect : itemsOf<FillRect>(list)) {
                if (std::abs(rect.y + rect.height / 2 - middle) < 1)
                    width += rect.width;
            }
            const double share = 1 - rows[r].share.compute;
            scale = scale > 0 ? scale : width / share;
            QVERIFY(std::abs(width - share * scale) < 1e-6);
        }
        QVERIFY(hasText(list, "stage 3"));
        QVERIFY(hasText(list, "cool-down"));
        QVERIFY(hasText(list, "tensor transfer"));
    }

    void bubbleFiguresStandBesideTheClosedForm()
    {
        BubbleRow row;
        row.name = "stage 0";
        row.share.compute = 0.8;
        row.share.warmUp = 0.2;
        row.measured = 0.194;
        row.closedForm = 0.2;
        QVERIFY(hasText(drawBubbleBars({row}, 300), "19.4\u202f% | 20.0\u202f%"));
        row.closedForm = std::nan("");
        QVERIFY(hasText(drawBubbleBars({row}, 300), "19.4\u202f% | –"));
        row.share = {};
        QVERIFY(!drawBubbleBars({row}, 300).items.empty());
        QVERIFY(hasText(drawBubbleBars({}, 300), "No spans of a whole step recorded"));
    }

    void legendNamesWhatIsPainted()
    {
        const RunPlan plan = smallPlan(2, 1, 2, 4);
        Lanes lanes(plan.layout);
        lanes.append(playRun(plan, 1, {}).all.spans);
        const auto all = categoriesIn(lanes, lanes.begin(), lanes.end());
        const std::vector<Category> expected{
            Category::Forward,   Category::Backward, Category::Pipeline, Category::Data,
            Category::Optimizer, Category::Wait,     Category::Idle};
        QVERIFY(all == expected);
        const auto compute = categoriesIn(lanes, lanes.begin(), lanes.end(), false);
        QVERIFY(std::find(compute.begin(), compute.end(), Category::Pipeline) == compute.end());
        for (const double width : {900.0, 300.0, 120.0}) {
            const DisplayList list = drawLegend(all, width);
            QVERIFY(hasText(list, "forward"));
            QVERIFY(hasText(list, "numbers: microbatch, counted from 0"));
            if (width > 250)
                verifyTidy(list);
        }
        QVERIFY(drawLegend(all, 300).height > drawLegend(all, 900).height);
        QVERIFY(!hasText(drawLegend({Category::Idle}, 900), "numbers: microbatch, counted from 0"));
    }

    void memoryMapHasOneCellForEachRank_data()
    {
        QTest::addColumn<int>("dp");
        QTest::addColumn<int>("tp");
        QTest::addColumn<int>("pp");
        QTest::addColumn<double>("width");
        for (const double width : {300.0, 572.0, 1190.0}) {
            for (const auto& [dp, tp, pp] : {std::tuple(1, 1, 1),
                                             {2, 2, 2},
                                             {1, 1, 16},
                                             {16, 2, 1},
                                             {4, 4, 4},
                                             {8, 8, 8},
                                             {64, 1, 2}})
                QTest::addRow("%dx%dx%d in %g", dp, tp, pp, width) << dp << tp << pp << width;
        }
    }

    void memoryMapHasOneCellForEachRank()
    {
        QFETCH(int, dp);
        QFETCH(int, tp);
        QFETCH(int, pp);
        QFETCH(double, width);
        const DisplayList list = drawMemoryMap(cellsOf(dp, tp, pp), width);
        verifyTidy(list);
        const auto cells = itemsOf<FillRect>(list);
        QCOMPARE(int(cells.size()), dp * tp * pp);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(cells[i].x >= cells[j].x + cells[j].width - 1e-6 ||
                        cells[j].x >= cells[i].x + cells[i].width - 1e-6 ||
                        std::abs(cells[i].y - cells[j].y) >= cells[i].height);
        }
        for (const Palette* palette : {&lightPalette(), &darkPalette(), &highContrastPalette()}) {
            for (const DrawText& text : itemsOf<DrawText>(list)) {
                if (text.contrast)
                    QVERIFY(contrastRatio(colourOf(text, *palette),
                                          blend(*palette, text.ink, text.opacity)) >= 4.5);
            }
        }
    }

    void fullerRanksAreDarker()
    {
        auto cells = cellsOf(4, 1, 1);
        cells[2].bytes = std::int64_t(900) << 20;
        const auto rects = itemsOf<FillRect>(drawMemoryMap(cells, 500));
        QCOMPARE(rects[2].opacity, 1.0);
        QVERIFY(rects[0].opacity < rects[1].opacity);
        QVERIFY(rects[1].opacity < 0.3);
        QVERIFY(hasText(drawMemoryMap({}, 500), "No memory samples recorded"));
        cells.resize(1);
        cells[0].bytes = 0;
        QVERIFY(!drawMemoryMap(cells, 500).items.empty());
    }

    void lineChartHasGapsWhereValuesAreNotFinite()
    {
        LineChart chart;
        for (int step = 1; step <= 20; ++step)
            chart.points.emplace_back(step, step == 8    ? std::nan("")
                                            : step == 14 ? INFINITY
                                                         : 5.0 / step);
        chart.reference = 0.2;
        chart.referenceName = "best reachable 0.2";
        chart.xName = "step";
        chart.yName = "nats per token";
        const DisplayList list = drawLineChart(chart, 500, 240);
        verifyTidy(list);
        QCOMPARE(itemsOf<Polyline>(list).size(), std::size_t(3));
        int dashed = 0;
        for (const StrokeLine& line : itemsOf<StrokeLine>(list))
            dashed += line.dashed;
        QCOMPARE(dashed, 1);
        QVERIFY(hasText(list, "best reachable 0.2"));
        QVERIFY(hasText(list, "20"));
    }

    void lineChartOfManyStepsStaysSmall()
    {
        LineChart chart;
        double highest = 1e9;
        for (int step = 1; step <= 100000; ++step)
            chart.points.emplace_back(step, 3 + std::sin(step * 0.37) + (step == 54321 ? 4 : 0));
        const auto lines = itemsOf<Polyline>(drawLineChart(chart, 600, 240));
        QCOMPARE(lines.size(), std::size_t(1));
        QVERIFY(lines[0].points.size() < 2500);
        for (const auto& [x, y] : lines[0].points)
            highest = std::min(highest, y);
        QVERIFY(highest < 40); // the single peak is kept
    }

    /// Times that differ in their last bits are one time: their ticks have few digits.
    void lineChartOfValuesThatHardlyDifferHasShortTicks()
    {
        LineChart chart;
        for (int step = 0; step < 5; ++step)
            chart.points.emplace_back(step, 0.1765 + 1e-15 * (step % 3));
        for (const DrawText& text : itemsOf<DrawText>(drawLineChart(chart, 500, 240)))
            QVERIFY2(text.text.size() <= 7, text.text.c_str());
    }

    /// In a language of longer words.
    void aLegendThatIsSaidAnewKeepsItsNamesApart()
    {
        const std::vector<Category> categories{Category::Forward, Category::Backward,
                                               Category::Pipeline, Category::Data, Category::Wait};
        DisplayList list = drawLegend(categories, 600);
        const double before = list.height;
        list.items.emplace_back(DrawText{0, before + 9, "beneath", Ink::Text, 12, Align::Left});
        list.height += 18;
        const std::size_t items = list.items.size();
        sayPicture(list, [](const std::string& text) { return text + " " + text; });
        QCOMPARE(list.items.size(), items);
        QVERIFY(list.height > before + 18);
        verifyTidy(list);
        const auto texts = itemsOf<DrawText>(list);
        QCOMPARE(texts.back().text, "beneath beneath");
        QCOMPARE(texts.back().y, list.height - 9);
        for (std::size_t i = 1; i + 1 < texts.size(); ++i)
            QVERIFY(texts[i].y > texts[i - 1].y ||
                    texts[i].x > texts[i - 1].x + textWidth(texts[i - 1].text, 11));
    }

    void curvesOnEachOtherShareTheirLine()
    {
        LineChart chart;
        for (const char* name : {"A", "B", "C", "D"})
            chart.curves.push_back({name, {}});
        for (int step = 1; step <= 40; ++step) {
            const double loss = 5 + 20.0 / step;
            chart.curves[0].points.emplace_back(step, loss);
            chart.curves[1].points.emplace_back(step, loss + 1e-7);
            chart.curves[2].points.emplace_back(step, loss - 3);
            if (step <= 20)
                chart.curves[3].points.emplace_back(step, loss);
        }
        std::map<Ink, double> width;
        for (const Polyline& line : itemsOf<Polyline>(drawLineChart(chart, 600, 240)))
            width[line.ink] += line.points.back().first - line.points.front().first;
        const double whole = width[curveStyle(0).ink];
        QCOMPARE(width[curveStyle(2).ink], whole);
        const auto isShare = [&](std::size_t curve, double share) {
            return std::abs(width[curveStyle(curve).ink] / whole - share) < 0.05;
        };
        QVERIFY(isShare(1, 1.0 / 3));
        QVERIFY(isShare(3, 1.0 / 6)); // half as long
        verifyTidy(drawLineChart(chart, 600, 240));

        for (Curve& curve : chart.curves)
            curve.points.resize(1);
        chart.curves[1].points = chart.curves[0].points;
        std::vector<double> dots;
        for (const FillRect& dot : itemsOf<FillRect>(drawLineChart(chart, 600, 240)))
            if (dot.radius == dot.width / 2) // no swatch of the legend
                dots.push_back(dot.width);
        std::sort(dots.begin(), dots.end());
        QCOMPARE(dots, (std::vector<double>{4, 4, 7, 10}));
    }

    void lineChartOfNothingOrOneValue()
    {
        LineChart chart;
        QVERIFY(hasText(drawLineChart(chart, 300, 100), "No values recorded"));
        chart.points.emplace_back(1, std::nan(""));
        QVERIFY(hasText(drawLineChart(chart, 300, 100), "No values recorded"));
        chart.points.emplace_back(2, 3.5);
        const DisplayList list = drawLineChart(chart, 300, 160);
        QVERIFY(itemsOf<FillRect>(list).size() == 1);
        verifyTidy(list);
        chart.points.emplace_back(3, 3.5);
        verifyTidy(drawLineChart(chart, 300, 160));
        chart.points = {{1, 1e12}, {2, -1e12}};
        verifyTidy(drawLineChart(chart, 300, 160));
        chart.points = {{1, 1e-12}, {2, 2e-12}};
        verifyTidy(drawLineChart(chart, 300, 160));
    }

    void steadyStepIsAWholeMedianOne()
    {
        const auto spansOf = [](std::int32_t step, double begin, double seconds, int ranks) {
            std::vector<Span> spans;
            for (int r = 0; r < ranks; ++r) {
                Span s;
                s.step = step;
                s.rank = Rank(r);
                s.begin = begin;
                s.end = begin + seconds;
                spans.push_back(s);
            }
            return spans;
        };
        std::vector<Span> all;
        const auto add = [&](const std::vector<Span>& spans) {
            all.insert(all.end(), spans.begin(), spans.end());
        };
        QCOMPARE(steadyStep(all), -1);
        add(spansOf(1, 0, 9, 2));
        QCOMPARE(steadyStep(all), 1);
        add(spansOf(2, 9, 1, 2));
        add(spansOf(3, 10, 3, 2));
        add(spansOf(4, 13, 2, 2));
        add(spansOf(5, 15, 2.1, 1)); // rank 1 died
        QCOMPARE(steadyStep(all), 4);
        QCOMPARE(spansOfStep(all, 3).size(), std::size_t(2));
    }
};

QTEST_APPLESS_MAIN(TestCharts)
#include "test_charts.moc"
