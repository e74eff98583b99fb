#include "ui/search/what_if_dialog.h"

#include "engine/core/units.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/plan/plan_predictor.h"
#include "ui/plan/prediction_figures.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/dialog_size.h"
#include "ui/widgets/panel.h"
#include "ui/base/language.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr int halfTravel = 20;    ///< steps to either side
constexpr double mostOctaves = 3; ///< an eighth to eight times

QString factorText(double factor)
{
    return QStringLiteral("× ") + decimalText(factor, factor < 1 ? 2 : 1);
}

/// What the ends and the middle of the sliders stand for.
QWidget* scaleOfSliders()
{
    auto* scale = new QWidget;
    scale->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(scale);
    row->setContentsMargins(0, 0, 0, 0);
    const auto add = [&](const char* text, Qt::Alignment side) {
        auto* label = new QLabel(Words::tr(text));
        label->setProperty("role", "small");
        label->setAlignment(side);
        row->addWidget(label, 1);
    };
    add(QT_TRANSLATE_NOOP("Words", "an eighth"), Qt::AlignLeft);
    add(QT_TRANSLATE_NOOP("Words", "as planned"), Qt::AlignHCenter);
    add(QT_TRANSLATE_NOOP("Words", "8 times"), Qt::AlignRight);
    return scale;
}

} // namespace

DrawnPlan withFactors(DrawnPlan plan, const WhatIfFactors& factors)
{
    ClusterSpec& network = plan.cluster.network;
    for (std::size_t i = 0; i < network.levels.size(); ++i) {
        LinkLevel& level = network.levels[i];
        const bool between = i + 1 == network.levels.size();
        level.bandwidth *= between ? factors.betweenBandwidth : factors.insideBandwidth;
        level.latency *= factors.latency;
        level.startup *= factors.latency;
    }
    const auto speed = [&](DeviceSpec& device) {
        for (double& peak : device.peak)
            peak *= factors.compute;
        device.memoryBandwidth *= factors.memoryRate;
    };
    speed(network.device);
    for (NodeDevices& nodes : plan.cluster.mixed)
        speed(nodes.device);
    const Layout layout = plan.run.layout;
    const int dp = std::max(1, int(std::lround(layout.dp * factors.replicas)));
    if (dp != layout.dp) {
        BatchShape& batch = plan.run.training.batch;
        const double wanted = double(batch.globalBatch) / layout.dp * dp;
        batch.globalBatch = int(std::min(wanted, 1e9));
        plan = withAxisSizes(std::move(plan), dp, layout.tp, layout.pp);
        plan.cluster.nodes =
            std::max(1, int(std::ceil(double(drawnLayout(plan).ranks()) / plan.cluster.nodeSize)));
    }
    return plan;
}

WhatIfDialog::WhatIfDialog(const DrawnPlan& plan, const std::filesystem::path& home,
                           QWidget* parent)
    : QDialog(parent), m_plan(plan), m_document(plan, 1),
      m_predictor(new PlanPredictor(m_document, home, this)), m_figures(new FigureStrip)
{
    setObjectName(QStringLiteral("whatIfDialog"));
    setWindowTitle(tr("What if"));
    m_predictor->setTimelineWanted(false);
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    grid->addWidget(scaleOfSliders(), 0, 1);
    addKnobs(grid);
    auto* panel = new Panel(tr("If these were different"));
    panel->setHint(tr("the plan stays as it is"));
    panel->setContent(content);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::Reset);
    buttons->button(QDialogButtonBox::Reset)->setText(tr("As planned"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::Reset), &QPushButton::clicked, this,
            &WhatIfDialog::reset);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(m_figures);
    layout->addWidget(panel, 1);
    layout->addWidget(buttons);
    connect(m_predictor, &PlanPredictor::predicted, this, &WhatIfDialog::showFigures);
    resizeWithinScreen(*this, {1040, 440});
    showValues();
    showFigures();
}

WhatIfDialog::~WhatIfDialog() = default;

