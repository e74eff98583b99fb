#include <QtTest>

#include "engine/record/run_marks.h"
#include "tests/engine/timeline/played_run.h"
#include "tests/ui/support/gestures.h"
#include "ui/run/predicted_lanes.h"
#include "ui/run/run_data.h"
#include "ui/timeline/key_commands.h"
#include "ui/timeline/minimap.h"
#include "ui/timeline/shortcut_dialog.h"
#include "ui/timeline/span_panel.h"
#include "ui/timeline/timeline_legend.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/lane_statistics.h"
#include "ui/widgets/lane_view.h"

#include <QAction>
#include <QHelpEvent>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>

#include <fstream>

using namespace triaxis;
using namespace triaxis::ui;

class TimelinePanelTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_settings;
    std::unique_ptr<QTemporaryDir> m_directory;
    RunOpening m_opening;
    std::unique_ptr<RunData> m_run;
    std::unique_ptr<ViewRange> m_range;
    std::unique_ptr<TimelinePanel> m_panel;
    LaneView* m_view = nullptr;

    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(m_view, Qt::Key(key), modifiers);
    }
    QString textAt(const QPointF& at)
    {
        QHelpEvent help(QEvent::ToolTip, at.toPoint(),
                        m_view->viewport()->mapToGlobal(at.toPoint()));
        QApplication::sendEvent(m_view->viewport(), &help);
        return QToolTip::text();
    }
    void press(const char* id)
    {
        QAction* action = m_view->findChild<QAction*>(QLatin1String(id));
        QVERIFY2(action, id);
        action->trigger();
    }
    InstructionId focusedId() const
    {
        const SpanPlace place = *m_view->focusedSpan();
        return trackOf(*m_view->lanes(), place).id(place.index);
    }
    void focus(Rank rank, InstructionId id)
    {
        const auto place = findSpan(*m_view->lanes(), rank, 3, id);
        QVERIFY(place);
        m_view->focusSpan(*place);
    }
    static InstructionId instruction(Kind kind, int microbatch)
    {
        return {kind, Chunk(0), Microbatch(microbatch)};
    }

    /// The step again, a little later and longer, as a prediction.
    std::vector<Span> playStepLater(std::int32_t step) const
    {
        const auto [begin, end] = m_run->lanes()->stepRange(step);
        return tests::playStep(programOf(m_opening.plan), m_opening.plan.layout, {.forward = 12e-3},
                               step, begin + 1e-3);
    }

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("triaxis-test"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
    }

    void init()
    {
        QSettings().clear();
        m_directory = std::make_unique<QTemporaryDir>();
        m_opening = {};
        m_opening.directory = m_directory->path().toStdString();
        m_opening.plan = tests::smallPlan(2, 1, 2, 4);
        m_opening.partners =
            std::make_shared<const SpanPartners>(programOf(m_opening.plan), m_opening.plan.layout);
        m_run = std::make_unique<RunData>(m_opening);
        m_range = std::make_unique<ViewRange>();
        m_panel = std::make_unique<TimelinePanel>(*m_range);
        m_view = m_panel->view();
        m_panel->begin(m_run.get(), &m_opening);
        const RunRecords records = tests::playRun(m_opening.plan, 4, {.jitter = 0.2});
        RunUpdate update;
        update.lanes = std::make_shared<Lanes>(m_opening.plan.layout);
        update.lanes->append(records.all.spans);
        update.steps = records.all.steps;
        update.memory = records.all.memory;
        HelloRecord hello;
        hello.rank = Rank(1);
        hello.host = "node1";
        hello.device = "CPU, 1 thread";
        update.hellos.push_back(hello);
        m_run->apply(update);
        m_panel->take(*m_run, update);
        m_panel->resize(1000, 500);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    }

    void cleanup()
    {
        m_panel.reset();
        m_range.reset();
    }

    void everyCommandIsInTheMenuWithItsKeys()
    {
        QStringList found;
        QList<QMenu*> menus{m_panel->menu()};
        while (!menus.isEmpty()) {
            QMenu* menu = menus.takeFirst();
            for (QAction* action : menu->actions()) {
                if (action->menu())
                    menus << action->menu();
                else
                    found << action->objectName();
            }
        }
        for (const KeyCommand& command : keyCommands()) {
            if (!QLatin1String(command.id).startsWith(QLatin1String("timeline.")))
                continue;
            QVERIFY2(found.contains(QLatin1String(command.id)), command.id);
            const QAction* action = m_view->findChild<QAction*>(QLatin1String(command.id));
            QVERIFY(action && action->shortcuts() == command.keys);
        }
    }

    void noTwoCommandsShareAKey()
    {
        for (const KeyCommand& command : keyCommands()) {
            QVERIFY2(!command.keys.isEmpty(), command.id);
            for (const QKeySequence& key : command.keys) {
                QCOMPARE(key.count(), 1);
                QVERIFY(key[0].key() != Qt::Key_unknown);
            }
            QVERIFY2(!conflictOf(QLatin1String(command.id), command.keys), command.id);
        }
    }

    void arrowsWorkBesideLetters()
    {
        m_panel->range().showAll();
        press(Qt::Key_W);
        press(Qt::Key_W);
        const TimeWindow before = m_view->window();
        press(Qt::Key_Left);
        QVERIFY(m_view->window().from < before.from);
        press(Qt::Key_Right);
        QVERIFY(qAbs(m_view->window().from - before.from) < 1e-9);
        press(Qt::Key_Up, Qt::ControlModifier);
        QVERIFY(m_view->window().span() < before.span());
        press(Qt::Key_Down, Qt::ControlModifier);
        QVERIFY(qAbs(m_view->window().span() - before.span()) < 1e-9);
        press(Qt::Key_Left, Qt::AltModifier);
        QVERIFY(m_panel->range().canGoForward());
    }

    void groupsCollapseAndOpen()
    {
        press(Qt::Key_Period);
        press(Qt::Key_G);
        QCOMPARE(m_view->arrangement().collapsed, std::set<int>{0});
        QCOMPARE(m_view->focusedGroup(), std::optional(0));
        QVERIFY(m_view->laneRect(0, false).isEmpty());
        press(Qt::Key_G);
        QVERIFY(m_view->arrangement().collapsed.empty());
        press(Qt::Key_G, Qt::ShiftModifier);
        QCOMPARE(m_view->arrangement().collapsed, (std::set<int>{0, 1}));
        press(Qt::Key_Down);
        QCOMPARE(m_view->focusedGroup(), std::optional(0));
        press(Qt::Key_Down);
        QCOMPARE(m_view->focusedGroup(), std::optional(1));
        QVERIFY(!m_view->grab().isNull());
    }

    void clickOnAGroupsNameCollapsesIt()
    {
        // The heading of the first group lies right beneath the axis.
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, {20, 38});
        QCOMPARE(m_view->arrangement().collapsed, std::set<int>{0});
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, {20, 42});
        QVERIFY(m_view->arrangement().collapsed.empty());
    }

    void lanesArePinnedHiddenAndFiltered()
    {
        focus(Rank(3), instruction(Kind::Forward, 1));
        press(Qt::Key_P);
        QCOMPARE(m_view->arrangement().pinned, std::vector<Rank>{Rank(3)});
        QVERIFY(m_view->laneRect(*m_view->lanes()->laneOf(Rank(3)), false).top() < 40);
        press(Qt::Key_H);
        QVERIFY(m_view->arrangement().hidden.contains(Rank(3)));
        QVERIFY(!m_view->focusedSpan());
        press(Qt::Key_H, Qt::ShiftModifier);
        QVERIFY(m_view->arrangement().hidden.empty());

        QMenu menu;
        m_view->fillFilterMenu(menu);
        QMenu* data = menu.actions().front()->menu();
        QVERIFY(data);
        data->actions().at(1)->trigger();
        QCOMPARE(m_view->arrangement().only[std::size_t(Axis::Data)], std::set<int>{1});
        press(Qt::Key_X);
        QCOMPARE(m_view->arrangement().group, std::optional(Axis::Pipeline));
        press(Qt::Key_X, Qt::ShiftModifier);
        QCOMPARE(m_view->colourBy(), std::optional(Axis::Data));
        press(Qt::Key_T);
        QVERIFY(m_view->areStreamsShown());
        QVERIFY(!m_panel->grab().isNull());
    }

    void theDataIsFollowedByKeys()
    {
        // Of a microbatch whose transfer is not hidden behind another.
        int microbatch = 0;
        for (; microbatch < 4; ++microbatch) {
            focus(Rank(0), instruction(Kind::Forward, microbatch));
            if (m_view->flowsShown().size() == 1)
                break;
        }
        QVERIFY(microbatch < 4);
        const Rank first = m_view->lanes()->ranks()[m_view->focusedSpan()->lane].rank;
        press(Qt::Key_BracketRight);
        QCOMPARE(focusedId().kind(), Kind::SendActivation);
        QCOMPARE(m_view->flowsShown().size(), std::size_t(1));
        press(Qt::Key_BracketRight);
        QCOMPARE(focusedId().kind(), Kind::ReceiveActivation);
        press(Qt::Key_BracketRight);
        QCOMPARE(focusedId(), instruction(Kind::Forward, microbatch));
        QVERIFY(m_view->lanes()->ranks()[m_view->focusedSpan()->lane].rank != first);
        for (int i = 0; i < 3; ++i)
            press(Qt::Key_BracketLeft);
        QCOMPARE(m_view->lanes()->ranks()[m_view->focusedSpan()->lane].rank, first);
    }

    void arrowsAreShownWhileTheyAreFew()
    {
        const auto [begin, end] = m_view->lanes()->stepRange(3);
        m_view->showWindow({begin, end});
        // Two pipelines of two stages, four microbatches there and back; transfers that lie
        // wholly behind others have none.
        const std::size_t flows = m_view->flowsShown().size();
        QVERIFY(flows > 12 && flows <= 16);
        for (const auto& [send, receive] : m_view->flowsShown()) {
            const Track& from = trackOf(*m_view->lanes(), send);
            const Track& to = trackOf(*m_view->lanes(), receive);
            QVERIFY(isSend(from.id(send.index).kind()));
            QVERIFY(isReceive(to.id(receive.index).kind()));
            QCOMPARE(from.id(send.index).microbatch(), to.id(receive.index).microbatch());
        }
        press(Qt::Key_E);
        QVERIFY(m_view->flowsShown().empty());
    }

    void theCriticalPathFollowsTheStep()
    {
        QVERIFY(m_view->path().empty());
        press(Qt::Key_C);
        QVERIFY(m_view->path().size() > 5);
        const auto [begin, end] = m_view->lanes()->stepRange(2);
        m_view->showWindow({begin, end});
        const SpanPlace first = m_view->path().front();
        QCOMPARE(trackOf(*m_view->lanes(), first).step(first.index), 2);
        QVERIFY(!m_view->grab().isNull());
        press(Qt::Key_C);
        QVERIFY(m_view->path().empty());
    }

    void detailsTellWhatTheSpanWaitedFor()
    {
        press(Qt::Key_I);
        QVERIFY(m_panel->areDetailsShown());
        auto* details = m_panel->findChild<SpanPanel*>();
        focus(Rank(0), instruction(Kind::Backward, 0));
        m_view->setPrediction(std::make_shared<const Lanes>(*m_view->lanes()));
        const QString text = details->text();
        for (const char* wanted : {"rank: 0", "step: 3", "microbatch: 0",
                                   "duration:", "work:", "rate:", "predicted:", "began:"})
            QVERIFY2(text.contains(QLatin1String(wanted)), qPrintable(text));
        // The first backward of the first stage waits for the gradient of the last.
        QVERIFY2(text.contains(QStringLiteral("waited for: send gradient of microbatch 0")),
                 qPrintable(text));
        auto* cause = details->findChild<QAbstractButton*>(QStringLiteral("goToCause"));
        QVERIFY(cause && !cause->isHidden());
        cause->click();
        QCOMPARE(focusedId().kind(), Kind::SendGradient);
        QVERIFY(details->text().contains(QStringLiteral("bytes:")));
        QVERIFY(details->text().contains(QStringLiteral("transferred:")));
    }

    void searchWalksThroughMatches()
    {
        press(Qt::Key_Slash);
        auto* edit = m_panel->findChild<QLineEdit*>(QStringLiteral("spanSearch"));
        QVERIFY(edit && !edit->isHidden());
        m_panel->search(QStringLiteral("forward #1 step 3"));
        QCOMPARE(focusedId(), instruction(Kind::Forward, 1));
        const SpanPlace first = *m_view->focusedSpan();
        press(Qt::Key_N);
        QVERIFY(*m_view->focusedSpan() != first);
        press(Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(*m_view->focusedSpan(), first);
    }

    void marksAreKeptInTheRunDirectory()
    {
        const auto [begin, end] = m_view->lanes()->stepRange(3);
        m_panel->range().select(TimeWindow{begin, end});
        m_panel->marks().add({{begin, end}, QStringLiteral("the slow “step”")});
        m_panel->marks().add({{0, 0}, QStringLiteral("start")});
        auto kept = readMarks(m_opening.directory);
        QCOMPARE(kept.size(), std::size_t(2));
        QCOMPARE(kept[0].note, std::string("start"));
        QCOMPARE(kept[1].from, begin);
        press("timeline.previousMark");
        QCOMPARE(m_panel->range().cursor(), std::optional(begin));
        press("timeline.previousMark");
        QCOMPARE(m_panel->range().cursor(), std::optional(m_view->lanes()->begin()));
        m_panel->marks().setNote(0, QStringLiteral("begin"));
        m_panel->marks().remove(1);
        kept = readMarks(m_opening.directory);
        QCOMPARE(kept.size(), std::size_t(1));
        QCOMPARE(kept[0].note, std::string("begin"));
        QVERIFY(!m_view->grab().isNull());
    }

    void aMarkIsAddedByKeyAndGetsItsNote()
    {
        focus(Rank(1), instruction(Kind::Forward, 2));
        press(Qt::Key_R);
        QVERIFY(m_panel->range().selection());
        press(Qt::Key_M);
        auto* dialog = m_panel->findChild<QInputDialog*>(QStringLiteral("markNote"));
        QVERIFY(dialog);
        dialog->setTextValue(QStringLiteral("here"));
        dialog->accept();
        const auto kept = readMarks(m_opening.directory);
        QCOMPARE(kept.size(), std::size_t(1));
        QCOMPARE(kept[0].note, std::string("here"));
        QCOMPARE(kept[0].from, m_panel->range().selection()->from);
    }

    void aDamagedFileOfMarksIsToldAndLeftAsItIs()
    {
        const auto file = m_opening.directory / "marks.json";
        for (const char* content :
             {"{ \"version\": 1, \"marks\": [", "{\"version\": 7, \"marks\": []}",
              "{\"version\": 1, \"marks\": [{\"from\": \"x\"}]}"}) {
            std::ofstream(file) << content;
            QSignalSpy problems(m_panel.get(), &TimelinePanel::problem);
            m_panel->marks().open(m_opening.directory);
            QCOMPARE(problems.count(), 1);
            QVERIFY(problems.first().at(1).toString().contains(QStringLiteral("marks.json")));
            m_panel->marks().add({{0, 1}, QStringLiteral("lost?")});
            QCOMPARE(problems.count(), 2);
            std::ifstream in(file);
            QCOMPARE(std::string(std::istreambuf_iterator<char>(in), {}), std::string(content));
        }
    }

    void theMapShowsAndMovesTheWindow()
    {
        auto* map = m_panel->findChild<Minimap*>();
        const auto [begin, end] = m_view->lanes()->stepRange(2);
        m_view->showWindow({begin, end});
        const QRectF box = map->windowRect();
        QVERIFY(box.width() > 20 && box.width() < map->width() / 2);
        const QPoint middle = box.center().toPoint();
        tests::drag(map, middle, middle + QPoint(60, 0));
        QVERIFY(m_view->window().from > begin);
        QVERIFY(qAbs(m_view->window().span() - (end - begin)) < 1e-9);
        const double span = m_view->window().span();
        const QRectF moved = map->windowRect();
        tests::drag(map, QPoint(int(moved.right()) - 1, 10), QPoint(int(moved.right()) + 30, 10));
        QVERIFY(m_view->window().span() > span);
        QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(int(map->width()) - 5, 10));
        QVERIFY(m_view->window().to > m_view->lanes()->stepRange(4).first);
        QTest::keyClick(map, Qt::Key_Home);
        QCOMPARE(m_view->window().from, m_view->lanes()->begin());
        press("timeline.minimap");
        QVERIFY(!m_panel->isMapShown());
    }

    void curvesReadAtTheMoment()
    {
        press(Qt::Key_K);
        QVERIFY(m_panel->areCountersShown());
        auto* counters = m_panel->findChild<CounterStrip*>();
        QCOMPARE(counters->curves().size(), std::size_t(3));
        focus(Rank(2), instruction(Kind::Forward, 0));
        QCOMPARE(counters->curves()[0].name, QStringLiteral("memory of rank 2"));
        QVERIFY(!counters->curves()[1].points.empty());
        QVERIFY(!counters->curves()[2].points.empty());
        m_view->showWindow({m_view->lanes()->begin(), m_view->lanes()->end()});
        press(Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(m_panel->range().cursor());
        m_panel->range().setCursor(m_view->lanes()->begin() - 1);
        const CounterStrip::Curve steps{QStringLiteral("x"), {{1, 10}, {2, 20}}, {}};
        QVERIFY(std::isnan(CounterStrip::valueAt(steps, 0.5)));
        QCOMPARE(CounterStrip::valueAt(steps, 1.5), 10.0);
        QCOMPARE(CounterStrip::valueAt(steps, 99), 20.0);
        QVERIFY(!m_panel->grab().isNull());
    }

    void draggingOnTheAxisScrubs()
    {
        const TimeMapping map = m_view->mapping();
        tests::drag(m_view->viewport(), {300, 8}, {500, 8});
        QVERIFY(m_panel->range().cursor());
        QVERIFY(qAbs(*m_panel->range().cursor() - map.time(500)) < 1e-9);
        QVERIFY(!m_panel->range().selection());
    }

    void namesGetWiderByDragging()
    {
        const double left = m_view->mapping().left;
        tests::drag(m_view->viewport(), {int(left), 100}, {int(left) + 80, 100});
        QVERIFY(m_view->headerWidth() > 200);
        QCOMPARE(m_view->mapping().left, left + 80);
    }

    void theLanesOfARunStayAsTheyWereArranged()
    {
        focus(Rank(3), instruction(Kind::Forward, 1));
        press(Qt::Key_P);
        press(Qt::Key_X); // by stage
        LaneArrangement wanted = m_view->arrangement();
        wanted.toggleOnly(Axis::Data, 1);
        wanted.toggleCollapsed(1);
        wanted.hidden.insert(Rank(2));
        m_view->setArrangement(wanted);
        m_view->setColourBy(Axis::Data);
        press(Qt::Key_T);
        m_panel.reset(); // as when the window closes
        m_panel = std::make_unique<TimelinePanel>(*m_range);
        m_view = m_panel->view();
        m_panel->begin(m_run.get(), &m_opening);
        QVERIFY(m_view->arrangement() == wanted);
        QCOMPARE(m_view->colourBy(), std::optional(Axis::Data));
        QVERIFY(m_view->areStreamsShown());

        // Another run is nobody's yet: only the general choices are taken over.
        const QTemporaryDir other;
        RunOpening opening = m_opening;
        opening.directory = other.path().toStdString();
        const RunData run(opening);
        m_panel->begin(&run, &opening);
        LaneArrangement usual;
        usual.group = wanted.group;
        QVERIFY(m_view->arrangement() == usual);
        QCOMPARE(m_view->colourBy(), std::optional(Axis::Data));
        m_panel->begin(m_run.get(), &m_opening);
        QVERIFY(m_view->arrangement() == wanted);
    }

    void aDamagedArrangementIsToldAndLeftAsItIs()
    {
        std::ofstream(m_opening.directory / "view.json") << "{ half";
        QSignalSpy problem(m_panel.get(), &TimelinePanel::problem);
        m_panel->begin(m_run.get(), &m_opening);
        QCOMPARE(problem.size(), 1);
        QVERIFY(problem[0][1].toString().contains(QStringLiteral("view.json")));
        press(Qt::Key_X);
        m_panel.reset();
        std::ifstream file(m_opening.directory / "view.json");
        const std::string content(std::istreambuf_iterator<char>(file), {});
        QCOMPARE(content, std::string("{ half"));
    }

    void whatIsShownBesideTheLanesStays()
    {
        press(Qt::Key_I);
        press(Qt::Key_M, Qt::ShiftModifier);
        press(Qt::Key_E);
        m_view->setHeaderWidth(211);
        m_panel = std::make_unique<TimelinePanel>(*m_range);
        m_view = m_panel->view();
        QVERIFY(m_panel->areDetailsShown());
        QVERIFY(!m_panel->isMapShown());
        QVERIFY(!m_panel->areCountersShown());
        QVERIFY(!m_view->areFlowsShown());
        QVERIFY(m_view->command(QStringLiteral("timeline.flows"))->isChecked() ==
                m_view->areFlowsShown());
        QCOMPARE(m_view->headerWidth(), 211.0);
    }

    void aStragglerIsFlaggedInItsName()
    {
        QVERIFY(m_view->flags().empty());
        RunUpdate update;
        for (int step = 1; step <= 4; ++step) {
            StepShares shares;
            shares.step = step;
            shares.perRank.resize(4);
            for (LaneShare& lane : shares.perRank)
                lane.compute = 1;
            shares.perRank[2].compute = 1.3;
            update.shares.push_back(shares);
        }
        const QImage before = m_view->grab().toImage();
        m_run->apply(update);
        m_panel->take(*m_run, update);
        QCOMPARE(m_view->flags().size(), std::size_t(1));
        QVERIFY(m_view->flags().at(Rank(2)).contains(QStringLiteral("30")));
        QVERIFY(before != m_view->grab().toImage());
        m_panel->begin(nullptr, nullptr);
        QVERIFY(m_view->flags().empty());
    }

    void theTwinOfASpanIsTheSameInstruction()
    {
        auto predicted = std::make_shared<Lanes>(m_opening.plan.layout);
        predicted->append(playStepLater(3));
        m_view->setPrediction(predicted);
        focus(Rank(1), instruction(Kind::Backward, 2));
        const auto twin = m_view->twinOf(*m_view->focusedSpan());
        QVERIFY(twin);
        const Track& track = trackOf(*predicted, *twin);
        QCOMPARE(track.id(twin->index), instruction(Kind::Backward, 2));
        QCOMPARE(track.step(twin->index), 3);
        const QRectF box = m_view->predictedBoxOf(*twin);
        const QRectF own = m_view->boxOf(*m_view->focusedSpan());
        QVERIFY(box.bottom() <= own.top() + 2 && box.top() >= own.top() - 20);
        // A click on the predicted span goes to the measured one.
        m_view->clearMarks();
        QVERIFY(!m_view->focusedSpan());
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, box.center().toPoint());
        QVERIFY(m_view->focusedSpan());
        QCOMPARE(focusedId(), instruction(Kind::Backward, 2));
        QVERIFY(!m_view->grab().isNull());
    }

    void aSpanIsToldAgainstItsPredictionHoweverThatIsLaid()
    {
        // Predicted 1.5 times as long as it took, laid scaled: what is told is what was predicted.
        const double begin = m_view->lanes()->stepRange(3).first;
        std::vector<Span> step =
            tests::playStep(programOf(m_opening.plan), m_opening.plan.layout, {}, 1, 0);
        for (Span& span : step)
            for (double* time : {&span.ready, &span.begin, &span.end})
                *time *= 1.5;
        auto alone = std::make_shared<Lanes>(m_opening.plan.layout);
        alone->append(step);
        const LaidPrediction laid = layPrediction(*m_view->lanes(), step, {3}, PredictionFit::Step);
        m_view->setPredictionScaled(true);
        m_view->setPrediction(laid.lanes, alone);
        QVERIFY(legendOf(*m_view).back().name.contains(QStringLiteral("scaled")));
        focus(Rank(1), instruction(Kind::Backward, 2));
        const SpanPlace place = *m_view->focusedSpan();
        const SpanDetails took = detailsOf(*m_view->lanes(), place);
        const auto told = m_view->predictedTimesOf(place);
        QVERIFY(told);
        const SpanDetails twin = detailsOf(*alone, *findSpan(*alone, Rank(1), 1, took.id));
        QCOMPARE(told->seconds, twin.seconds());
        const double late = took.begin - begin - twin.begin;
        QVERIFY(qAbs(told->late - late) < 1e-9);
        QVERIFY(late < 0 && twin.seconds() > 1.2 * took.seconds());
        const QString tip = textAt(m_view->boxOf(place).center());
        QVERIFY2(tip.contains(durationAgainst(twin.seconds(), took.seconds())) &&
                     tip.contains(lateText(late)),
                 qPrintable(tip));
        QVERIFY(lateText(late).contains(QStringLiteral("earlier")));
        auto* details = m_panel->findChild<SpanPanel*>();
        QVERIFY2(details->text().contains(QStringLiteral("began: ") + lateText(late)),
                 qPrintable(details->text()));
        // Strips of about half a lane, with room for numbers.
        const double lane = m_view->boxOf(place).height();
        const double strip = m_view->predictedBoxOf(*m_view->twinOf(place)).height();
        QVERIFY2(strip >= 10 && strip > 0.4 * lane && strip < 0.7 * lane,
                 qPrintable(QString::number(strip / lane)));
        // The switch in the header is the key's action.
        auto* button = m_panel->findChild<QToolButton*>(QStringLiteral("predictionScaled"));
        QVERIFY(button && !button->isHidden() && button->isChecked());
        QSignalSpy switched(m_view, &LaneView::predictionScaleSwitched);
        press(Qt::Key_O, Qt::ShiftModifier);
        QCOMPARE(switched.size(), 1);
        QVERIFY(!button->isChecked() && !m_view->isPredictionScaled());
        press(Qt::Key_O);
        QVERIFY(button->isHidden());
    }

    void theLegendShowsEveryEntryAtAnyWidth()
    {
        m_view->setPrediction(std::make_shared<const Lanes>(*m_view->lanes()));
        const auto entries = legendOf(*m_view);
        QVERIFY(entries.back().name.contains(QStringLiteral("predicted")));
        LegendBar bar(entries);
        for (const int width : {1600, 420, 160}) {
            const auto boxes = bar.boxes(width);
            QCOMPARE(boxes.size(), entries.size());
            for (const QRectF& box : boxes)
                QVERIFY(box.left() >= 0 && box.right() <= width + 0.5);
            QVERIFY(bar.heightForWidth(width) >= boxes.back().bottom());
        }
        QVERIFY(bar.heightForWidth(160) > bar.heightForWidth(1600));
        auto* shown = m_panel->findChild<LegendBar*>();
        m_panel->resize(420, 500);
        QTRY_COMPARE(shown->height(), shown->heightForWidth(shown->width()));
    }

    void hintsNameTheKeysAsTheyAre()
    {
        auto* button = m_panel->findChild<QToolButton*>(QStringLiteral("zoom-in"));
        QVERIFY(button->toolTip().contains(QStringLiteral("(W)")));
        setKeysOf(QStringLiteral("timeline.zoomIn"), {QKeySequence(Qt::Key_Q)});
        refreshKeys(m_panel.get());
        QVERIFY2(button->toolTip().contains(QStringLiteral("(Q)")), qPrintable(button->toolTip()));
        auto* follow = m_panel->findChild<QToolButton*>(QStringLiteral("follow"));
        QVERIFY(follow->isChecked());
        press(Qt::Key_Home);
        QVERIFY(!follow->isChecked());
        follow->click();
        QVERIFY(follow->isChecked() && m_view->isFollowing());
        follow->click(); // stays chosen
        QVERIFY(follow->isChecked() && m_view->isFollowing());
    }

    void predictionCanBeSwitched()
    {
        QVERIFY(!m_view->isPredictionShown());
        m_view->setPrediction(std::make_shared<const Lanes>(*m_view->lanes()));
        QVERIFY(m_view->isPredictionShown());
        const QImage with = m_view->grab().toImage();
        press(Qt::Key_O);
        QVERIFY(!m_view->isPredictionShown());
        QVERIFY(with != m_view->grab().toImage());
    }

    void keysCanBeChanged()
    {
        ShortcutDialog dialog;
        const QString zoom = QStringLiteral("timeline.zoomIn");
        dialog.choose(zoom, {QKeySequence(Qt::Key_A)});
        QVERIFY(dialog.conflict().contains(QStringLiteral("Earlier")));
        dialog.accept();
        QCOMPARE(keysOf(zoom), keyCommand(zoom)->keys);
        dialog.choose(zoom, {QKeySequence(Qt::Key_Q)});
        QVERIFY(dialog.conflict().isEmpty());
        dialog.accept();
        refreshKeys(m_panel.get());
        const double before = m_view->window().span();
        press(Qt::Key_W);
        QCOMPARE(m_view->window().span(), before);
        press(Qt::Key_Q);
        QVERIFY(m_view->window().span() < before);
        QCOMPARE(keysText(keysOf(zoom)), QStringLiteral("Q"));
        resetAllKeys();
        QCOMPARE(keysOf(zoom), keyCommand(zoom)->keys);
    }

    void anEmptyPanelTakesEveryKey()
    {
        ViewRange range;
        TimelinePanel empty(range);
        empty.resize(600, 300);
        for (QAction* action : empty.view()->actions()) {
            if (action->objectName() != QLatin1String("timeline.mark"))
                action->trigger();
        }
        QVERIFY(!empty.grab().isNull());
        m_panel->begin(nullptr, nullptr);
        QVERIFY(!m_panel->grab().isNull());
    }
};

QTEST_MAIN(TimelinePanelTest)
#include "timeline_panel_test.moc"
