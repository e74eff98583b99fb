// A thousand random gestures of every kind on the whole page, and the way back.

#include "engine/formats/plan_file.h"
#include "engine/record/demo_plan.h"
#include "tests/ui/support/floors.h"
#include "tests/ui/support/gestures.h"
#include "ui/base/background.h"
#include "ui/pages/plan_page.h"
#include "ui/plan/form_row.h"
#include "ui/plan/layer_bar.h"
#include "ui/plan/plan_actions.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_form.h"
#include "ui/widgets/axis_chip.h"

#include <QtTest>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>

#include <functional>
#include <random>

using namespace triaxis;
using namespace triaxis::ui;
using namespace triaxis::tests;

class PlanGesturesTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Background> m_background;
    std::unique_ptr<PlanDocument> m_document;
    std::unique_ptr<PlanPage> m_page;
    FloorView* m_floor = nullptr;
    std::mt19937 m_random{23};

    int below(int limit) { return limit > 0 ? int(m_random() % unsigned(limit)) : 0; }

    template <class List>
    auto& oneOf(List& list)
    {
        return list[below(int(list.size()))];
    }

    QPoint centre(int device) const { return centreOf(*m_floor, device); }
    int anyDevice() { return below(m_floor->index().devices()); }

    void drawWith(FloorBrush brush)
    {
        m_floor->setBrush(brush);
        dragCells(*m_floor, anyDevice(), anyDevice());
    }

    void stretchByHandle()
    {
        m_floor->setBrush(FloorBrush::Select);
        const QRectF handle = m_floor->handle(Axis(below(3)));
        if (!handle.isNull())
            drag(m_floor->viewport(), handle.center().toPoint(), centre(anyDevice()));
    }

    void swapByKeys()
    {
        m_floor->setBrush(FloorBrush::Swap);
        m_floor->selectDevice(anyDevice());
        QTest::keyClick(m_floor, Qt::Key_Return);
        m_floor->selectDevice(anyDevice());
        QTest::keyClick(m_floor, Qt::Key_Return);
    }

    void stepByKeys()
    {
        const std::array keys{Qt::Key_Plus, Qt::Key_Minus, Qt::Key_Left, Qt::Key_Right};
        m_floor->setBrush(std::array{FloorBrush::Tensor, FloorBrush::Pipeline,
                                     FloorBrush::Data}[std::size_t(below(3))]);
        QTest::keyClick(m_floor, oneOf(keys));
    }

    void giveUp()
    {
        const DrawnPlan before = m_document->drawn();
        m_floor->setBrush(FloorBrush::Tensor);
        pressFloor(*m_floor, centre(0));
        moveOverFloor(*m_floor, centre(anyDevice()));
        QTest::keyClick(m_floor, Qt::Key_Escape);
        QVERIFY(samePlan(m_document->drawn(), before));
    }

    void turnChip()
    {
        const auto chips = m_page->findChildren<AxisChip*>();
        const std::array keys{Qt::Key_Up,       Qt::Key_Down, Qt::Key_PageUp,
                              Qt::Key_PageDown, Qt::Key_3,    Qt::Key_Return};
        AxisChip* chip = oneOf(chips);
        if (chip->value() < 12 || below(2) == 0)
            QTest::keyClick(chip, chip->value() < 12 ? oneOf(keys) : Qt::Key_Home);
    }

    void moveLayers(bool byKey)
    {
        auto* bar = m_page->findChild<LayerBar*>("layerBar");
        if (bar->count() < 2 || bar->showsSums())
            return;
        const int divider = below(bar->count() - 1);
        if (!byKey) {
            const QPoint from(int(bar->dividerX(divider)), bar->height() / 3);
            drag(bar, from, from + QPoint(below(801) - 400, 0));
            return;
        }
        QTest::keyClick(bar, below(2) == 0 ? Qt::Key_Left : Qt::Key_Right);
        QTest::keyClick(bar, below(2) == 0 ? Qt::Key_Left : Qt::Key_Right, Qt::ShiftModifier);
    }

    /// Another entry of a combo, but for those that ask for a file.
    void chooseIn(QComboBox* box)
    {
        if (!box->isVisibleTo(m_page.get()) || !box->isEnabled())
            return;
        // This machine as often as all clusters: each has settings of its own.
        const bool home = box->objectName() == "cluster" && below(2) == 0;
        const int index = home ? 0 : below(box->count());
        const QString data = box->itemData(index).toString();
        const QStringList asking{"open", "custom", "auto", QString()};
        if (asking.contains(data))
            return;
        box->setCurrentIndex(index);
        emit box->activated(index);
    }

    void turnNumber()
    {
        const auto boxes = m_page->findChild<PlanForm*>()->findChildren<QSpinBox*>();
        QSpinBox* box = oneOf(boxes);
        if (!box->isVisibleTo(m_page.get()) || !box->isEnabled())
            return;
        const bool large = box->value() > 64 && box->objectName().startsWith("cluster");
        box->stepBy(large ? -box->value() / 2 : below(2) == 0 ? 1 : -1);
    }

    void writeText()
    {
        const auto rows = m_page->findChild<PlanForm*>()->findChildren<FormRow*>();
        auto* field = qobject_cast<QLineEdit*>(oneOf(rows)->control());
        if (field == nullptr || !field->isVisibleTo(m_page.get()))
            return;
        field->setText(QString::number(below(90) / 100.0));
        emit field->editingFinished();
    }

    void clickMend()
    {
        const auto buttons = m_page->findChildren<QPushButton*>();
        for (QPushButton* button : buttons)
            if (button->property("look") == "mend" && button->isVisibleTo(m_page.get())) {
                button->click();
                return;
            }
    }

    void tick()
    {
        auto* box = m_page->findChild<QCheckBox*>();
        if (box->isVisibleTo(m_page.get()))
            box->click();
    }

    struct Gesture
    {
        const char* name;
        std::function<void()> act;
        int changes = 0;
    };

    std::vector<Gesture> gestures()
    {
        const auto undo = [this] { m_page->actions().undo()->trigger(); };
        const auto choose = [this](const char* name) {
            return [this, name] { chooseIn(m_page->findChild<QComboBox*>(name)); };
        };
        return {{"tensor brush", [this] { drawWith(FloorBrush::Tensor); }},
                {"pipeline brush", [this] { drawWith(FloorBrush::Pipeline); }},
                {"data brush", [this] { drawWith(FloorBrush::Data); }},
                {"swap by dragging", [this] { drawWith(FloorBrush::Swap); }},
                {"swap by keys", [this] { swapByKeys(); }},
                {"handle", [this] { stretchByHandle(); }},
                {"brush by keys", [this] { stepByKeys(); }},
                {"chip", [this] { turnChip(); }},
                {"divider", [this] { moveLayers(false); }},
                {"divider by keys", [this] { moveLayers(true); }},
                {"rank order", choose("layout.order")},
                {"schedule", choose("training.schedule")},
                {"cluster", choose("cluster")},
                {"device", choose("cluster.device")},
                {"precision", choose("settings.precision")},
                {"ZeRO", choose("layout.zero")},
                {"recompute", choose("layout.recompute")},
                {"software", choose("settings.software")},
                {"model", choose("model")},
                {"data source", choose("data")},
                {"number", [this] { turnNumber(); }},
                {"text", [this] { writeText(); }},
                {"sequence parallelism", [this] { tick(); }},
                {"mend", [this] { clickMend(); }},
                {"undo", undo},
                {"redo", [this] { m_page->actions().redo()->trigger(); }}};
    }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void aThousandGesturesOfEveryKindCanBeTakenBack()
    {
        RunPlan run = demoPlan();
        run.data = {};
        m_background = std::make_unique<Background>();
        m_document = std::make_unique<PlanDocument>(
            withNetwork(drawnPlan(run), clusterPreset("dgx-h100")), 2);
        m_page = std::make_unique<PlanPage>(*m_document, *m_background);
        m_page->resize(1180, 780);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        m_floor = m_page->findChild<FloorView*>("floor");
        const DrawnPlan first = m_document->drawn();
        std::vector<Gesture> all = gestures();
        for (int i = 0; i < 1000; ++i) {
            const DrawnPlan before = m_document->drawn();
            Gesture& gesture = oneOf(all);
            gesture.act();
            QVERIFY(!m_floor->isDrawing());
            gesture.changes += samePlan(before, m_document->drawn()) ? 0 : 1;
            if (i % 20 == 0)
                giveUp();
            // Nothing grows without bound.
            const double ranks = drawnLayout(m_document->drawn()).ranks();
            if (ranks > 128 || m_document->drawn().cluster.devices() > 256)
                m_page->actions().undo()->trigger();
        }
        for (const Gesture& gesture : all)
            QVERIFY2(gesture.changes > 0, gesture.name);
        const DrawnPlan last = m_document->drawn();
        QUndoStack& stack = m_document->undoStack();
        while (stack.canRedo())
            stack.redo();
        while (stack.canUndo())
            stack.undo();
        QVERIFY(samePlan(m_document->drawn(), first));
        QTRY_COMPARE(m_floor->model().placement, first.deviceOfRank);
        Q_UNUSED(last);
    }

    void theHistoryNamesTheGesture()
    {
        QUndoStack& stack = m_document->undoStack();
        const auto undoText = [&] { return m_page->actions().undo()->text(); };
        m_document->begin(withNetwork(drawnPlan(demoPlan()), clusterPreset("dgx-h100")));
        m_floor->setBrush(FloorBrush::Tensor);
        dragCells(*m_floor, 0, 3);
        QCOMPARE(undoText(), QString("Undo: draw tensor groups of 4"));
        m_floor->setBrush(FloorBrush::Swap);
        dragCells(*m_floor, 0, 3);
        QCOMPARE(undoText(), QString("Undo: swap ranks 0 and 3"));
        m_floor->setBrush(FloorBrush::Select);
        const QRectF handle = m_floor->handle(Axis::Tensor);
        drag(m_floor->viewport(), handle.center().toPoint(), centre(0));
        QCOMPARE(undoText(), QString("Undo: stretch the tensor axis to 1"));
        while (stack.canUndo())
            stack.undo();
        QCOMPARE(m_page->actions().redo()->text(), QString("Redo: draw tensor groups of 4"));
    }
};

QTEST_MAIN(PlanGesturesTest)
#include "plan_gestures_test.moc"
