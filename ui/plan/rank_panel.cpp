#include "ui/plan/rank_panel.h"

#include "ui/base/text.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_predictor.h"
#include "ui/plan/rank_inspector.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/scrolling.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace triaxis::ui
{

RankPanel::RankPanel(const PlanDocument& document, const PlanPredictor& predictor, QWidget* parent)
    : Panel(tr("Rank"), parent), m_document(document), m_predictor(predictor),
      m_inspector(new RankInspector), m_notices(new NoticeList)
{
    auto* lookAt = new QLabel(tr("What to look at"));
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
    area->setAccessibleName(tr("Rank and findings"));
    area->setObjectName(QStringLiteral("inspectorScroll"));
    setContent(area);
    followTextSize(this, [this] { setMinimumWidth(scaled(118) + 118); });
    connect(m_notices, &NoticeList::mendRequested, this, &RankPanel::mendRequested);
}

void RankPanel::inspect(const std::optional<Coordinates>& at)
{
    const bool isNew = m_predictor.isUpToDate();
    m_inspector->inspect(m_document, isNew ? m_predictor.prediction().get() : nullptr, at);
    setTitle(m_inspector->title());
}

void RankPanel::refresh(const std::vector<PlanFinding>& findings)
{
    const DrawnPlan& plan = m_document.drawn();
    const int microbatches = plan.run.training.batch.microbatches(plan.run.layout.dp);
    const QString detail = tr("%1, %2 a step")
                               .arg(counted(drawnLayout(plan).ranks(), QStringLiteral("rank")),
                                    counted(microbatches, QStringLiteral("microbatch")));
    m_notices->setNotices(
        findings, m_document.canRun() ? tr("This plan can run") : tr("This plan is sound"), detail);
}

} // namespace triaxis::ui
