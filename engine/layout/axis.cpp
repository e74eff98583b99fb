#include "engine/layout/axis.h"

namespace triaxis
{

int& coordinate(Coordinates& at, Axis axis)
{
    switch (axis) {
    case Axis::Data:
        return at.data;
    case Axis::Tensor:
        return at.tensor;
    case Axis::Pipeline:
        break;
    }
    return at.pipeline;
}

int coordinateOf(Coordinates at, Axis axis)
{
    return coordinate(at, axis);
}

int sizeOf(const Layout& layout, Axis axis)
{
    switch (axis) {
    case Axis::Data:
        return layout.dp;
    case Axis::Tensor:
        return layout.tp;
    case Axis::Pipeline:
        return layout.pp;
    }
    return 1;
}

const char* shortName(Axis axis)
{
    switch (axis) {
    case Axis::Data:
        return "dp";
    case Axis::Tensor:
        return "tp";
    case Axis::Pipeline:
        return "pp";
    }
    return "";
}

} // namespace triaxis
