#include "engine/formats/run_report.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/formats/run_report_sections.h"
#include "engine/schedule/generators.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

/// The predicted step as the records of a run of one step.
RunRecords recordsOf(const MachinePrediction& prediction)
{
    RunRecords records;
    records.all.spans = prediction.spans;
    for (std::size_t rank = 0; rank < prediction.memory.size(); ++rank) {
        MemorySample sample;
        sample.step = 1;
        sample.rank = Rank(int(rank));
        sample.peak = prediction.memory[rank].peak;
        sample.peakTotal = prediction.memory[rank].peakTotal;
        records.all.memory.push_back(sample);
    }
    return records;
}

ReportSection figures(const ReportInput& input, const MachinePrediction& prediction)
{
    const BatchShape& batch = input.plan.training.batch;
    const double tokens = double(batch.globalBatch) * batch.sequence;
    const double closed = closedBubble(input.facts.bubble.form);
    std::int64_t peak = 0;
    for (const PredictedBytes& rank : prediction.memory)
        peak = std::max(peak, rank.peakTotal);
    ReportSection section;
    section.blocks.emplace_back(ReportFigures{
        {{"Step time", units::seconds(prediction.stepSeconds),
          prediction.spread > 0 ? filled("predicted, ± %1", {units::percent(prediction.spread)})
                                : "predicted"},
         {"Tokens / s", units::count(tokens / prediction.stepSeconds), "predicted"},
         {"Bubble", shareText(input.facts.bubble.kept.bubble),
          std::isfinite(closed) ? filled("predicted, closed form %1", {shareText(closed)})
                                : "predicted"},
         {"Memory", units::bytes(peak), "peak of the fullest rank, predicted"},
         {"Threads", std::to_string(prediction.threads), "of each rank"}}});
    return section;
}

} // namespace

ReportDocument plannedReport(const RunPlan& plan, const RunPrediction& prediction,
                             const std::string& planFile)
{
    if (!prediction.prediction)
        throw Error("cannot report the plan", prediction.problem, prediction.remedy);
    const RunRecords records = recordsOf(*prediction.prediction);
    const RunEnvironment environment;
    const RunStatus status;
    const ReportFacts facts = reportFacts(plan, records);
    const RunReportSource source{plan, environment, status, records, nullptr, planFile, true};
    const ReportInput input{source, plan, environment, status, records, facts};
    ReportDocument report;
    setHeader(report, input);
    report.subtitle = {
        filled("%1, %2, schedule %3. Nothing was run: all figures are predicted.",
               {toText(plan.layout), countedText("%n ranks", "%n rank", plan.layout.ranks()),
                scheduleTitle(plan.training.schedule)}),
        filled("predicted from %1", {prediction.basis})};
    report.sections.push_back(figures(input, *prediction.prediction));
    for (const auto add :
         {addLayout, addTimeline, addBubble, addMemory, addCommunication, addSettings, addRepeat})
        add(report.sections, input);
    return report;
}

} // namespace triaxis
