#include "ui/commands/set_model.h"

namespace triaxis::ui
{

SetModel::SetModel(PlanDocument& document, const ModelSpec& model)
    : PlanCommand(document, withModel(document.drawn(), model), QStringLiteral("model"))
{
}

} // namespace triaxis::ui
