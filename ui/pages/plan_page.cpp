#include "ui/pages/plan_page.h"

#include "engine/core/error.h"
#include "engine/record/run_bubble.h"
#include "engine/record/run_directory.h"
#include "launcher/supervisor.h"
#include "ui/base/text.h"
#include "ui/commands/apply_mend.h"
#include "ui/commands/change_plan.h"
#include "ui/commands/set_axis_size.h"
#include "ui/commands/set_layer_split.h"
#include "ui/commands/set_rank_order.h"
#include "ui/pages/layout_helpers.h"
#include "ui/plan/drawn_floor.h"
#include "ui/plan/floor_view.h"
#include "ui/plan/gallery_dialog.h"
#include "ui/plan/layer_bar.h"
#include "ui/plan/notice_list.h"
#include "ui/plan/plan_figures.h"
#include "ui/plan/plan_files.h"
#include "ui/plan/plan_form.h"
#include "ui/plan/plan_predictor.h"
#include "ui/plan/predicted_step_panel.h"
#include "ui/plan/prediction_figures.h"
#include "ui/plan/rank_inspector.h"
#include "ui/plan/schedule_panel.h"
#include "ui/run/calibrator.h"
#include "ui/search/search_dialog.h"
#include "ui/search/what_if_dialog.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/axis_chip.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/figure_strip.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/panel.h"

