#pragma once

#include "engine/timeline/display_list.h"

#include <variant>

namespace triaxis
{

/// Moves one item of a picture down, `by` pixels.
inline void moveDown(DisplayItem& item, double by)
{
    struct Move
    {
        double by;
        void operator()(FillRect& rect) const { rect.y += by; }
        void operator()(DrawText& text) const { text.y += by; }
        void operator()(StrokeLine& line) const
        {
            line.y1 += by;
            line.y2 += by;
        }
        void operator()(Polyline& line) const
        {
            for (auto& point : line.points)
                point.second += by;
        }
    };
    std::visit(Move{by}, item);
}

} // namespace triaxis
