#pragma once

#include "engine/timeline/display_list.h"

#include <string>
#include <vector>

namespace triaxis
{

/// Words of the picture, each with %1 for a number.
struct LayoutWords
{
    std::string replica = "data %1";
    std::string stage = "stage %1";
    std::string tensor = "tensor %1";
    std::string rank = "rank %1";
    std::string more = "and %1 more replicas like these";
};

/// Where every rank of a layout stands: a block a replica, in it a row a pipeline stage, in it a
/// cell a tensor rank. `places` [rank]: "host:0", or empty. Layouts of thousands of ranks show as
/// many replicas as stay legible, and say how many more there are.
DisplayList drawLayout(const Layout& layout, const std::vector<std::string>& places, double width,
                       const LayoutWords& words = {});

} // namespace triaxis