void WhatIfDialog::addKnobs(QGridLayout* grid)
{
    const auto add = [&](const char* object, const char* name, const char* hint, Figure figure) {
        addKnob(grid, QLatin1String(object), Words::tr(name), Words::tr(hint),
                std::move(figure));
    };
    add("between", QT_TRANSLATE_NOOP("Words", "Bandwidth between nodes"),
        QT_TRANSLATE_NOOP("Words", "Of the outermost link"), [](const DrawnPlan& plan) {
            return spoken(units::bytesPerSecond(plan.cluster.network.levels.back().bandwidth));
        });
    add("inside", QT_TRANSLATE_NOOP("Words", "Bandwidth inside a node"),
        QT_TRANSLATE_NOOP("Words", "Of all inner links"), [](const DrawnPlan& plan) {
            return spoken(units::bytesPerSecond(plan.cluster.network.levels.front().bandwidth));
        });
    add("latency", QT_TRANSLATE_NOOP("Words", "Latency of links"),
        QT_TRANSLATE_NOOP("Words", "Start of collectives included"), [](const DrawnPlan& plan) {
            return spoken(units::seconds(plan.cluster.network.levels.back().latency));
        });
    add("compute", QT_TRANSLATE_NOOP("Words", "Compute rate"),
        QT_TRANSLATE_NOOP("Words", "Peak of the devices: another generation, another clock"),
        [](const DrawnPlan& plan) {
            return spoken(units::flopsPerSecond(
                plan.cluster.network.device.peakOf(trainingJob(plan).precision)));
        });
    add("memoryRate", QT_TRANSLATE_NOOP("Words", "Memory bandwidth"),
        QT_TRANSLATE_NOOP("Words", "Of the devices"), [](const DrawnPlan& plan) {
            return spoken(units::bytesPerSecond(plan.cluster.network.device.memoryBandwidth));
        });
    add("replicas", QT_TRANSLATE_NOOP("Words", "Replicas"),
        QT_TRANSLATE_NOOP("Words", "Data-parallel size, and the global batch with it"),
        [](const DrawnPlan& plan) {
            return tr("%1, batch %2")
                .arg(plan.run.layout.dp)
                .arg(wholeNumber(plan.run.training.batch.globalBatch));
        });
    // Where one level joins everything, there is nothing inside it.
    if (m_plan.cluster.network.levels.size() < 2) {
        m_knobs[1].slider->setEnabled(false);
        m_knobs[1].slider->setToolTip(tr("This cluster has one level of links only"));
    }
}

void WhatIfDialog::addKnob(QGridLayout* grid, const QString& object, const QString& name,
                           const QString& hint, Figure figure)
{
    Knob knob{new QSlider(Qt::Horizontal), new QLabel, std::move(figure)};
    knob.slider->setObjectName(object);
    knob.slider->setProperty("look", "balance");
    knob.slider->setToolTip(hint);
    knob.slider->setAccessibleName(name);
    knob.slider->setRange(-halfTravel, halfTravel);
    knob.slider->setPageStep(5);
    knob.value->setMinimumWidth(scaled(150));
    const int row = grid->rowCount();
    auto* label = new QLabel(name);
    label->setToolTip(hint);
    grid->addWidget(label, row, 0);
    grid->addWidget(knob.slider, row, 1);
    grid->addWidget(knob.value, row, 2);
    connect(knob.slider, &QSlider::valueChanged, this, &WhatIfDialog::turn);
    m_knobs.push_back(knob);
}

double WhatIfDialog::factor(std::size_t knob) const
{
    return std::exp2(mostOctaves * m_knobs[knob].slider->value() / halfTravel);
}

void WhatIfDialog::turn()
{
    m_document.setDrawn(
        withFactors(m_plan, {factor(0), factor(1), factor(2), factor(3), factor(4), factor(5)}));
    showValues();
}

/// Each figure as the plan has it, or as the slider has it beside its factor.
void WhatIfDialog::showValues()
{
    for (std::size_t i = 0; i < m_knobs.size(); ++i) {
        const Knob& knob = m_knobs[i];
        const bool isTurned = knob.slider->value() != 0;
        const QString figure = knob.figure(trial());
        knob.value->setText(isTurned ? tr("%1 · %2").arg(factorText(factor(i)), figure) : figure);
        knob.slider->setAccessibleDescription(knob.value->text());
    }
}

void WhatIfDialog::reset()
{
    for (const Knob& knob : m_knobs)
        knob.slider->setValue(0);
}

void WhatIfDialog::showFigures()
{
    if (!m_predictor->prediction())
        return;
    if (!m_base)
        m_base = m_predictor->prediction();
    m_figures->setFigures(predictionFigures(m_document.drawn(), m_predictor->prediction().get(),
                                            m_base.get(), m_predictor->machine(),
                                            tr("against the plan")));
}

} // namespace triaxis::ui
