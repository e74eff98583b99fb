#include "ui/timeline/span_panel.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/theme/fonts.h"
#include "ui/timeline/key_commands.h"
#include "ui/widgets/lane_view.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

bool hasMicrobatch(Kind kind)
{
    return kind <= Kind::ReceiveGradient || kind == Kind::TensorCollective;
}

QString timeText(double seconds)
{
    return spoken(units::seconds(seconds));
}

QString nameOf(InstructionId id)
{
    QString name = spoken(toText(id.kind()));
    if (hasMicrobatch(id.kind()))
        name += Words::tr(" of microbatch %1").arg(id.microbatch().value);
    return name;
}

QString whoText(const Lanes& lanes, const RankInstruction& who)
{
    return Words::tr("%1 on rank %2 (%3)")
        .arg(nameOf(who.id))
        .arg(who.rank.value)
        .arg(spoken(toText(coordinatesOf(lanes.layout(), who.rank))));
}

void addCommunication(QList<DetailLine>& lines, const SpanDetails& details)
{
    lines.append({Words::tr("waited"), timeText(details.waited)});
    lines.append({Words::tr("transferred"), timeText(details.seconds())});
    if (details.bytes > 0)
        lines.append({Words::tr("bytes"), spoken(units::bytes(details.bytes))});
    if (details.rate() > 0)
        lines.append({Words::tr("rate"), spoken(units::bytesPerSecond(details.rate()))});
}

void addCompute(QList<DetailLine>& lines, const SpanDetails& details)
{
    lines.append({Words::tr("duration"), timeText(details.seconds())});
    if (details.waited + details.tensorTransfer > 0) {
        lines.append({Words::tr("tensor wait"), timeText(details.waited)});
        lines.append({Words::tr("tensor transfer"), timeText(details.tensorTransfer)});
    }
    if (details.flops > 0)
        lines.append({Words::tr("work"), flopsText(double(details.flops))});
    if (details.rate() > 0)
        lines.append({Words::tr("rate"), spoken(units::flopsPerSecond(details.rate()))});
}

double readyOf(const Lanes& lanes, const RankInstruction& who, std::int32_t step)
{
    const auto place = findSpan(lanes, who.rank, step, who.id, true);
    if (!place)
        return -1e300;
    const SpanDetails details = detailsOf(lanes, *place);
    return details.begin - details.waited;
}

} // namespace

std::optional<RankInstruction> waitedFor(const Lanes& lanes, const SpanPlace& place,
                                         const SpanPartners& partners)
{
    const SpanDetails details = detailsOf(lanes, place);
    if (!details.communication) {
        // A compute instruction waits for the receive that it consumes.
        const auto input = partners.previous(details.rank, details.id);
        if (!input || !isReceive(input->id.kind()))
            return std::nullopt;
        const auto receive = findSpan(lanes, input->rank, details.step, input->id, true);
        if (!receive || detailsOf(lanes, *receive).waited <= 0)
            return std::nullopt;
        return partners.otherEnd(input->rank, input->id);
    }
    if (details.waited <= 0)
        return std::nullopt;
    if (const auto other = partners.otherEnd(details.rank, details.id))
        return other;
    std::optional<RankInstruction> last;
    double latest = -1e300;
    for (const RankInstruction& member : partners.membersOf(details.rank, details.id)) {
        const double ready = readyOf(lanes, member, details.step);
        if (member.rank != details.rank && ready > latest) {
            latest = ready;
            last = member;
        }
    }
    return last;
}

