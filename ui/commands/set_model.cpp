#include "ui/commands/set_model.h"
#include "ui/base/words.h"

namespace triaxis::ui
{

SetModel::SetModel(PlanDocument& document, const ModelSpec& model)
    : PlanCommand(document, withModel(document.drawn(), model), Words::tr("model"))
{
}

} // namespace triaxis::ui
