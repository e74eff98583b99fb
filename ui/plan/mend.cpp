#include "ui/plan/mend.h"
#include "ui/base/words.h"

#include <algorithm>
#include <cstdlib>

namespace triaxis::ui
{
namespace
{

constexpr int widestSearch = 1024; ///< values tried on either side of the present one

struct Setting
{
    const char* where;
    const char* name;
    int& (*of)(RunPlan&);
};

int& dataSize(RunPlan& plan)
{
    return plan.layout.dp;
}
int& tensorSize(RunPlan& plan)
{
    return plan.layout.tp;
}
int& pipelineSize(RunPlan& plan)
{
    return plan.layout.pp;
}
int& globalBatch(RunPlan& plan)
{
    return plan.training.batch.globalBatch;
}
int& microbatch(RunPlan& plan)
{
    return plan.training.batch.microbatch;
}
int& sequence(RunPlan& plan)
{
    return plan.training.batch.sequence;
}

constexpr Setting settings[] = {
    {"layout.dp", QT_TRANSLATE_NOOP("Words", "data parallel size"), dataSize},
    {"layout.tp", QT_TRANSLATE_NOOP("Words", "tensor parallel size"), tensorSize},
    {"layout.pp", QT_TRANSLATE_NOOP("Words", "pipeline parallel size"), pipelineSize},
    {"training.globalBatch", QT_TRANSLATE_NOOP("Words", "global batch"), globalBatch},
    {"training.microbatch", QT_TRANSLATE_NOOP("Words", "microbatch"), microbatch},
    {"training.sequence", QT_TRANSLATE_NOOP("Words", "sequence length"), sequence},
};

std::size_t errorsOf(const std::vector<Diagnostic>& diagnostics)
{
    return std::size_t(
        std::count_if(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& finding) {
            return finding.severity == Severity::Error;
        }));
}

std::vector<Diagnostic> check(const RunPlan& plan)
{
    return checkLayout(plan.layout, plan.model, plan.training.batch);
}

/// The finding is gone, and so is every other one about its setting that weighs as much.
bool mends(const RunPlan& candidate, const Diagnostic& finding, std::size_t errorsBefore)
{
    const std::vector<Diagnostic> after = check(candidate);
    const std::size_t allowed =
        finding.severity == Severity::Error ? errorsBefore - 1 : errorsBefore;
    if (errorsOf(after) > allowed)
        return false;
    return std::none_of(after.begin(), after.end(), [&](const Diagnostic& left) {
        return left.where == finding.where && left.severity >= finding.severity;
    });
}

std::optional<Mend> search(const RunPlan& plan, const Diagnostic& finding, const Setting& setting,
                           std::size_t errorsBefore)
{
    RunPlan candidate = plan;
    int& value = setting.of(candidate);
    const int now = value;
    for (int distance = 1; distance <= widestSearch; ++distance) {
        for (const int wanted : {now - distance, now + distance}) {
            if (wanted < 1)
                continue;
            value = wanted;
            if (mends(candidate, finding, errorsBefore))
                return Mend{candidate, QStringLiteral("%1 %2 → %3")
                                           .arg(Words::tr(setting.name))
                                           .arg(now)
                                           .arg(wanted)};
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Mend> findMend(const RunPlan& plan, const Diagnostic& finding)
{
    if (finding.severity == Severity::Note)
        return std::nullopt;
    const std::vector<Diagnostic> before = check(plan);
    const bool isLayoutRule =
        std::any_of(before.begin(), before.end(), [&](const Diagnostic& other) {
            return other.what == finding.what && other.where == finding.where;
        });
    if (!isLayoutRule)
        return std::nullopt;
    const std::size_t errors = errorsOf(before);
    if (finding.where == "layout.layersPerStage") {
        RunPlan candidate = plan;
        candidate.layout.layersPerStage.clear();
        if (mends(candidate, finding, errors))
            return Mend{candidate, Words::tr("even layer split")};
        return std::nullopt;
    }
    for (const Setting& setting : settings) {
        if (finding.where == setting.where)
            return search(plan, finding, setting, errors);
    }
    return std::nullopt;
}

} // namespace triaxis::ui