QList<DetailLine> detailLines(const Lanes& lanes, const SpanPlace& place,
                              const std::optional<PredictedTimes>& predicted,
                              const SpanPartners* partners)
{
    const SpanDetails details = detailsOf(lanes, place);
    const auto [stepBegin, stepEnd] = lanes.stepRange(details.step);
    QList<DetailLine> lines;
    lines.append({Words::tr("rank"),
                  Words::tr("%1 · %2").arg(details.rank.value).arg(spoken(toText(details.at)))});
    lines.append({Words::tr("step"), QString::number(details.step)});
    if (hasMicrobatch(details.id.kind()))
        lines.append({Words::tr("microbatch"), QString::number(details.id.microbatch().value)});
    lines.append({Words::tr("chunk"), QString::number(details.id.chunk().value)});
    lines.append(
        {Words::tr("begins"), timeText(details.begin - stepBegin) + Words::tr(" into the step")});
    if (details.communication)
        addCommunication(lines, details);
    else
        addCompute(lines, details);
    if (stepEnd > stepBegin)
        lines.append({Words::tr("of the step"),
                      spoken(units::percent(details.seconds() / (stepEnd - stepBegin)))});
    if (predicted) {
        lines.append(
            {Words::tr("predicted"), durationAgainst(predicted->seconds, details.seconds())});
        lines.append({Words::tr("began"), lateText(predicted->late)});
    }
    if (partners) {
        if (const auto other = partners->otherEnd(details.rank, details.id))
            lines.append({isSend(details.id.kind()) ? Words::tr("to") : Words::tr("from"),
                          whoText(lanes, *other)});
        const auto members = partners->membersOf(details.rank, details.id);
        if (members.size() > 1)
            lines.append({Words::tr("together with"),
                          counted(std::int64_t(members.size()) - 1, QStringLiteral("rank"))});
        if (const auto cause = waitedFor(lanes, place, *partners))
            lines.append({Words::tr("waited for"), whoText(lanes, *cause)});
    }
    return lines;
}

SpanPanel::SpanPanel(LaneView& view, QWidget* parent)
    : QWidget(parent), m_view(view), m_title(new QLabel), m_hint(new QLabel),
      m_grid(new QGridLayout), m_cause(new QPushButton(tr("Go to what it waited for")))
{
    setObjectName(QStringLiteral("spanDetails"));
    setAccessibleName(tr("Details of the span"));
    m_title->setProperty("role", "title");
    m_title->setWordWrap(true);
    m_hint->setWordWrap(true);
    m_hint->setProperty("role", "muted");
    m_hint->setText(tr("Click a span, or step to one with %1 and %2, to see what it "
                       "did, how long it took and what it waited for.")
                        .arg(keysText(keysOf(QStringLiteral("timeline.nextSpan"))),
                             keysText(keysOf(QStringLiteral("timeline.previousSpan")))));
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    m_cause->setObjectName(QStringLiteral("goToCause"));
    connect(m_cause, &QPushButton::clicked, this, &SpanPanel::goToCause);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 4, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addWidget(m_hint);
    layout->addLayout(m_grid);
    layout->addWidget(m_cause, 0, Qt::AlignLeft);
    layout->addStretch(1);
    setMinimumWidth(scaled(190));
    connect(&view, &LaneView::focusChanged, this, &SpanPanel::refresh);
    connect(&view, &LaneView::predictionChanged, this, &SpanPanel::refresh);
    refresh();
}

void SpanPanel::refresh()
{
    const auto place = m_view.focusedSpan();
    m_lines.clear();
    if (place) {
        const Lanes& lanes = *m_view.lanes();
        m_lines =
            detailLines(lanes, *place, m_view.predictedTimesOf(*place), m_view.partners().get());
        m_title->setText(nameOf(trackOf(lanes, *place).id(place->index)));
    }
    m_title->setVisible(place.has_value());
    m_hint->setVisible(!place);
    m_cause->setVisible(!m_lines.isEmpty() && m_lines.back().first == Words::tr("waited for"));
    while (m_rows.size() < m_lines.size()) {
        auto* name = new QLabel;
        auto* value = new QLabel;
        name->setProperty("role", "muted");
        value->setWordWrap(true);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        const int row = int(m_rows.size());
        m_grid->addWidget(name, row, 0, Qt::AlignTop);
        m_grid->addWidget(value, row, 1);
        m_rows.append(qMakePair(name, value));
    }
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const bool used = i < m_lines.size();
        m_rows[i].first->setVisible(used);
        m_rows[i].second->setVisible(used);
        if (used) {
            m_rows[i].first->setText(m_lines[i].first);
            m_rows[i].second->setText(m_lines[i].second);
        }
    }
    setAccessibleDescription(text());
}

QString SpanPanel::text() const
{
    QStringList all;
    for (const DetailLine& line : m_lines)
        all << line.first + QStringLiteral(": ") + line.second;
    return all.join(QLatin1Char('\n'));
}

void SpanPanel::goToCause()
{
    const auto place = m_view.focusedSpan();
    if (!place || !m_view.partners())
        return;
    const Lanes& lanes = *m_view.lanes();
    const auto cause = waitedFor(lanes, *place, *m_view.partners());
    if (!cause)
        return;
    const auto found = findSpan(lanes, cause->rank, trackOf(lanes, *place).step(place->index),
                                cause->id, m_view.areStreamsShown());
    if (found)
        m_view.focusSpan(*found);
}

} // namespace triaxis::ui
