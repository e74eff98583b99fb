#include "ui/plan/schedule_panel.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/schedule/generators.h"
#include "engine/timeline/schedule_picture.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/display_list_view.h"
#include "ui/widgets/legend_bar.h"
#include "ui/widgets/stage_bars.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace triaxis::ui
{
namespace
{

constexpr int mostPlaced = 40'000; ///< compute steps; beyond it a picture would say nothing

bool isSame(const ScheduleRequest& a, const ScheduleRequest& b)
{
    const auto fields = [](const ScheduleRequest& request) {
        return std::tie(request.name, request.stages, request.microbatches, request.virtualStages,
                        request.microbatchGroup, request.csv);
    };
    return fields(a) == fields(b);
}

/// The letters with what they mean: some papers call the backward for the input B.
std::vector<LegendBar::Entry> legendOf(const ComputeProgram& program)
{
    bool full = false;
    bool split = false;
    for (const auto& order : program.order)
        for (const ComputeStep& step : order) {
            full = full || step.kind == Kind::Backward;
            split = split || step.kind == Kind::BackwardInput;
        }
    std::vector<LegendBar::Entry> entries{{Ink::Forward, Words::tr("F forward")}};
    if (full)
        entries.push_back({Ink::Backward, Words::tr("B full backward")});
    if (split) {
        entries.push_back(
            {Ink::Backward, Words::tr("I backward for the input (B in zero-bubble papers)")});
        entries.push_back({Ink::WeightGradient, Words::tr("W backward for the weights")});
    }
    entries.push_back({Ink::Idle, Words::tr("idle")});
    return entries;
}

} // namespace

SchedulePanel::SchedulePanel(QWidget* parent)
    : Panel(tr("Schedule"), parent), m_scroll(new QScrollArea), m_picture(new DisplayListView),
      m_legend(new LegendBar({})), m_live(new StageBars)
{
    setObjectName(QStringLiteral("schedulePanel"));
    m_picture->setAccessibleName(tr("Picture of the schedule"));
    m_scroll->setObjectName(QStringLiteral("scheduleScroll"));
    m_scroll->setWidget(m_picture);
    m_scroll->setFocusPolicy(Qt::StrongFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_scroll->viewport()->installEventFilter(this);
    m_picture->setAutoFillBackground(false); // setWidget() turns it on
    m_legend->setEntries(legendOf({}));
    m_live->setTitle(tr("Microbatches alive, at most"));
    m_live->setToolTip(tr("Activations of so many microbatches are kept on a rank of the "
                          "stage at the same time"));
    auto* left = new QVBoxLayout;
    left->setSpacing(6);
    left->addWidget(m_scroll, 1);
    left->addWidget(m_legend);
    auto* content = new QWidget;
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(20);
    row->addLayout(left, 1);
    row->addWidget(m_live);
    setContent(content);
}

void SchedulePanel::showPlan(const RunPlan& plan)
{
    ScheduleRequest request = scheduleRequest(plan);
    if (m_request && isSame(*m_request, request))
        return;
    m_request = std::move(request);
    m_played = {};
    setTitle(spoken(scheduleTitle(plan.training.schedule)));
    setHint(
        tr("drawn with forward, backward for the input and for the weights alike, transfers free"));
    play();
    m_live->setValues(m_played.peakLive, std::max(1, m_request->microbatches));
    redraw();
}

void SchedulePanel::play()
{
    const int count = m_request->microbatches;
    const int stages = m_request->stages;
    const int pieces = m_request->virtualStages;
    if (count <= 0) {
        setHint(tr("drawn once the batch divides"));
    } else if (std::int64_t(count) * stages * pieces * 2 > mostPlaced) {
        setHint(tr("%1 on %2: too many to draw")
                    .arg(counted(count, QStringLiteral("microbatch")),
                         counted(stages, QStringLiteral("stage"))));
    } else {
        try {
            const ComputeProgram program = generate(*m_request);
            m_played = triaxis::play(program, evenCosts(stages, pieces, 1, 1, 1));
            m_legend->setEntries(legendOf(program));
        } catch (const Error& error) {
            setHint(spoken(error.object()));
        }
    }
}

void SchedulePanel::redraw()
{
    constexpr double leastRow = 14;
    constexpr double mostRow = 46;
    const double scale = fontScale();
    const double width = m_scroll->viewport()->width() / scale;
    const double height = m_scroll->viewport()->height() / scale;
    const double stages = std::max(1.0, double(m_played.stages.size()));
    m_picture->setAccessibleDescription(
        m_request ? tr("%1 on %2")
                        .arg(counted(m_request->microbatches, QStringLiteral("microbatch")),
                             counted(m_request->stages, QStringLiteral("stage")))
                  : QString());
    m_picture->setList(m_played.stages.empty()
                           ? DisplayList{}
                           : drawPlayed(m_played, std::max(200.0, width),
                                        std::clamp(height / stages, leastRow, mostRow)));
}

bool SchedulePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_scroll->viewport() && event->type() == QEvent::Resize)
        redraw();
    return Panel::eventFilter(watched, event);
}

void SchedulePanel::changeEvent(QEvent* event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        redraw();
}

} // namespace triaxis::ui
