#pragma once

#include "engine/record/run_plan.h"

#include <QString>

#include <optional>

namespace triaxis::ui
{

/// A change of one setting that makes a finding go away without causing an error.
struct Mend
{
    RunPlan plan;       ///< with the change
    QString change;     ///< "tensor parallel size 3 → 4"
};

/// The nearest value of the setting that `finding` is about that mends it. Nothing where no single setting does.
std::optional<Mend> findMend(const RunPlan& plan, const Diagnostic& finding);

} // namespace triaxis::ui
