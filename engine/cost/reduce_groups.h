#pragma once

#include "engine/record/run_plan.h"
#include "engine/schedule/program.h"

#include <utility>
#include <vector>

namespace triaxis
{

/// Groups of ranks that reduce together, by what they reduce.
class ReduceGroups
{
public:
    ReduceGroups(const RunPlan& plan, const Program& program);

    /// Members, and a number that only this group has among those of the kind.
    std::pair<int, int> of(Kind kind, const Coordinates& at) const;

private:
    const RunPlan& m_plan;
    const Program& m_program;
    std::vector<int> m_tied;
};

} // namespace triaxis
