#include "ui/plan/plan_text.h"

#include "engine/record/step_figures.h"
#include "ui/base/language.h"

namespace triaxis::ui
{

QString lossUnit(const RunPlan& plan)
{
    return spoken(unitOfLoss(plan));
}

QString layoutText(const Layout& layout)
{
    return QStringLiteral("%1 × %2 × %3").arg(layout.dp).arg(layout.tp).arg(layout.pp);
}

} // namespace triaxis::ui
