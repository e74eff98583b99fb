#include "ui/commands/set_training.h"

namespace triaxis::ui
{
namespace
{

RunPlan changed(RunPlan plan, const TrainingPlan& training)
{
    plan.training = training;
    return plan;
}

} // namespace

SetTraining::SetTraining(PlanDocument& document, const TrainingPlan& training, const QString& text)
    : PlanCommand(document, changed(document.plan(), training), text)
{
}

} // namespace triaxis::ui
