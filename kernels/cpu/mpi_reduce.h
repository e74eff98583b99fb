#pragma once

#include "kernels/communicator.h"

#include <cstddef>
#include <vector>

namespace triaxis::kernels::mpi
{

enum class Element { Float, Double };

std::size_t elementBytes(Element element);

/// to[i] = ((sources[0][i] ⊕ sources[1][i]) ⊕ sources[2][i]) … for `count` elements, in one pass
/// over memory. The result
/// goes to `also`, too, unless that is null. `to` may be one of the sources. The order of the
/// additions, and with it every bit, depends only on the order of the sources. A NaN in any source
/// gives NaN, for Reduction::Maximum too.
void reduceInOrder(void* to, void* also, const std::vector<const void*>& sources, std::size_t count,
                   Element element, Reduction reduction);

} // namespace triaxis::kernels::mpi
