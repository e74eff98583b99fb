#include "ui/plan/plan_findings.h"

#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_predictor.h"

#include <algorithm>
#include <array>
#include <utility>

namespace triaxis::ui
{
namespace
{

void addMemoryMends(std::vector<PlanFinding>& all, const DrawnPlan& plan,
                    const OutOfMemory& explained)
{
    for (PlanFinding& one : all) {
        if (!one.finding.what.starts_with("out of memory"))
            continue;
        for (const MemoryMend& mend : explained.mends)
            one.mends.push_back({withParallelPlan(plan, mend.plan()), spoken(mend.text())});
    }
}

/// Settings that have no control of their own name, and where they are set.
constexpr std::array<std::pair<const char*, const char*>, 8> elsewhere{{
    {"layout", "layout.dp"},
    {"layout.layersPerStage", "layerBar"},
    {"placement", "floor"},
    {"prediction", "figures"},
    {"machine", "cluster"},
    {"execution.device", "execution.threadsPerRank"},
    {"execution.precision", "execution.threadsPerRank"},
    {"execution.wholeSteps", "execution.everyStep"},
}};

} // namespace

std::vector<PlanFinding> planFindings(const PlanDocument& document, const PlanPredictor& predictor)
{
    const DrawnPlan& plan = document.drawn();
    std::vector<Diagnostic> found = document.diagnostics();
    const auto& prediction = predictor.prediction();
    const bool isNew = prediction && predictor.isUpToDate();
    if (isNew)
        found.insert(found.end(), prediction->findings.begin(), prediction->findings.end());
    std::vector<PlanFinding> all;
    all.reserve(found.size());
    for (Diagnostic& finding : found) {
        std::vector<DrawnMend> mends = drawnMends(plan, finding);
        all.push_back({std::move(finding), std::move(mends)});
    }
    if (isNew && predictor.outOfMemory())
        addMemoryMends(all, plan, *predictor.outOfMemory());
    return all;
}

QString placeOf(const std::string& where)
{
    if (where.starts_with("rank "))
        return QStringLiteral("floor");
    for (const auto& [setting, place] : elsewhere)
        if (where == setting)
            return QString::fromLatin1(place);
    return toQString(where);
}

const PlanFinding* heaviestAt(const std::vector<PlanFinding>& findings, const QString& place)
{
    const PlanFinding* heaviest = nullptr;
    for (const PlanFinding& one : findings) {
        const bool heavier =
            heaviest == nullptr || one.finding.severity > heaviest->finding.severity;
        if (heavier && placeOf(one.finding.where) == place)
            heaviest = &one;
    }
    return heaviest;
}

const std::string& adviceText(const Diagnostic& finding)
{
    const bool asks = finding.severity == Severity::Error && !finding.mend.empty();
    return asks ? finding.mend : finding.what;
}

QString adviceOf(const Diagnostic& finding)
{
    return spoken(adviceText(finding));
}

void showFindings(const FindingPlaces& places, const std::vector<PlanFinding>& findings)
{
    for (auto place = places.constBegin(); place != places.constEnd(); ++place)
        place->show(heaviestAt(findings, place.key()));
}

} // namespace triaxis::ui
