#include "engine/formats/predicted_report.h"

#include "engine/core/units.h"
#include "engine/formats/report_html.h"
#include "engine/formats/run_report_sections.h"
#include "engine/schedule/generators.h"
#include "engine/timeline/charts.h"
#include "engine/timeline/display_list.h"
#include "engine/timeline/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace triaxis
{
namespace
{

constexpr std::size_t mostStages = 256;

std::string secondsText(double seconds)
{
    return seconds > 0 ? units::seconds(seconds) : "–";
}

std::string bytesText(double bytes)
{
    return units::bytes(std::int64_t(std::clamp(bytes, 0.0, 9e18)));
}

std::string percentText(double share)
{
    return std::isfinite(share) ? units::percent(share) : "–";
}

std::string planText(const PredictedReport& r)
{
    const ParallelPlan& p = r.plan;
    std::string text = "data " + std::to_string(p.dp) + " · tensor " + std::to_string(p.tp) +
                       " · context " + std::to_string(p.cp) + " · pipeline " + std::to_string(p.pp);
    if (p.virtualStages > 1)
        text += " × " + std::to_string(p.virtualStages) + " chunks";
    if (p.ep > 1)
        text += " · expert " + std::to_string(p.ep);
    text += " · " + scheduleTitle(p.schedule) + " · recompute " + toText(p.recompute) + " · ZeRO " +
            toText(p.zero);
    return text + (p.sequenceParallel ? " · sequence parallel" : "");
}

ReportDocument header(const PredictedReport& r)
{
    const TrainingJob& job = r.job;
    return {filled("%1 on %2 × %3",
                   {job.model.name, std::to_string(job.devices), job.cluster.device.title}),
            {"Prediction · " + job.cluster.title + " · " + job.software.title, planText(r),
             filled("%1 sequences of %2 tokens a step, %3 microbatches of %4 a replica, %5",
                    {std::to_string(job.globalBatch), std::to_string(job.sequence),
                     std::to_string(r.plan.microbatches(job.globalBatch)),
                     std::to_string(r.plan.microbatch), toText(job.precision)})}};
}

ReportSection figures(const PredictedReport& r)
{
    const double share = r.estimate.seconds / r.seconds;
    const double flops = r.estimate.modelFlopsPerDevice * share;
    const double available = double(r.job.cluster.device.memoryBytes);
    const bool perturbed = std::abs(share - 1) > 1e-9;
    ReportSection section;
    section.blocks.emplace_back(
        ReportFigures{{{"Step time", units::seconds(r.seconds),
                        filled("predicted, ± %1", {percentText(r.estimate.expectedError)})},
                       {"Undisturbed", units::seconds(r.estimate.seconds),
                        perturbed ? filled("%1 longer as disturbed", {percentText(1 / share - 1)})
                                  : "nothing was disturbed"},
                       {"Tokens / s", units::count(r.estimate.tokensPerSecond * share),
                        filled("%1 a device",
                               {units::count(r.estimate.tokensPerSecond * share / r.job.devices)})},
                       {"MFU", percentText(flops / r.job.cluster.device.peakOf(r.job.precision)),
                        filled("%1 of model arithmetic", {units::flopsPerSecond(flops)})},
                       {"Bubble", percentText(r.estimate.bubble / r.estimate.seconds),
                        "busiest stage, transfers included"},
                       {"Exposed", percentText(r.estimate.exposed / r.estimate.seconds),
                        "communication in layers"},
                       {"Peak memory", bytesText(r.estimate.memory),
                        filled(r.estimate.memory > available ? "does not fit %1" : "of %1",
                               {bytesText(available)})}}});
    return section;
}

ReportSection timeline(const PredictedReport& r)
{
    const auto lanes = std::make_shared<Lanes>(r.layout);
    lanes->append(r.spans);
    TimelineView view;
    view.from = lanes->begin();
    view.to = lanes->end();
    if (lanes->ranks().size() > 16) {
        view.computeHeight = 14;
        view.communicationHeight = 5;
        view.laneGap = 6;
    }
    ReportSection section{"Timeline", ""};
    if (lanes->ranks().size() > mostStages) {
        section.blocks.emplace_back(
            ReportParagraph{"Too many stages for a picture.", ReportTone::Note});
        return section;
    }
    section.remark =
        filled("one pipeline, a lane a stage · %1", {units::seconds(view.to - view.from)});
    section.blocks.emplace_back(ReportPicture{
        "timeline", "Timeline",
        [lanes, view](double width) {
            TimelineView wide = view;
            wide.width = width;
            return stacked(
                {drawTimeline(*lanes, wide),
                 drawLegend(categoriesIn(*lanes, view.from, view.to, true), width, true)},
                10);
        },
        24, true});
    return section;
}

ReportCell timeCell(double seconds)
{
    return {secondsText(seconds), exactText(seconds)};
}

ReportSection parts(const PredictedReport& r)
{
    const StepEstimate& e = r.estimate;
    ReportTable table{
        "parts",
        "",
        {{"part", "Part", "", false}, {"time_s", "Time"}, {"step_share", "Of the step"}}};
    for (const auto& [name, seconds] :
         {std::pair("compute", e.compute), std::pair("exposed communication in layers", e.exposed),
          std::pair("bubble and transfers", e.bubble),
          std::pair("gradients, not hidden", e.tail.gradients),
          std::pair("ZeRO in every microbatch, not hidden", e.tail.gathers),
          std::pair("tied embedding", e.tail.embedding), std::pair("update", e.tail.optimizer),
          std::pair("software, once a step", e.tail.overhead), std::pair("step", e.seconds)})
        if (seconds > 0)
            table.rows.push_back(
                {{name, ""},
                 timeCell(seconds),
                 {percentText(seconds / e.seconds), exactText(seconds / e.seconds)}});
    ReportSection section{"Where the time goes", "busiest stage, undisturbed"};
    section.blocks.emplace_back(std::move(table));
    return section;
}

ReportSection exposed(const PredictedReport& r)
{
    ReportTable table{"exposed",
                      "",
                      {{"stage", "Stage", "", false},
                       {"tensor_s", "tensor"},
                       {"context_s", "context"},
                       {"expert_s", "expert"},
                       {"pipeline_s", "pipeline"},
                       {"data_s", "data"},
                       {"bubble_share", "bubble"}}};
    for (std::size_t s = 0; s < std::min(mostStages, r.exposed.size()); ++s) {
        const ExposedTime& e = r.exposed[s];
        const double bubble =
            s < r.bubbles.size() ? r.bubbles[s] : std::numeric_limits<double>::quiet_NaN();
        table.rows.push_back(
            {{stageText(int(s)), std::to_string(s)},
             timeCell(e.tensor),
             timeCell(e.context),
             timeCell(e.expert),
             timeCell(e.pipeline),
             timeCell(e.data),
             {percentText(bubble), std::isfinite(bubble) ? exactText(bubble) : ""}});
    }
    ReportSection section{"Communication that nothing hides", "seconds a step, by axis"};
    section.blocks.emplace_back(std::move(table));
    return section;
}

ReportSection memory(const PredictedReport& r)
{
    ReportTable table{"memory",
                      "",
                      {{"stage", "Stage", "", false},
                       {"weights_bytes", "weights"},
                       {"gradients_bytes", "gradients"},
                       {"optimizer_bytes", "optimizer"},
                       {"activations_bytes", "activations"},
                       {"logits_bytes", "logits"},
                       {"gathered_bytes", "gathered"},
                       {"workspace_bytes", "workspace"},
                       {"allocator_bytes", "allocator"},
                       {"fixed_bytes", "fixed"},
                       {"all_bytes", "all"}}};
    for (std::size_t s = 0; s < std::min(mostStages, r.memory.size()); ++s) {
        const MemoryParts& m = r.memory[s];
        std::vector<ReportCell> cells{{stageText(int(s)), std::to_string(s)}};
        for (const double part : {m.weights, m.gradients, m.optimizer, m.activations, m.logits,
                                  m.gathers, m.workspace, m.allocator, m.fixed, m.total()})
            cells.push_back({part > 0 ? bytesText(part) : "–", exactText(part)});
        cells.back().strong = true;
        table.rows.push_back(std::move(cells));
    }
    ReportSection section{"Memory of a rank, by stage",
                          filled("of %1", {bytesText(double(r.job.cluster.device.memoryBytes))})};
    section.blocks.emplace_back(std::move(table));
    return section;
}

} // namespace

ReportDocument predictedReport(const PredictedReport& report)
{
    ReportDocument document = header(report);
    document.sections = {figures(report), timeline(report), parts(report), exposed(report),
                         memory(report)};
    return document;
}

std::string predictedReportHtml(const PredictedReport& report)
{
    return reportHtml(predictedReport(report));
}

} // namespace triaxis
