#include "ui/plan/axis_name.h"

namespace triaxis::ui
{

QString axisName(Axis axis)
{
    switch (axis) {
    case Axis::Data:
        return QStringLiteral("data");
    case Axis::Tensor:
        return QStringLiteral("tensor");
    case Axis::Pipeline:
        return QStringLiteral("pipeline");
    }
    return {};
}

} // namespace triaxis::ui
