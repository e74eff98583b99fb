#include "ui/commands/set_shape.h"
#include "ui/base/words.h"

namespace triaxis::ui
{

SetShape::SetShape(PlanDocument& document, const ModelShape& shape)
    : PlanCommand(document, withShape(document.drawn(), shape), Words::tr("model"))
{
}

} // namespace triaxis::ui
