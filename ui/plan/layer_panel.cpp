#include "ui/plan/layer_panel.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/commands/set_layer_split.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_predictor.h"
#include "ui/plan/stage_placement.h"
#include "ui/theme/theme.h"
#include "ui/widgets/choice_box.h"
#include "ui/widgets/elided_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

QString percent(double share)
{
    return QStringLiteral("%1 %").arg(std::lround(100 * share));
}

} // namespace

LayerPanel::LayerPanel(PlanDocument& document, const PlanPredictor& predictor, QWidget* parent)
    : QWidget(parent), m_document(document), m_predictor(predictor), m_title(new QLabel),
      m_said(new ElidedLabel), m_mend(new QPushButton(tr("Mend"))), m_legend(new QLabel),
      m_part(new ChoiceBox), m_scroll(new QScrollArea), m_bar(new LayerBar)
{
    m_scroll->setObjectName(QStringLiteral("layerScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_scroll->setWidget(m_bar);
    m_bar->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(buildHead());
    column->addWidget(m_scroll);
    connect(m_bar, &LayerBar::splitRequested, this,
            [this](const std::vector<int>& layers, int gesture) {
                m_document.apply(std::make_unique<SetLayerSplit>(m_document, layers, gesture));
            });
    connect(m_bar, &LayerBar::dividerChosen, this,
            [this](int x) { m_scroll->ensureVisible(x, 0, LayerBar::leastSegment() * 2, 0); });
    connect(m_part, &ChoiceBox::currentIndexChanged, this, &LayerPanel::choosePart);
    connect(m_mend, &QPushButton::clicked, this, [this] {
        if (!m_mends.empty())
            emit mendRequested(DrawnMend(m_mends.front()));
    });
    colourLegend();
}

QWidget* LayerPanel::buildHead()
{
    m_title->setObjectName(QStringLiteral("layersTitle"));
    m_title->setProperty("role", "small");
    m_said->setObjectName(QStringLiteral("layersProblem"));
    m_said->setProperty("role", "problem");
    m_legend->setProperty("role", "small");
    m_legend->setTextFormat(Qt::RichText);
    m_mend->setProperty("look", "mend");
    m_mend->hide();
    m_part->setObjectName(QStringLiteral("layerPart"));
    m_part->setAccessibleName(tr("Chunk whose layers are shown"));
    m_part->setProperty("flat", true);
    m_part->hide();
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(m_title);
    row->addWidget(m_part);
    row->addWidget(m_said, 1);
    row->addWidget(m_mend);
    row->addStretch(0);
    row->addWidget(m_legend);
    return head;
}

void LayerPanel::addPlaces(FindingPlaces& places)
{
    places.insert(m_bar->objectName(),
                  {m_said, [this](const PlanFinding* finding) { showFinding(finding); }});
}

void LayerPanel::showFinding(const PlanFinding* finding)
{
    m_mends = finding != nullptr ? finding->mends : std::vector<DrawnMend>{};
    const bool wrong = finding != nullptr && finding->finding.severity == Severity::Error;
    m_said->setText(finding != nullptr ? adviceOf(finding->finding) : QString());
    m_said->setProperty("role", wrong ? "problem" : "small");
    m_said->style()->unpolish(m_said);
    m_said->style()->polish(m_said);
    m_mend->setVisible(!m_mends.empty());
    if (!m_mends.empty())
        m_mend->setToolTip(m_mends.front().change);
}

void LayerPanel::refresh()
{
    const DrawnPlan& plan = m_document.drawn();
    const Layout& layout = plan.run.layout;
    const bool holds = m_document.isSound() || !m_document.shares().empty();
    if (holds) {
        const auto& training = plan.run.training;
        const Placement placement{training.schedule, training.scheduleCsv, layout.pp,
                                  layout.virtualStages};
        if (placement != m_placement || m_stages.empty()) {
            m_placement = placement;
            m_stages = stagesOf(plan.run);
        }
        m_bar->setLayers(layerSplit(layout, plan.run.model), {m_stages, !plan.cluster.thisMachine});
    } else
        m_bar->setLayers({});
    m_title->setText(holds ? layout.virtualStages > 1 ? tr("Layers per virtual stage")
                                                      : tr("Layers per stage")
                           : tr("Layers are shared out once the layout can hold them"));
    const int parts = m_bar->chunks() + 1;
    if (m_part->count() != parts) {
        const QSignalBlocker quiet(m_part);
        m_part->clear();
        m_part->addItem(tr("all chunks together"));
        for (int chunk = 0; chunk + 1 < parts; ++chunk)
            m_part->addItem(tr("chunk %1 of %2").arg(chunk).arg(parts - 1));
        m_part->setMinimumWidth(m_part->widthOfLongest());
    }
    choosePart();
    refreshCosts();
}

void LayerPanel::choosePart()
{
    const int all = int(m_bar->layers().size());
    const bool fits = all * LayerBar::leastSegment() <= width();
    const bool inParts = m_bar->chunks() > 1 && !fits;
    m_part->setVisible(inParts);
    if (!inParts) {
        if (m_bar->showsSums() || m_bar->chunk() >= 0)
            m_bar->showChunk(-1);
    } else if (m_part->currentIndex() <= 0) {
        m_bar->showSums();
    } else {
        m_bar->showChunk(m_part->currentIndex() - 1);
    }
    const bool scrolls = m_bar->minimumSizeHint().width() > width();
    const int bar = scrolls ? m_scroll->horizontalScrollBar()->sizeHint().height() : 0;
    m_scroll->setFixedHeight(m_bar->sizeHint().height() + bar);
    refreshCosts();
}

std::vector<LayerBar::Cost> LayerPanel::timesOf(const DrawnPrediction& prediction) const
{
    const Layout& layout = m_document.plan().layout;
    std::vector<double> seconds = prediction.stageSeconds;
    if (m_bar->showsSums()) {
        std::vector<double> sums(std::size_t(layout.pp), 0);
        for (std::size_t i = 0; i < std::min(seconds.size(), m_stages.size()); ++i)
            sums.at(std::size_t(m_stages[i])) += seconds[i];
        seconds = std::move(sums);
    }
    const double slowest = seconds.empty() ? 0 : *std::max_element(seconds.begin(), seconds.end());
    std::vector<LayerBar::Cost> costs;
    for (const double one : seconds) {
        const double share = one / std::max(slowest, 1e-300);
        QString text = tr("%1 of the slowest stage's time").arg(percent(share));
        if (prediction.basis != PredictionBasis::Units)
            text = tr("%1 a microbatch, ").arg(spoken(units::seconds(one))) + text;
        costs.push_back({share, text});
    }
    return costs;
}

std::vector<LayerBar::Cost> LayerPanel::memoryOf(const DrawnPrediction& prediction) const
{
    const DrawnPlan& plan = m_document.drawn();
    std::vector<LayerBar::Cost> costs;
    for (int stage = 0; stage < plan.run.layout.pp; ++stage) {
        const Rank rank = rankOf(drawnLayout(plan), {0, 0, stage});
        const double capacity = capacityOf(plan, rank, m_predictor.machine());
        const double bytes = prediction.bytesOf(plan, rank);
        QString text = spoken(units::bytes(std::int64_t(bytes)));
        if (capacity > 0)
            text += tr(" of %1").arg(spoken(units::bytes(std::int64_t(capacity))));
        costs.push_back({capacity > 0 ? bytes / capacity : 0, text});
    }
    return costs;
}

void LayerPanel::refreshCosts()
{
    const auto& prediction = m_predictor.prediction();
    const bool known =
        !m_bar->layers().empty() && prediction && prediction->known && m_predictor.isUpToDate();
    m_legend->setVisible(known);
    if (known)
        m_bar->setCosts(timesOf(*prediction), memoryOf(*prediction));
    else
        m_bar->setCosts({}, {});
}

void LayerPanel::colourLegend()
{
    const Theme& theme = themeOf(palette());
    m_legend->setText(tr("<span style='color:%1'>&#9644;</span> time of a microbatch &nbsp; "
                         "<span style='color:%2'>&#9644;</span> memory")
                          .arg(theme.accent.name(), theme.heat(0.8).name()));
}

void LayerPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    choosePart();
}

void LayerPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colourLegend();
    if (event->type() == QEvent::FontChange)
        choosePart();
}

} // namespace triaxis::ui
