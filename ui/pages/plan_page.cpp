#include "ui/pages/plan_page.h"

#include "ui/base/text.h"
#include "ui/commands/apply_mend.h"
#include "ui/commands/set_axis_size.h"
#include "ui/commands/set_layer_split.h"
#include "ui/commands/set_rank_order.h"
#include "ui/pages/layout_helpers.h"
#include "ui/plan/floor_view.h"
#include "ui/plan/layer_bar.h"
#include "ui/plan/notice_list.h"
#include "ui/plan/plan_figures.h"
#include "ui/plan/plan_form.h"
#include "ui/plan/rank_inspector.h"
#include "ui/plan/schedule_panel.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/axis_chip.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/figure_strip.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace triaxis::ui
{
namespace
{

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
    const QString known = QStringLiteral("use a %1-parallel size of ").arg(QLatin1String(names[at]));
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

PlanPage::PlanPage(PlanDocument& document, Background& background, QWidget* parent)
    : QWidget(parent), m_document(document), m_background(background), m_header(new PageHeader),
      m_banner(new Banner), m_figures(new FigureStrip), m_schedule(new SchedulePanel)
{
    setObjectName(QStringLiteral("planPage"));
    auto* upper = panelSplitter(Qt::Horizontal);
    upper->addWidget(buildFloor());
    upper->addWidget(buildInspector());
    upper->setStretchFactor(0, 1);
    upper->setSizes({660, 270});
    auto* right = panelSplitter(Qt::Vertical);
    right->addWidget(upper);
    right->addWidget(m_schedule);
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
    connect(m_floor, &FloorView::shownChanged, this, &PlanPage::inspect);
    refresh();
}

QWidget* PlanPage::buildHeader()
{
    m_undo = new QPushButton(QStringLiteral("Undo"));
    m_undo->setObjectName(QStringLiteral("undo"));
    m_redo = new QPushButton(QStringLiteral("Redo"));
    m_redo->setObjectName(QStringLiteral("redo"));
    m_run = new QPushButton(QStringLiteral("Run"));
    m_run->setObjectName(QStringLiteral("run"));
    m_run->setProperty("look", "primary");
    followTextSize(this, [this] { m_run->setMinimumWidth(scaled(84)); });
    for (QPushButton* button : {m_undo, m_redo, m_run})
        m_header->addAction(button);
    QUndoStack& stack = m_document.undoStack();
    connect(m_undo, &QPushButton::clicked, &stack, &QUndoStack::undo);
    connect(m_redo, &QPushButton::clicked, &stack, &QUndoStack::redo);
    connect(&stack, &QUndoStack::indexChanged, this, &PlanPage::refreshHeader);
    connect(m_run, &QPushButton::clicked, this, &PlanPage::runRequested);
    return m_header;
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
    m_order->setToolTip(QStringLiteral("The order in which ranks run through the axes, fastest first"));
    for (const RankOrder& order : allOrders())
        m_order->addItem(orderText(order), toQString(toText(order)));
    connect(m_order, &QComboBox::activated, this, [this](int index) {
        const RankOrder order =
            parseRankOrder(m_order->itemData(index).toString().toStdString());
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
    connect(m_layers, &LayerBar::splitRequested, this,
            [this](const std::vector<int>& layers, int gesture) {
                m_document.apply(std::make_unique<SetLayerSplit>(m_document, layers, gesture));
            });
    return panel;
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
    followTextSize(m_rankPanel, [panel = m_rankPanel] { panel->setMinimumWidth(scaled(118) + 118); });
    connect(m_notices, &NoticeList::mendRequested, this, [this](const Mend& mend) {
        m_document.apply(std::make_unique<ApplyMend>(m_document, mend));
    });
    return m_rankPanel;
}

void PlanPage::refresh()
{
    const RunPlan& plan = m_document.plan();
    refreshHeader();
    refreshChips();
    m_figures->setFigures(planFigures(plan, m_document.shares(), m_document.cores()));
    m_floor->showLayout(plan.layout, m_document.shares(), m_document.cores());
    const bool holds = !m_document.shares().empty();
    m_layers->setLayers(holds ? layerSplit(plan.layout, plan.model) : std::vector<int>{});
    m_layersTitle->setVisible(holds);
    m_layersTitle->setText(plan.layout.virtualStages > 1 ? QStringLiteral("Layers per virtual stage")
                                                         : QStringLiteral("Layers per stage"));
    const int microbatches = plan.training.batch.microbatches(plan.layout.dp);
    m_notices->setFindings(plan, m_document.diagnostics(),
                           QStringLiteral("%1, %2 a step, %3")
                               .arg(counted(plan.layout.ranks(), QStringLiteral("rank")),
                                    counted(microbatches, QStringLiteral("microbatch")),
                                    counted(plan.training.steps, QStringLiteral("step"))));
    m_schedule->showPlan(plan);
    inspect();
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
    const RunPlan& plan = m_document.plan();
    QUndoStack& stack = m_document.undoStack();
    m_header->setTitle(
        QStringLiteral("%1 · %2").arg(toQString(plan.model.name), layoutText(plan.layout)),
        QStringLiteral("data × tensor × pipeline on this machine"));
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
    m_run->setToolTip(hint);
}

void PlanPage::inspect()
{
    m_inspector->inspect(m_document, m_floor->shown());
    m_rankPanel->setTitle(m_inspector->title());
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
