#include "ui/plan/axis_name.h"
#include "ui/base/words.h"

namespace triaxis::ui
{

QString axisName(Axis axis)
{
    switch (axis) {
    case Axis::Data:
        return Words::tr("data");
    case Axis::Tensor:
        return Words::tr("tensor");
    case Axis::Pipeline:
        return Words::tr("pipeline");
    }
    return {};
}

} // namespace triaxis::ui
