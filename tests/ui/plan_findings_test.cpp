#include "engine/language/phrasebook.h"
#include "engine/plan/drawn_setting.h"
#include "engine/record/demo_plan.h"
#include "ui/base/background.h"
#include "ui/pages/plan_page.h"
#include "ui/plan/floor_view.h"
#include "ui/plan/form_row.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_predictor.h"
#include "ui/widgets/axis_chip.h"
#include "ui/widgets/figure_strip.h"

#include <QtTest>

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>

#include <functional>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

using Edit = std::function<void(DrawnPlan&)>;

DrawnPlan here()
{
    RunPlan run = demoPlan();
    run.data = {};
    return drawnPlan(run);
}

DrawnPlan onCluster()
{
    return withNetwork(here(), clusterPreset("dgx-h100"));
}

/// What is said at a place.
QString saidAt(QWidget* place)
{
    if (const auto* row = qobject_cast<FormRow*>(place))
        return row->said();
    if (const auto* chip = qobject_cast<AxisChip*>(place))
        return chip->problem() + chip->note();
    if (const auto* label = qobject_cast<QLabel*>(place))
        return label->text();
    if (const auto* floor = qobject_cast<FloorView*>(place))
        return floor->model().notices.empty() ? floor->problem()
                                              : floor->model().notices.front().text;
    return place->accessibleDescription();
}

struct Case
{
    const char* where;
    bool cluster;
    Edit edit;
};

const std::vector<Case>& cases()
{
    static const std::vector<Case> all{
        {"layout.dp", false, [](DrawnPlan& p) { p.run.layout.dp = 0; }},
        {"layout.tp", false, [](DrawnPlan& p) { p.run.layout.tp = 3; }},
        {"layout.pp", false, [](DrawnPlan& p) { p.run.layout.pp = 9; }},
        {"layout.order", false,
         [](DrawnPlan& p) {
             p.run.layout.order = {Axis::Data, Axis::Data, Axis::Tensor};
         }},
        {"layout.virtualStages", false, [](DrawnPlan& p) { p.run.layout.virtualStages = 7; }},
        {"layout.layersPerStage", false,
         [](DrawnPlan& p) {
             p.run.layout.layersPerStage = {1, 1};
         }},
        {"training.globalBatch", false, [](DrawnPlan& p) { p.run.training.batch.globalBatch = 9; }},
        {"training.microbatch", false, [](DrawnPlan& p) { p.run.training.batch.microbatch = 0; }},
        {"training.sequence", false,
         [](DrawnPlan& p) { p.run.training.batch.sequence = p.run.model.positions + 1; }},
        {"training.schedule", false, [](DrawnPlan& p) { p.run.training.schedule = "none"; }},
        {"training.steps", false, [](DrawnPlan& p) { p.run.training.steps = 0; }},
        {"training.learningRate", false, [](DrawnPlan& p) { p.run.training.learningRate = -1; }},
        {"training.beta1", false, [](DrawnPlan& p) { p.run.training.beta1 = 1; }},
        {"training.beta2", false, [](DrawnPlan& p) { p.run.training.beta2 = 1; }},
        {"training.epsilon", false, [](DrawnPlan& p) { p.run.training.epsilon = 0; }},
        {"training.weightDecay", false, [](DrawnPlan& p) { p.run.training.weightDecay = -1; }},
        {"training.clipNorm", false, [](DrawnPlan& p) { p.run.training.clipNorm = -1; }},
        {"training.warmupSteps", false, [](DrawnPlan& p) { p.run.training.warmupSteps = -1; }},
        {"data.path", false, [](DrawnPlan& p) { p.run.data.kind = DataKind::Text; }},
        {"model", false, [](DrawnPlan& p) { p.trainable = false; }},
        {"weights", false, [](DrawnPlan& p) { p.run.weights = "/nowhere/weights"; }},
        {"execution.threadsPerRank", false,
         [](DrawnPlan& p) { p.run.execution.threadsPerRank = -1; }},
        {"execution.hangSeconds", false, [](DrawnPlan& p) { p.run.execution.hangSeconds = 0; }},
        {"execution.wholeSteps", false, [](DrawnPlan& p) { p.run.execution.wholeSteps = -1; }},
        {"execution.everyStep", false, [](DrawnPlan& p) { p.run.execution.everyStep = 0; }},
        {"execution.mcaOptions", false, [](DrawnPlan& p) { p.run.execution.mcaOptions = {"x"}; }},
        {"execution.hostfile", false,
         [](DrawnPlan& p) { p.run.execution.hostfile = "/nowhere/hosts"; }},
        {"execution.pace", false, [](DrawnPlan& p) { p.run.execution.pace.forward = {-1}; }},
        {"cluster.nodes", true, [](DrawnPlan& p) { p.cluster.nodes = 9; }},
        {"placement", true,
         [](DrawnPlan& p) {
             p.deviceOfRank = {0, 0};
         }},
        {"machine", false, [](DrawnPlan&) {}},
        {"layout.cp", true, [](DrawnPlan& p) { p.cp = 3; }},
        {"layout.ep", true, [](DrawnPlan& p) { p.ep = 2; }},
        {"layout.expertTp", true, [](DrawnPlan& p) { p.expertTp = 0; }},
        {"layout.cp", false, [](DrawnPlan& p) { p.cp = 0; }},
        {"layout.sequenceParallel", true,
         [](DrawnPlan& p) {
             p.sequenceParallel = true;
             p.run.training.batch.sequence = 127;
         }},
        {"settings.software", true, [](DrawnPlan& p) { p.software = "none"; }},
        {"training.globalBatch", false,
         [](DrawnPlan& p) {
             p.run.training.batch = {2, 1, 128};
         }}, // too few for the stages
        {"layout.dp", true,
         [](DrawnPlan& p) {
             p = withAxisSizes(p, 16, 1, 1);
             p.run.training.batch.globalBatch = 16;
         }}, // gradients cross the network
    };
    return all;
}

} // namespace

class PlanFindingsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Background> m_background;
    std::unique_ptr<PlanDocument> m_document;
    std::unique_ptr<PlanPage> m_page;

    void open(DrawnPlan plan)
    {
        m_page.reset();
        m_background = std::make_unique<Background>();
        m_document = std::make_unique<PlanDocument>(std::move(plan), 1);
        m_page = std::make_unique<PlanPage>(*m_document, *m_background);
        m_page->resize(1180, 780);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }

    static QSet<QString> namedIn(const QString& file)
    {
        QFile source(QStringLiteral(TRIAXIS_SOURCE "/engine/") + file);
        if (!source.open(QIODevice::ReadOnly))
            return {};
        static const QRegularExpression id(
            QStringLiteral("\"((?:layout|training|execution|settings|cluster|plan|data)\\.[A-Za-z0-"
                           "9]+|layout|plan|model|weights|placement|prediction|machine)\""));
        QSet<QString> found;
        const QString text = QString::fromUtf8(source.readAll());
        for (auto match = id.globalMatch(text); match.hasNext();)
            found << match.next().captured(1);
        return found;
    }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void everyFindingIsSaidWhereItIsCaused_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < cases().size(); ++i)
            QTest::addRow("%zu %s", i, cases()[i].where) << int(i);
    }

    void everyFindingIsSaidWhereItIsCaused()
    {
        QFETCH(int, index);
        const Case& one = cases()[std::size_t(index)];
        DrawnPlan plan = one.cluster ? onCluster() : here();
        one.edit(plan);
        open(plan);
        const auto& found = m_document->diagnostics();
        const auto finding = std::find_if(
            found.begin(), found.end(), [&](const Diagnostic& f) { return f.where == one.where; });
        QVERIFY2(finding != found.end(), "the plan does not give this finding");
        QWidget* place = m_page->placeFor(one.where);
        QVERIFY(place != nullptr);
        QVERIFY2(place->isVisibleTo(m_page.get()), "its place is hidden");
        QTRY_VERIFY(!saidAt(place).isEmpty());
    }

    void everyFindingIsKnownInRussian()
    {
        const Phrasebook russian = Phrasebook::of("ru");
        QStringList unknown;
        for (const Case& one : cases()) {
            DrawnPlan plan = one.cluster ? onCluster() : here();
            one.edit(plan);
            const PlanDocument document(plan, 1);
            for (const Diagnostic& found : document.diagnostics())
                for (const std::string* text : {&found.what, &found.why, &found.mend})
                    // A name alone stands in quotes.
                    if (!text->empty() && text->front() != '"' && russian.say(*text) == *text)
                        unknown << QString::fromStdString(*text);
        }
        QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join('\n')));
    }

    void everySettingThatRulesNameHasAPlace()
    {
        const QStringList rules{"plan/check_drawn.cpp", "plan/drawn_prediction.cpp",
                                "cost/check_plan.cpp",  "layout/rules.cpp",
                                "layout/advice.cpp",    "record/run_plan_rules.cpp",
                                "record/pace_plan.cpp"};
        open(here());
        QSet<QString> all{"rank 0", "machine"};
        for (const QString& file : rules) {
            const QSet<QString> named = namedIn(file);
            QVERIFY2(!named.isEmpty(), qPrintable(file));
            all += named;
        }
        QVERIFY(all.size() > 30);
        for (const QString& where : all)
            QVERIFY2(m_page->placeFor(drawnSetting(where.toStdString())) != nullptr,
                     qPrintable(where));
    }

    void aTensorGroupThatLeavesItsNodeIsMarkedOnTheFloor()
    {
        open(withAxisSizes(onCluster(), 1, 8, 1));
        DrawnPlan apart = m_document->drawn();
        apart.cluster.nodeSize = 4;
        apart.cluster.nodes = 2;
        open(apart);
        auto* floor = m_page->findChild<FloorView*>("floor");
        QVERIFY(!floor->model().notices.empty());
        QVERIFY(floor->model().notices.front().text.contains("leave"));
        QVERIFY(floor->model().notices.front().rank >= 0);
    }

    void aMendIsOfferedBesideTheSetting()
    {
        DrawnPlan plan = here();
        plan.run.training.batch.globalBatch = 9;
        open(plan);
        auto* row = qobject_cast<FormRow*>(m_page->placeFor("training.globalBatch"));
        QVERIFY(row != nullptr);
        QPushButton* mend = row->findChild<QPushButton*>();
        QVERIFY(mend->isVisibleTo(m_page.get()));
        QTest::mouseClick(mend, Qt::LeftButton);
        QVERIFY(m_document->isSound());
        QVERIFY(!mend->isVisibleTo(m_page.get()));
        QVERIFY(row->problem().isEmpty());
    }

    void aMendIsOfferedInTheChipOfAnAxis()
    {
        DrawnPlan plan = here();
        plan.run.layout.tp = 3;
        open(plan);
        auto* chip = m_page->findChild<AxisChip*>("layout.tp");
        QVERIFY(!chip->problem().isEmpty());
        QTest::keyClick(chip, Qt::Key_Return);
        QVERIFY(m_document->isSound());
        QVERIFY(chip->problem().isEmpty());
    }

    void whyThereIsNoPredictionIsSaidByTheFirstFigure()
    {
        DrawnPlan plan = onCluster();
        plan.run.training.batch.globalBatch = 7;
        open(plan);
        auto* figures = qobject_cast<FigureStrip*>(m_page->placeFor("prediction"));
        QVERIFY(figures != nullptr);
        QTRY_VERIFY(figures->figures().front().meaning.contains("cannot be predicted"));
    }
};

QTEST_MAIN(PlanFindingsTest)
#include "plan_findings_test.moc"