#include <QAction>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace triaxis::ui
{
namespace
{

constexpr int oneFrame = 16; ///< milliseconds

QString orderText(const RankOrder& order)
{
    QStringList names;
    for (const Axis axis : order) {
        switch (axis) {
        case Axis::Data:
            names << QStringLiteral("data");
            break;
        case Axis::Tensor:
            names << QStringLiteral("tensor");
            break;
        case Axis::Pipeline:
            names << QStringLiteral("pipeline");
            break;
        }
    }
    return names.join(QStringLiteral(" → "));
}

std::vector<RankOrder> allOrders()
{
    std::vector<RankOrder> orders{megatronOrder};
    RankOrder order{Axis::Data, Axis::Tensor, Axis::Pipeline};
    do {
        if (order != megatronOrder)
            orders.push_back(order);
    } while (std::next_permutation(order.begin(), order.end()));
    return orders;
}

/// A chip says which axis it is by itself, and has little room.
QString chipText(const Diagnostic& finding, Axis axis)
{
    const char* names[] = {"data", "tensor", "pipeline"};
    const int at = axis == Axis::Data ? 0 : axis == Axis::Tensor ? 1 : 2;
    const QString text = toQString(finding.mend.empty() ? finding.what : finding.mend);
    const QString known =
        QStringLiteral("use a %1-parallel size of ").arg(QLatin1String(names[at]));
    return text.startsWith(known) ? QStringLiteral("use ") + text.mid(known.size()) : text;
}

QScrollArea* scrolling(QWidget* content)
{
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->viewport()->setAutoFillBackground(false);
    area->setWidget(content);
    content->setAutoFillBackground(false); // setWidget() turns it on
    return area;
}

} // namespace

PlanPage::PlanPage(PlanDocument& document, Background& background, std::filesystem::path home,
                   QWidget* parent)
    : QWidget(parent), m_document(document), m_background(background), m_header(new PageHeader),
      m_banner(new Banner), m_figures(new FigureStrip), m_schedule(new SchedulePanel),
      m_home(home.empty() ? triaxisHome() : std::move(home))
{
    setObjectName(QStringLiteral("planPage"));
    setAcceptDrops(true);
    m_predictor = new PlanPredictor(m_document, m_home, this);
    m_predictor->setTimelineWanted(false);
    m_files = new PlanFiles(m_document, this, this);
    m_calibrator = new Calibrator(this);
    connect(m_calibrator, &Calibrator::failed, this, [this](const QString& why) {
        showProblem(QStringLiteral("This machine could not be measured"), why);
    });
    connect(m_calibrator, &Calibrator::progress, this,
            [this](int done, int all, const QString& what) {
                m_banner->say(Banner::Kind::Note, QStringLiteral("Measuring this machine"),
                              all > 0 ? QStringLiteral("%1 of %2: %3").arg(done).arg(all).arg(what)
                                      : what);
            });
    connect(m_calibrator, &Calibrator::finished, this, [this] {
        m_banner->say(Banner::Kind::Good, QStringLiteral("This machine is measured"),
                      QStringLiteral("Plans on it are predicted from now on."));
        m_predictor->reloadMachine();
    });
    auto* upper = panelSplitter(Qt::Horizontal);
    upper->addWidget(buildFloor());
    upper->addWidget(buildInspector());
    upper->setStretchFactor(0, 1);
    upper->setSizes({660, 270});
    auto* right = panelSplitter(Qt::Vertical);
    right->addWidget(upper);
    right->addWidget(buildBottom());
    right->setStretchFactor(0, 3);
    right->setStretchFactor(1, 1);
    right->setSizes({430, 200});
    auto* whole = panelSplitter(Qt::Horizontal);
    whole->addWidget(buildForm());
    whole->addWidget(right);
    whole->setStretchFactor(1, 1);
    whole->setSizes({scaled(244), 1000});

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 10, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(buildHeader());
    layout->addWidget(m_banner);
    layout->addWidget(m_figures);
    layout->addWidget(whole, 1);

    connect(&m_document, &PlanDocument::changed, this, &PlanPage::refresh);
    m_late.setSingleShot(true);
    m_late.setTimerType(Qt::PreciseTimer);
    m_late.setInterval(oneFrame);
    connect(&m_late, &QTimer::timeout, this, &PlanPage::refreshPredicted);
    connect(m_predictor, &PlanPredictor::predicted, this, [this] {
        if (m_predictor->isUpToDate() || !m_late.isActive())
            refreshPredicted();
    });
    connect(m_predictor, &PlanPredictor::mendsReady, this, &PlanPage::refreshNotices);
    connect(m_predictor, &PlanPredictor::timelineReady, this, [this] {
        const bool sound = m_document.isSound();
        m_step->show(m_predictor->timeline(),
                     sound ? planClosedForm(m_document.plan()).form : ClosedForm{});
    });
    connect(m_files, &PlanFiles::changed, this, &PlanPage::refreshHeader);
    connect(m_files, &PlanFiles::failed, this, &PlanPage::showProblem);
    connect(m_files, &PlanFiles::galleryRequested, this, &PlanPage::showGallery);
    connect(m_files, &PlanFiles::noted, this, [this](const QString& title, const QString& detail) {
        m_banner->say(Banner::Kind::Note, title, detail);
    });
    connect(m_floor, &FloorView::shownChanged, this, &PlanPage::inspect);
    refresh();
    refreshPredicted();
}

QWidget* PlanPage::buildHeader()
{
    m_menuButton = new QPushButton(QStringLiteral("Plan"));
    m_menuButton->setObjectName(QStringLiteral("planMenu"));
    m_search = new QPushButton(QStringLiteral("Find best layout…"));
    m_search->setObjectName(QStringLiteral("findLayout"));
    buildMenu();
    connect(m_search, &QPushButton::clicked, m_findAction, &QAction::trigger);
    m_undo = new QPushButton(QStringLiteral("Undo"));
    m_undo->setObjectName(QStringLiteral("undo"));
    m_redo = new QPushButton(QStringLiteral("Redo"));
    m_redo->setObjectName(QStringLiteral("redo"));
    m_run = new QPushButton(QStringLiteral("Run"));
    m_run->setObjectName(QStringLiteral("run"));
    m_run->setProperty("look", "primary");
    followTextSize(this, [this] { m_run->setMinimumWidth(scaled(84)); });
    for (QPushButton* button : {m_menuButton, m_search, m_undo, m_redo, m_run})
        m_header->addAction(button);
    QUndoStack& stack = m_document.undoStack();
    connect(m_undo, &QPushButton::clicked, &stack, &QUndoStack::undo);
    connect(m_redo, &QPushButton::clicked, &stack, &QUndoStack::redo);
    connect(&stack, &QUndoStack::indexChanged, this, &PlanPage::refreshHeader);
    connect(m_run, &QPushButton::clicked, this, &PlanPage::runRequested);
    return m_header;
}

void PlanPage::buildMenu()
{
    const auto add = [this](const QString& text, const QKeySequence& keys, auto act) {
        auto* action = new QAction(text, this);
        action->setObjectName(text);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    m_findAction = add(QStringLiteral("Find best layout…"), QKeySequence(Qt::CTRL | Qt::Key_F),
                       [this] { findLayout(); });
    m_whatIfAction = add(QStringLiteral("What if…"), QKeySequence(Qt::CTRL | Qt::Key_I),
                         [this] { askWhatIf(); });
    m_stepAction = add(QStringLiteral("Predicted step"), QKeySequence(Qt::CTRL | Qt::Key_T),
                       [this] { showPredictedStep(m_stepAction->isChecked()); });
    m_stepAction->setCheckable(true);
    auto* menu = new QMenu(m_menuButton);
    m_files->fill(*menu);
    menu->addSeparator();
    for (QAction* action : {m_findAction, m_whatIfAction, m_stepAction})
        menu->addAction(action);
    QMenu* floor = menu->addMenu(QStringLiteral("Floor"));
    for (QAction* action : m_floor->floorActions()) {
        if (action != nullptr)
            floor->addAction(action);
        else
            floor->addSeparator();
    }
    m_menuButton->setMenu(menu);
}

QList<QAction*> PlanPage::planActions() const
{
    return m_files->actions() + QList<QAction*>{m_findAction, m_whatIfAction, m_stepAction};
}

QWidget* PlanPage::buildBottom()
{
    m_bottom = new QStackedWidget;
    m_step = new PredictedStepPanel;
    const auto button = [this](const QString& text, const QString& name, bool step) {
        auto* change = new QPushButton(text);
        change->setObjectName(name);
        connect(change, &QPushButton::clicked, this, [this, step] { showPredictedStep(step); });
        return change;
    };
    m_schedule->addHeaderWidget(
        button(QStringLiteral("Predicted step"), QStringLiteral("toStep"), true));
    m_step->addHeaderWidget(
        button(QStringLiteral("Schedule"), QStringLiteral("toSchedule"), false));
    connect(m_step, &PredictedStepPanel::calibrationRequested, this, &PlanPage::calibrate);
    m_bottom->addWidget(m_schedule);
    m_bottom->addWidget(m_step);
    return m_bottom;
}

void PlanPage::showPredictedStep(bool shown)
{
    m_stepAction->setChecked(shown);
    m_bottom->setCurrentIndex(shown ? 1 : 0);
    m_predictor->setTimelineWanted(shown);
}

QWidget* PlanPage::buildForm()
{
    auto* panel = new Panel({});
    m_form = new PlanForm(m_document, m_background);
    QScrollArea* area = scrolling(m_form);
    area->setObjectName(QStringLiteral("formScroll"));
    panel->setContent(area);
    followTextSize(panel, [panel] {
        panel->setMinimumWidth(scaled(164) + 64);
        panel->setMaximumWidth(scaled(360));
    });
    connect(m_form, &PlanForm::failed, this, &PlanPage::showProblem);
    return panel;
}

QWidget* PlanPage::buildChips()
{
    m_data = new AxisChip(Axis::Data);
    m_data->setObjectName(QStringLiteral("layout.dp"));
    m_tensor = new AxisChip(Axis::Tensor);
    m_tensor->setObjectName(QStringLiteral("layout.tp"));
    m_pipeline = new AxisChip(Axis::Pipeline);
    m_pipeline->setObjectName(QStringLiteral("layout.pp"));
    m_order = new QComboBox;
    m_order->setObjectName(QStringLiteral("layout.order"));
    m_order->setSizeAdjustPolicy(QComboBox::AdjustToContents); // also when the text size changes
    m_order->setAccessibleName(QStringLiteral("Rank order, fastest axis first"));
    m_order->setToolTip(
        QStringLiteral("The order in which ranks run through the axes, fastest first"));
    for (const RankOrder& order : allOrders())
        m_order->addItem(orderText(order), toQString(toText(order)));
    connect(m_order, &QComboBox::activated, this, [this](int index) {
        const RankOrder order = parseRankOrder(m_order->itemData(index).toString().toStdString());
        m_document.apply(std::make_unique<SetRankOrder>(m_document, order));
    });
    auto* orderTitle = new QLabel(QStringLiteral("Rank order"));
    orderTitle->setProperty("role", "small");
    auto* order = new QBoxLayout(QBoxLayout::TopToBottom);
    order->addWidget(orderTitle);
    order->addWidget(m_order, 1);

    auto* chips = new QWidget;
    auto* whole = new QBoxLayout(QBoxLayout::LeftToRight, chips);
    whole->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    for (AxisChip* chip : {m_data, m_tensor, m_pipeline}) {
        connectChip(chip);
        row->addWidget(chip, 1);
    }
    whole->addLayout(row, 1);
    whole->addLayout(order);
    // A large text leaves no room beside the chips.
    followTextSize(chips, [whole, order] {
        const bool below = fontScale() > 1.2;
        whole->setDirection(below ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
        whole->setSpacing(below ? 6 : 12);
        order->setDirection(below ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
        order->setSpacing(below ? 8 : 1);
    });
    return chips;
}

void PlanPage::connectChip(AxisChip* chip)
{
    connect(chip, &AxisChip::valueRequested, this, [this, chip](int size) {
        m_document.apply(std::make_unique<SetAxisSize>(m_document, chip->axis(), size));
    });
}

QWidget* PlanPage::buildFloor()
{
    auto* panel = new Panel({});
    m_floor = new FloorView;
    m_layers = new LayerBar;
    m_layersTitle = new QLabel(QStringLiteral("Layers per stage"));
    m_layersTitle->setObjectName(QStringLiteral("layersTitle"));
    m_layersTitle->setProperty("role", "small");
    QSizePolicy keepsItsPlace = m_layersTitle->sizePolicy();
    keepsItsPlace.setRetainSizeWhenHidden(true);
    m_layersTitle->setSizePolicy(keepsItsPlace);
    panel->body()->addWidget(buildChips());
    panel->body()->addSpacing(4);
    panel->body()->addWidget(m_floor, 1);
    panel->body()->addSpacing(2);
    panel->body()->addWidget(m_layersTitle);
    panel->body()->addWidget(m_layers);
    followTextSize(panel, [panel] {
        panel->setMinimumWidth(fontScale() > 1.2 ? scaled(300) + 52 : scaled(460));
    });
    connect(m_floor, &FloorView::proposed, this, &PlanPage::takeProposal);
    connect(m_layers, &LayerBar::splitRequested, this,
            [this](const std::vector<int>& layers, int gesture) {
                m_document.apply(std::make_unique<SetLayerSplit>(m_document, layers, gesture));
            });
    return panel;
}

/// Each proposal is the whole of a gesture, so it is made of the plan that the gesture began with.
void PlanPage::takeProposal(const FloorProposal& proposal, int gesture)
{
    constexpr int apart = 1 << 20; // the numbers of the layer bar's drags are others
    if (gesture != m_gesture) {
        m_gesture = gesture;
        m_gestureStart = m_document.drawn();
    }
    m_document.apply(
        std::make_unique<ChangePlan>(m_document, withProposal(m_gestureStart, proposal),
                                     proposal.swap ? QStringLiteral("ranks %1 and %2 swapped")
                                                         .arg(proposal.swap->first)
                                                         .arg(proposal.swap->second)
                                                   : QStringLiteral("layout %1 × %2 × %3")
                                                         .arg(proposal.sizes.dp)
                                                         .arg(proposal.sizes.tp)
                                                         .arg(proposal.sizes.pp),
                                     apart + gesture));
}

QWidget* PlanPage::buildInspector()
{
    m_rankPanel = new Panel(QStringLiteral("Rank"));
    m_inspector = new RankInspector;
    m_notices = new NoticeList;
    auto* lookAt = new QLabel(QStringLiteral("What to look at"));
    lookAt->setProperty("role", "title");
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_inspector);
    column->addSpacing(6);
    column->addWidget(lookAt);
    column->addWidget(m_notices, 1);
    QScrollArea* area = scrolling(content);
    area->setObjectName(QStringLiteral("inspectorScroll"));
    m_rankPanel->setContent(area);
    followTextSize(m_rankPanel,
                   [panel = m_rankPanel] { panel->setMinimumWidth(scaled(118) + 118); });
    connect(m_notices, &NoticeList::mendRequested, this, [this](const DrawnMend& mend) {
        m_document.apply(std::make_unique<ApplyMend>(m_document, mend));
    });
    return m_rankPanel;
}

PlanPage::~PlanPage() = default;

/// What a prediction changes waits for it, so that an edit is laid out and painted once; no longer
/// than a frame.
void PlanPage::refresh()
{
    refreshHeader();
    refreshChips();
    refreshFigures();
    m_layersTitle->setVisible(holdsLayers());
    if (!m_late.isActive())
        m_late.start();
}

void PlanPage::refreshPredicted()
{
    m_late.stop();
    refreshFigures();
    refreshFloor();
    refreshLayers();
    refreshNotices();
    m_schedule->showPlan(m_document.plan());
    inspect();
}

bool PlanPage::holdsLayers() const
{
    return m_document.isSound() || !m_document.shares().empty();
}

void PlanPage::refreshFigures()
{
    // Of the plan before the edit until the new ones are there, a few milliseconds later.
    const bool isNew = m_predictor->isUpToDate();
    const bool sound = m_document.isSound();
    if (!isNew && sound && m_predictor->prediction())
        return;
    m_figures->setFigures(predictionFigures(m_document.drawn(),
                                            isNew ? m_predictor->prediction().get() : nullptr,
                                            m_predictor->before().get(), m_predictor->machine()));
}

void PlanPage::refreshFloor()
{
    const DrawnPlan& plan = m_document.drawn();
    const double ranks =
        double(plan.run.layout.dp) * plan.run.layout.tp * plan.run.layout.pp * std::max(1, plan.cp);
    if (ranks > mostDevices || ranks < 1)
        return; // the findings say so
    const auto& prediction = m_predictor->prediction();
    const bool isNew = prediction && m_predictor->isUpToDate();
    m_floor->setModel(
        floorModel(plan, isNew ? prediction.get() : nullptr, m_predictor->machine(), findings()));
    m_floor->setLimits(sizeLimits(plan));
}

void PlanPage::refreshLayers()
{
    const DrawnPlan& plan = m_document.drawn();
    const Layout& layout = plan.run.layout;
    const bool holds = holdsLayers();
    const std::vector<int> split = holds ? layerSplit(layout, plan.run.model) : std::vector<int>{};
    m_layers->setLayers(split);
    m_layersTitle->setVisible(holds);
    m_layersTitle->setText(layout.virtualStages > 1 ? QStringLiteral("Layers per virtual stage")
                                                    : QStringLiteral("Layers per stage"));
    const auto& prediction = m_predictor->prediction();
    std::vector<double> times;
    std::vector<double> memory;
    if (holds && prediction && prediction->known && m_predictor->isUpToDate()) {
        times = prediction->stageSeconds;
        const double slowest = times.empty() ? 1 : *std::max_element(times.begin(), times.end());
        for (double& time : times)
            time /= std::max(slowest, 1e-300);
        for (int stage = 0; layout.virtualStages == 1 && stage < layout.pp; ++stage) {
            const Rank rank = rankOf(drawnLayout(plan), {0, 0, stage});
            const double capacity = capacityOf(plan, rank, m_predictor->machine());
            memory.push_back(capacity > 0 ? prediction->bytesOf(plan, rank) / capacity : 0);
        }
    }
    m_layers->setCosts(std::move(times), std::move(memory));
}

std::vector<Diagnostic> PlanPage::findings() const
{
    std::vector<Diagnostic> all = m_document.diagnostics();
    const auto& prediction = m_predictor->prediction();
    if (prediction && m_predictor->isUpToDate())
        all.insert(all.end(), prediction->findings.begin(), prediction->findings.end());
    return all;
}

void PlanPage::refreshNotices()
{
    const DrawnPlan& plan = m_document.drawn();
    std::vector<NoticeList::Notice> notices;
    for (const Diagnostic& finding : findings())
        notices.push_back({finding, drawnMends(plan, finding)});
    if (m_predictor->outOfMemory() && m_predictor->isUpToDate())
        for (NoticeList::Notice& notice : notices)
            if (notice.finding.what.starts_with("out of memory"))
                for (const MemoryMend& mend : m_predictor->outOfMemory()->mends)
                    notice.mends.push_back(
                        {withParallelPlan(plan, mend.plan()), toQString(mend.text())});
    const int microbatches = plan.run.training.batch.microbatches(plan.run.layout.dp);
    const QString detail = QStringLiteral("%1, %2 a step")
                               .arg(counted(drawnLayout(plan).ranks(), QStringLiteral("rank")),
                                    counted(microbatches, QStringLiteral("microbatch")));
    m_notices->setNotices(std::move(notices),
                          m_document.canRun() ? QStringLiteral("This plan can run")
                                              : QStringLiteral("This plan is sound"),
                          detail);
}

void PlanPage::refreshChips()
{
    const RunPlan& plan = m_document.plan();
    m_data->setValue(plan.layout.dp);
    m_tensor->setValue(plan.layout.tp);
    m_pipeline->setValue(plan.layout.pp);
    m_order->setCurrentIndex(m_order->findData(toQString(toText(plan.layout.order))));
    for (AxisChip* chip : {m_data, m_tensor, m_pipeline}) {
        QString problem;
        for (const Diagnostic& finding : m_document.diagnostics()) {
            if (finding.severity == Severity::Error && problem.isEmpty() &&
                toQString(finding.where) == chip->objectName())
                problem = chipText(finding, chip->axis());
        }
        chip->setProblem(problem);
    }
}

void PlanPage::refreshHeader()
{
    const DrawnPlan& plan = m_document.drawn();
    QUndoStack& stack = m_document.undoStack();
    m_header->setTitle(
        QStringLiteral("%1 · %2").arg(
            toQString(plan.trainable ? plan.run.model.name : plan.shape.name),
            layoutText(plan.run.layout)),
        (m_files->isUnsaved() ? QString(QChar(0x2022)) + QLatin1Char(' ') : QString()) +
            m_files->name());
    m_search->setEnabled(!plan.cluster.thisMachine);
    m_findAction->setEnabled(!plan.cluster.thisMachine);
    m_whatIfAction->setEnabled(!plan.cluster.thisMachine);
    m_search->setToolTip(plan.cluster.thisMachine
                             ? QStringLiteral("Choose a cluster first: layouts are searched by "
                                              "what they take on it")
                             : QStringLiteral("Search all layouts of this job (Ctrl+F)"));
    m_undo->setEnabled(stack.canUndo());
    m_redo->setEnabled(stack.canRedo());
    m_undo->setToolTip(stack.canUndo() ? QStringLiteral("Undo %1 (Ctrl+Z)").arg(stack.undoText())
                                       : QStringLiteral("Nothing to undo"));
    m_redo->setToolTip(stack.canRedo()
                           ? QStringLiteral("Redo %1 (Ctrl+Shift+Z)").arg(stack.redoText())
                           : QStringLiteral("Nothing to redo"));
    m_run->setEnabled(m_document.canRun() && !m_starting);
    m_run->setText(m_starting ? QStringLiteral("Starting…") : QStringLiteral("Run"));
    QString hint = QStringLiteral("Train this plan for real, through MPI (Ctrl+Return)");
    for (const Diagnostic& finding : m_document.diagnostics()) {
        if (finding.severity == Severity::Error) {
            hint = QStringLiteral("This plan cannot run: ") + toQString(finding.what);
            break;
        }
    }
    if (const std::string why = whyNotRunnable(plan); m_document.isSound() && !why.empty())
        hint = QStringLiteral("This plan is not run here: ") + toQString(why);
    m_run->setToolTip(hint);
}

void PlanPage::inspect()
{
    const bool isNew = m_predictor->isUpToDate();
    m_inspector->inspect(m_document, isNew ? m_predictor->prediction().get() : nullptr,
                         m_floor->shown());
    m_rankPanel->setTitle(m_inspector->title());
}

void PlanPage::calibrate()
{
    m_banner->say(Banner::Kind::Note, QStringLiteral("Measuring this machine"),
                  QStringLiteral("It takes some minutes; the figures are best while nothing else "
                                 "runs."));
    m_calibrator->start(toQString(findPrograms().triaxis.string()), toQString(m_home.string()));
}

void PlanPage::showGallery()
{
    GalleryDialog gallery(window());
    if (gallery.exec() == QDialog::Accepted)
        m_files->openExample(gallery.chosen());
}

void PlanPage::findLayout()
{
    if (m_document.drawn().cluster.thisMachine)
        return;
    try {
        SearchDialog search(m_document.drawn(), window());
        connect(&search, &SearchDialog::applyRequested, this, [this](const ParallelPlan& plan) {
            m_document.apply(
                std::make_unique<ChangePlan>(m_document, withParallelPlan(m_document.drawn(), plan),
                                             QStringLiteral("layout that was found")));
        });
        search.start();
        search.exec();
    } catch (const Error& error) {
        showProblem(toQString(error.tried()), toQString(error.object() + ". " + error.remedy()));
    }
}

void PlanPage::askWhatIf()
{
    if (m_document.drawn().cluster.thisMachine)
        return;
    WhatIfDialog(m_document.drawn(), m_home, window()).exec();
}

void PlanPage::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().size() == 1 &&
        event->mimeData()->urls().front().isLocalFile())
        event->acceptProposedAction();
}

void PlanPage::dropEvent(QDropEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() != 1 || !urls.front().isLocalFile())
        return;
    event->acceptProposedAction();
    m_files->open(urls.front().toLocalFile());
}

void PlanPage::setStarting(bool starting)
{
    m_starting = starting;
    if (starting)
        m_banner->dismiss();
    refreshHeader();
}

void PlanPage::showProblem(const QString& title, const QString& detail)
{
    m_banner->say(Banner::Kind::Problem, title, detail);
}

} // namespace triaxis::ui
