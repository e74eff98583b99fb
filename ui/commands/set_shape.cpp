#include "ui/commands/set_shape.h"

namespace triaxis::ui
{

SetShape::SetShape(PlanDocument& document, const ModelShape& shape)
    : PlanCommand(document, withShape(document.drawn(), shape), QStringLiteral("model"))
{
}

} // namespace triaxis::ui
