#include <QtTest>

#include "engine/record/demo_plan.h"
#include "ui/plan/notice_list.h"
#include "ui/plan/schedule_panel.h"
#include "ui/theme/theme.h"
#include "ui/widgets/display_list_view.h"
#include "ui/widgets/lane_view.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

DisplayList boxes(Ink ink, int count = 1)
{
    DisplayList list;
    list.width = 300;
    list.height = 40.0 * count;
    for (int i = 0; i < count; ++i)
        list.items.emplace_back(FillRect{10, 40.0 * i + 5, 280, 30, ink});
    return list;
}

Span work(int step, double begin, double end)
{
    Span span;
    span.step = step;
    span.id = InstructionId(Kind::Forward, Chunk(0), Microbatch(0));
    span.ready = span.begin = begin;
    span.end = end;
    return span;
}

Diagnostic finding(const char* what)
{
    Diagnostic found;
    found.severity = Severity::Error;
    found.what = what;
    found.mend = "use another";
    return found;
}

DrawnMend mendTo(int globalBatch)
{
    DrawnMend mend;
    mend.change = QStringLiteral("tensor parallel size 3 → 4");
    mend.plan.run.training.batch.globalBatch = globalBatch;
    return mend;
}

} // namespace

/// What is kept from one frame to the next shows what is, not what was.
class KeptPicturesTest : public QObject
{
    Q_OBJECT

private slots:
    void listIsPaintedAnewWhenItChanges()
    {
        DisplayListView view;
        view.setList(boxes(Ink::Forward));
        view.show();
        const QPoint inside(100, 20);
        QCOMPARE(view.grab().toImage().pixelColor(inside), lightTheme().ink(Ink::Forward));
        QCOMPARE(view.grab().toImage().pixelColor(inside), lightTheme().ink(Ink::Forward));
        view.setList(boxes(Ink::Backward));
        QCOMPARE(view.grab().toImage().pixelColor(inside), lightTheme().ink(Ink::Backward));
        view.setPalette(paletteOf(darkTheme()));
        const QImage dark = view.grab().toImage();
        QCOMPARE(dark.pixelColor(inside), darkTheme().ink(Ink::Backward));
        QCOMPARE(dark.pixelColor(2, 2), darkTheme().panel);
    }

    void listIsPaintedWhereItIsScrolledTo()
    {
        auto* view = new DisplayListView;
        view->setList(boxes(Ink::Forward, 60));
        QScrollArea area;
        area.setWidget(view);
        area.resize(320, 200);
        area.show();
        for (const int box : {0, 1, 30, 57, 2}) {
            area.ensureVisible(100, 40 * box + 20, 0, 90);
            const QPoint middle = view->mapTo(&area, QPoint(100, 40 * box + 20));
            const QImage shown = area.grab().toImage();
            QCOMPARE(shown.pixelColor(middle), lightTheme().ink(Ink::Forward));
            QCOMPARE(shown.pixelColor(middle + QPoint(0, 18)), lightTheme().panel);
        }
    }

    void timelineIsPaintedAnewWhenItGrows()
    {
        auto lanes = std::make_shared<Lanes>(Layout{});
        lanes->append({work(1, 0, 1), work(1, 3, 4)});
        LaneView view;
        view.resize(900, 300);
        view.setLanes(lanes);
        view.show();
        view.showWindow({0, 4});
        const QRectF lane = view.laneRect(0, false);
        const auto colourAt = [&](double time) {
            return view.grab().toImage().pixelColor(
                QPointF(view.mapping().x(time), lane.bottom() - 3).toPoint());
        };
        const Theme& theme = lightTheme();
        QCOMPARE(colourAt(0.4), theme.ink(Ink::Forward));
        QCOMPARE(colourAt(2), theme.ink(Ink::Idle));
        lanes->append({work(2, 6, 7)});
        view.lanesGrown();
        view.showWindow({0, 7});
        QCOMPARE(colourAt(6.4), theme.ink(Ink::Forward));
        view.showWindow({2, 5});
        QCOMPARE(colourAt(2.5), theme.ink(Ink::Idle));
        QCOMPARE(colourAt(3.4), theme.ink(Ink::Forward));
    }

    void scheduleIsDrawnAnewWhenItChanges()
    {
        RunPlan plan = demoPlan();
        SchedulePanel panel;
        panel.resize(900, 260);
        panel.show();
        panel.showPlan(plan);
        auto* picture = panel.findChild<DisplayListView*>();
        QVERIFY(picture != nullptr);
        const std::size_t before = picture->list().items.size();
        QVERIFY(before > 0);
        plan.label = "another";
        panel.showPlan(plan);
        QCOMPARE(picture->list().items.size(), before);
        plan.training.batch.globalBatch *= 2;
        panel.showPlan(plan);
        QVERIFY(picture->list().items.size() > before);
        plan.training.batch.globalBatch = plan.training.batch.globalBatch / 2;
        plan.training.schedule = "gpipe";
        panel.showPlan(plan);
        const auto labels = panel.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [](const QLabel* label) { return label->text().contains("GPipe"); }));
    }

    void mendIsOfTheNewestPlan()
    {
        NoticeList list;
        QSignalSpy asked(&list, &NoticeList::mendRequested);
        list.setNotices({{finding("heads do not divide"), {mendTo(8)}}}, "sound", "fine");
        list.setNotices({{finding("heads do not divide"), {mendTo(16)}}}, "sound", "fine");
        const auto buttons = list.findChildren<QPushButton*>();
        QCOMPARE(buttons.size(), 1);
        buttons.front()->click();
        QCOMPARE(asked.count(), 1);
        const auto mend = asked.front().front().value<DrawnMend>();
        QCOMPARE(mend.plan.run.training.batch.globalBatch, 16);
    }

    void cardsSayWhatIsFoundNow()
    {
        NoticeList list;
        list.resize(260, 400);
        list.show();
        const auto said = [&] {
            QStringList titles;
            for (const auto* card : list.findChildren<NoticeCard*>())
                if (card->isVisible())
                    titles << card->accessibleName();
            return titles;
        };
        list.setNotices({}, "This plan is sound", "8 ranks");
        QTRY_COMPARE(said(), QStringList{"This plan is sound"});
        list.setNotices({{finding("one"), {mendTo(1), mendTo(2)}}, {finding("two"), {}}}, "sound",
                        "fine");
        QTRY_COMPARE(said(), (QStringList{"One", "Two"}));
        QCOMPARE(list.findChildren<QPushButton*>().size(), 2);
        QCOMPARE(list.findChildren<QPushButton*>().front()->text(), mendTo(1).change);
        list.setNotices({{finding("three"), {mendTo(3)}}}, "sound", "fine");
        QTRY_COMPARE(said(), QStringList{"Three"});
        QTRY_COMPARE(list.findChildren<QPushButton*>().size(), 1);
        QCOMPARE(list.findChildren<QPushButton*>().front()->text(), QString("Mend"));
    }
};

QTEST_MAIN(KeptPicturesTest)
#include "kept_pictures_test.moc"
