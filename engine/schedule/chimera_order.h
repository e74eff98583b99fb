#pragma once

#include "engine/schedule/generators.h"

namespace triaxis
{

/// Chimera's order (Li and Hoefler, 2021), in which every forward of the paper's figure is
/// `together` forwards back to back. Two pipelines of opposite directions in units of P · together
/// microbatches; the next unit's forwards stand in the bubbles at the end of the one before. A last
/// unit with fewer microbatches is the full one without those it lacks; where P are enough for
/// them, it is a plain one.
ComputeProgram chimeraOrder(const ScheduleRequest& request, int together);

} // namespace triaxis
