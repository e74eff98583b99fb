#include "ui/plan/rank_inspector.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/plan/memory_bar.h"
#include "ui/plan/stage_placement.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace triaxis::ui
{
namespace
{

constexpr std::size_t mostRanksShown = 8;

QString ranksText(const std::vector<Rank>& ranks)
{
    QStringList names;
    for (std::size_t i = 0; i < ranks.size() && i < mostRanksShown; ++i)
        names << QString::number(ranks[i].value);
    QString text = names.join(QStringLiteral(", "));
    if (ranks.size() > mostRanksShown)
        text += QStringLiteral(" … %1").arg(ranks.back().value);
    return (ranks.size() == 1 ? Words::tr("rank ") : Words::tr("ranks ")) + text;
}

QString holdsText(const RankShare& share)
{
    QStringList ranges;
    for (const LayerRange& range : share.ranges)
        ranges << rangeText(range.first, range.count);
    QString text = Words::tr("no layer");
    if (!ranges.isEmpty()) {
        const QString last = ranges.takeLast();
        text = share.layers == 1 ? Words::tr("layer ") : Words::tr("layers ");
        if (!ranges.isEmpty())
            text += ranges.join(QStringLiteral(", ")) + Words::tr(" and ");
        text += last;
    }
    if (share.embedding)
        text = Words::tr("embedding, ") + text;
    if (share.head)
        text += Words::tr(", head");
    return text;
}

QString headsText(const RankShare& share, const ModelSpec& model)
{
    QString text =
        Words::tr("%1 of %2").arg(rangeText(share.firstHead, share.heads)).arg(model.heads);
    if (model.kvHeads != model.heads)
        text += Words::tr(", key/value %1")
                    .arg(rangeText(share.firstKeyValueHead, share.keyValueHeads));
    return text;
}

} // namespace

RankInspector::RankInspector(QWidget* parent)
    : QWidget(parent), m_hint(new QLabel), m_details(new QWidget), m_rows(new QGridLayout),
      m_memoryText(new QLabel), m_memory(new MemoryBar)
{
    setObjectName(QStringLiteral("inspector"));
    m_hint->setProperty("role", "muted");
    m_hint->setWordWrap(true);
    m_hint->setText(tr("Point at a rank to light up its three groups; click to keep it. "
                       "Here it says what the rank holds."));
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setHorizontalSpacing(12);
    m_rows->setVerticalSpacing(6);
    m_rows->setColumnStretch(1, 1);
    m_coordinates = addRow(tr("Coordinates"));
    m_place = addRow(tr("Place"));
    m_holds = addRow(tr("Holds"));
    m_heads = addRow(tr("Heads"));
    m_vocabulary = addRow(tr("Vocabulary"));
    m_parameters = addRow(tr("Parameters"));
    m_tensorGroup = addRow(tr("Tensor group"));
    m_pipelineGroup = addRow(tr("Pipeline"));
    m_dataGroup = addRow(tr("Data group"));
    m_traffic = addRow(tr("Sends a step"));
    m_memoryText->setProperty("role", "muted");
    m_memoryText->setWordWrap(true);
    auto* details = new QVBoxLayout(m_details);
    details->setContentsMargins(0, 0, 0, 0);
    details->setSpacing(8);
    details->addLayout(m_rows);
    details->addSpacing(4);
    details->addWidget(m_memoryText);
    details->addWidget(m_memory);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_hint);
    layout->addWidget(m_details);
}

QLabel* RankInspector::addRow(const QString& name)
{
    auto* label = new QLabel(name);
    label->setProperty("role", "muted");
    auto* value = new QLabel;
    value->setWordWrap(true);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const int row = m_rows->rowCount();
    m_rows->addWidget(label, row, 0, Qt::AlignTop);
    m_rows->addWidget(value, row, 1, Qt::AlignTop);
    return value;
}

void RankInspector::inspect(const PlanDocument& document, const DrawnPrediction* prediction,
                            const std::optional<Coordinates>& at)
{
    const DrawnPlan& plan = document.drawn();
    const Layout layout = drawnLayout(plan);
    const bool hasRank = at.has_value() && at->data < layout.dp && at->tensor < layout.tp &&
                         at->pipeline < layout.pp;
    m_hint->setVisible(!hasRank);
    m_details->setVisible(hasRank);
    if (!hasRank) {
        m_title = tr("Rank");
        return;
    }
    const Rank rank = rankOf(layout, *at);
    const int device = deviceOf(plan, rank);
    m_title = tr("Rank %1").arg(rank.value);
    m_coordinates->setText(
        tr("data %1 · tensor %2 · pipeline %3").arg(at->data).arg(at->tensor).arg(at->pipeline));
    m_place->setText(plan.cluster.thisMachine
                         ? tr("node %1, a process here").arg(plan.cluster.nodeOf(device))
                         : tr("node %1, device %2: %3")
                               .arg(plan.cluster.nodeOf(device))
                               .arg(plan.cluster.slotOf(device))
                               .arg(toQString(plan.cluster.nodeOf(device) < plan.cluster.nodes
                                                  ? plan.cluster.specOf(device).title
                                                  : std::string("none"))));
    describeShare(document, *at);
    describeGroups(plan, rank);
    describeTraffic(prediction, at->pipeline);
    describeMemory(document, prediction, *at);
}

