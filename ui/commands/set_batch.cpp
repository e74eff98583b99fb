#include "ui/commands/set_batch.h"

namespace triaxis::ui
{
namespace
{

RunPlan changed(RunPlan plan, const BatchShape& batch)
{
    plan.training.batch = batch;
    return plan;
}

} // namespace

SetBatch::SetBatch(PlanDocument& document, const BatchShape& batch, const QString& text)
    : PlanCommand(document, changed(document.plan(), batch), text)
{
}

} // namespace triaxis::ui
