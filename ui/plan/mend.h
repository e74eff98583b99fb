#pragma once

#include "engine/plan/drawn_plan.h"

#include <QMetaType>
#include <QString>

#include <optional>
#include <vector>

namespace triaxis::ui
{

/// A change of one setting that makes a finding go away without causing an error.
struct Mend
{
    RunPlan plan;   ///< with the change
    QString change; ///< "tensor parallel size 3 → 4"
};

/// The nearest value of the setting that `finding` is about that mends it. Nothing where no single
/// setting does.
std::optional<Mend> findMend(const RunPlan& plan, const Diagnostic& finding);

/// The same of a drawn plan.
struct DrawnMend
{
    DrawnPlan plan;
    QString change;
};

/// What makes a finding about a drawn plan go away; empty where nothing simple does.
std::vector<DrawnMend> drawnMends(const DrawnPlan& plan, const Diagnostic& finding);

} // namespace triaxis::ui

Q_DECLARE_METATYPE(triaxis::ui::DrawnMend)