void RankInspector::describeShare(const PlanDocument& document, const Coordinates& at)
{
    const DrawnPlan& plan = document.drawn();
    const int tp = std::max(1, plan.run.layout.tp);
    const int rows = (plan.shape.vocabulary + tp - 1) / tp;
    const int firstRow = std::min(plan.shape.vocabulary, at.tensor * rows);
    const int myRows = std::min(rows, plan.shape.vocabulary - firstRow);
    m_vocabulary->setText(QStringLiteral("–"));
    if (document.shares().empty()) {
        describePriced(document, at);
        return;
    }
    const RankShare& share = shareOf(document.shares(), plan.run.layout, at);
    m_holds->setText(holdsText(share));
    m_heads->setText(headsText(share, plan.run.model));
    m_parameters->setText(wholeNumber(share.parameters));
    if (share.embedding || share.head)
        m_vocabulary->setText(
            tr("rows %1 of %2")
                .arg(rangeText(firstRow, myRows), wholeNumber(plan.shape.vocabulary)));
}

/// Of a model that can only be predicted: its layers by the split, heads and experts by the sizes.
void RankInspector::describePriced(const PlanDocument& document, const Coordinates& at)
{
    const DrawnPlan& plan = document.drawn();
    m_parameters->setText(QStringLiteral("–"));
    if (plan.trainable || !document.isSound()) {
        m_holds->setText(tr("the model does not fit this layout"));
        m_heads->setText(QStringLiteral("–"));
        return;
    }
    const std::vector<int> split = layerSplit(plan.run.layout, plan.run.model);
    const std::vector<int> stages = stagesOf(plan.run);
    RankShare share;
    int first = 0;
    for (std::size_t i = 0; i < std::min(split.size(), stages.size()); ++i) {
        if (stages[i] == at.pipeline) {
            if (split[i] > 0)
                share.ranges.push_back({first, split[i]});
            share.layers += split[i];
            share.embedding = share.embedding || i == 0;
            share.head = share.head || i + 1 == split.size();
        }
        first += split[i];
    }
    QString text = holdsText(share);
    if (plan.shape.expert.experts > 0)
        text += tr(", %1 of %2 experts")
                    .arg(plan.shape.expert.experts / std::max(1, plan.ep))
                    .arg(plan.shape.expert.experts);
    m_holds->setText(text);
    const int heads = plan.shape.heads / std::max(1, plan.run.layout.tp);
    m_heads->setText(tr("%1 of %2").arg(rangeText(at.tensor * heads, heads)).arg(plan.shape.heads));
}

void RankInspector::describeGroups(const DrawnPlan& plan, Rank rank)
{
    const Layout layout = drawnLayout(plan);
    const auto text = [&](Axis axis) {
        const std::vector<Rank> group = groupOf(layout, rank, axis);
        const QString ranks = ranksText(group);
        if (plan.cluster.thisMachine || group.size() < 2)
            return ranks;
        std::set<int> nodes;
        for (const Rank member : group)
            nodes.insert(plan.cluster.nodeOf(deviceOf(plan, member)));
        const std::vector<LinkLevel>& levels = plan.cluster.network.levels;
        const LinkLevel& link = nodes.size() > 1 ? levels.back() : levels.front();
        const QString name = spoken(link.name);
        return ranks + (nodes.size() > 1 ? tr(", over %1 nodes by %2").arg(nodes.size()).arg(name)
                                         : tr(", in one node by %1").arg(name));
    };
    m_tensorGroup->setText(text(Axis::Tensor));
    m_pipelineGroup->setText(text(Axis::Pipeline));
    m_dataGroup->setText(text(Axis::Data));
}

void RankInspector::describeTraffic(const DrawnPrediction* prediction, int stage)
{
    if (prediction == nullptr || std::size_t(stage) >= prediction->traffic.size()) {
        m_traffic->setText(QStringLiteral("–"));
        return;
    }
    const AxisTraffic& traffic = prediction->traffic[std::size_t(stage)];
    const std::pair<const char*, double> axes[] = {
        {QT_TRANSLATE_NOOP("Words", "tensor"), traffic.tensor},
        {QT_TRANSLATE_NOOP("Words", "context"), traffic.context},
        {QT_TRANSLATE_NOOP("Words", "expert"), traffic.expert},
        {QT_TRANSLATE_NOOP("Words", "pipeline"), traffic.pipeline},
        {QT_TRANSLATE_NOOP("Words", "data"), traffic.data}};
    QStringList parts;
    for (const auto& [name, bytes] : axes)
        if (bytes > 0)
            parts << QStringLiteral("%1 %2").arg(Words::tr(name),
                                                 spoken(units::bytes(std::int64_t(bytes))));
    m_traffic->setText(parts.isEmpty() ? tr("nothing") : parts.join(QStringLiteral(", ")));
}

void RankInspector::describeMemory(const PlanDocument& document, const DrawnPrediction* prediction,
                                   const Coordinates& at)
{
    const auto stage = std::size_t(at.pipeline);
    const bool known = prediction != nullptr && stage < prediction->memory.size();
    m_memory->setVisible(known);
    m_memoryText->setVisible(known);
    if (!known)
        return;
    const MemoryParts& parts = prediction->memory[stage];
    const double bytes =
        prediction->bytesOf(document.drawn(), rankOf(drawnLayout(document.drawn()), at));
    m_memoryText->setText(
        tr("%1 at the peak of a step").arg(spoken(units::bytes(std::int64_t(bytes)))));
    double fullest = 1;
    for (const MemoryParts& other : prediction->memory)
        fullest = std::max(fullest, other.total());
    const auto part = [](double amount) { return std::int64_t(amount); };
    m_memory->setParts({{tr("weights"), part(parts.weights + parts.gathers), 0},
                        {tr("gradients"), part(parts.gradients), 1},
                        {tr("optimizer"), part(parts.optimizer), 2},
                        {tr("activations"), part(parts.activations + parts.logits), 3},
                        {tr("other"), part(parts.workspace + parts.allocator + parts.fixed), 4}},
                       std::int64_t(fullest));
}

} // namespace triaxis::ui
