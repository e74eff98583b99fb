#include "ui/plan/rank_inspector.h"

#include "engine/core/units.h"
#include "ui/base/text.h"
#include "ui/plan/memory_bar.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

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
    return (ranks.size() == 1 ? QStringLiteral("rank ") : QStringLiteral("ranks ")) + text;
}

QString holdsText(const RankShare& share)
{
    QStringList ranges;
    for (const LayerRange& range : share.ranges)
        ranges << rangeText(range.first, range.count);
    QString text = (share.layers == 1 ? QStringLiteral("layer ") : QStringLiteral("layers ")) +
                   ranges.join(QStringLiteral(" and "));
    if (share.embedding)
        text = QStringLiteral("embedding, ") + text;
    if (share.head)
        text += QStringLiteral(", head");
    return text;
}

QString headsText(const RankShare& share, const ModelSpec& model)
{
    QString text = QStringLiteral("%1 of %2").arg(rangeText(share.firstHead, share.heads)).arg(model.heads);
    if (model.kvHeads != model.heads)
        text += QStringLiteral(", key/value %1")
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
    m_hint->setText(QStringLiteral("Point at a rank to light up its three groups; click to keep it. "
                                   "Here it says what the rank holds."));
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setHorizontalSpacing(12);
    m_rows->setVerticalSpacing(6);
    m_rows->setColumnStretch(1, 1);
    m_coordinates = addRow(QStringLiteral("Coordinates"));
    m_holds = addRow(QStringLiteral("Holds"));
    m_heads = addRow(QStringLiteral("Heads"));
    m_parameters = addRow(QStringLiteral("Parameters"));
    m_tensorGroup = addRow(QStringLiteral("Tensor group"));
    m_pipelineGroup = addRow(QStringLiteral("Pipeline"));
    m_dataGroup = addRow(QStringLiteral("Data group"));
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

void RankInspector::inspect(const PlanDocument& document, const std::optional<Coordinates>& at)
{
    const bool hasRank = at.has_value();
    m_hint->setVisible(!hasRank);
    m_details->setVisible(hasRank);
    if (!hasRank) {
        m_title = QStringLiteral("Rank");
        return;
    }
    const Rank rank = rankOf(document.plan().layout, *at);
    m_title = QStringLiteral("Rank %1").arg(rank.value);
    m_coordinates->setText(QStringLiteral("data %1 · tensor %2 · pipeline %3")
                               .arg(at->data)
                               .arg(at->tensor)
                               .arg(at->pipeline));
    describeShare(document, *at);
    describeGroups(document.plan().layout, rank);
}

void RankInspector::describeShare(const PlanDocument& document, const Coordinates& at)
{
    const bool known = !document.shares().empty();
    m_memory->setVisible(known);
    m_memoryText->setVisible(known);
    if (!known) {
        const QString reason = QStringLiteral("the model does not fit this layout");
        m_holds->setText(reason);
        m_heads->setText(QStringLiteral("–"));
        m_parameters->setText(QStringLiteral("–"));
        return;
    }
    const RunPlan& plan = document.plan();
    const RankShare& share = shareOf(document.shares(), plan.layout, at);
    m_holds->setText(holdsText(share));
    m_heads->setText(headsText(share, plan.model));
    m_parameters->setText(wholeNumber(share.parameters));
    std::int64_t fullest = 1;
    for (const RankShare& other : document.shares())
        fullest = std::max(fullest, other.totalBytes());
    m_memoryText->setText(
        QStringLiteral("%1 before activations").arg(toQString(units::bytes(share.totalBytes()))));
    m_memory->setParts({{QStringLiteral("weights"), share.weightBytes(), 0},
                        {QStringLiteral("gradients"), share.gradientBytes(), 1},
                        {QStringLiteral("optimizer"), share.optimizerBytes(), 2}},
                       fullest);
}

void RankInspector::describeGroups(const Layout& layout, Rank rank)
{
    m_tensorGroup->setText(ranksText(groupOf(layout, rank, Axis::Tensor)));
    m_pipelineGroup->setText(ranksText(groupOf(layout, rank, Axis::Pipeline)));
    m_dataGroup->setText(ranksText(groupOf(layout, rank, Axis::Data)));
}

} // namespace triaxis::ui
