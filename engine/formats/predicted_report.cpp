#include "engine/formats/predicted_report.h"

#include "engine/core/units.h"
#include "engine/formats/html_report_sections.h"
#include "engine/formats/html_report_style.h"
#include "engine/schedule/generators.h"
#include "engine/timeline/display_list.h"
#include "engine/timeline/svg_writer.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double wholeWidth = 1190; // of a panel's inside at the page's full width
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

std::string figure(const std::string& name, const std::string& value, const std::string& meaning)
{
    return "<div><dt>" + escapedXml(name) + "</dt><dd>" + escapedXml(value) + "</dd><dd>" +
           escapedXml(meaning) + "</dd></div>\n";
}

std::string row(const std::string& name, const std::vector<std::string>& values)
{
    std::string html = "<tr><td>" + escapedXml(name) + "</td>";
    for (const std::string& value : values)
        html += "<td class=\"n\">" + escapedXml(value) + "</td>";
    return html + "</tr>\n";
}

std::string table(const std::vector<std::string>& names, const std::string& rows)
{
    std::string html =
        "<div class=\"scroll\"><table><thead><tr><th>" + escapedXml(names.front()) + "</th>";
    for (std::size_t index = 1; index < names.size(); ++index)
        html += "<th class=\"n\">" + escapedXml(names[index]) + "</th>";
    return html + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
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

std::string header(const PredictedReport& r)
{
    const TrainingJob& job = r.job;
    return "<header><h1>" +
           escapedXml(job.model.name + " on " + std::to_string(job.devices) + " × " +
                      job.cluster.device.title) +
           "</h1>" + paragraph("Prediction · " + job.cluster.title + " · " + job.software.title) +
           paragraph(planText(r)) +
           paragraph(std::to_string(job.globalBatch) + " sequences of " +
                     std::to_string(job.sequence) + " tokens a step, " +
                     std::to_string(r.plan.microbatches(job.globalBatch)) + " microbatches of " +
                     std::to_string(r.plan.microbatch) + " a replica, " + toText(job.precision)) +
           "</header>\n";
}

std::string figures(const PredictedReport& r)
{
    const double share = r.estimate.seconds / r.seconds;
    const double flops = r.estimate.modelFlopsPerDevice * share;
    const double available = double(r.job.cluster.device.memoryBytes);
    const bool perturbed = std::abs(share - 1) > 1e-9;
    return "<section class=\"panel\"><dl class=\"figures\" style=\"margin:0\">\n" +
           figure("Step time", units::seconds(r.seconds),
                  "predicted, ± " + percentText(r.estimate.expectedError)) +
           figure("Undisturbed", units::seconds(r.estimate.seconds),
                  perturbed ? percentText(1 / share - 1) + " longer as disturbed"
                            : "nothing was disturbed") +
           figure("Tokens / s", units::count(r.estimate.tokensPerSecond * share),
                  units::count(r.estimate.tokensPerSecond * share / r.job.devices) + " a device") +
           figure("MFU", percentText(flops / r.job.cluster.device.peakOf(r.job.precision)),
                  units::flopsPerSecond(flops) + " of model arithmetic") +
           figure("Bubble", percentText(r.estimate.bubble / r.estimate.seconds),
                  "busiest stage, transfers included") +
           figure("Exposed", percentText(r.estimate.exposed / r.estimate.seconds),
                  "communication in layers") +
           figure("Peak memory", bytesText(r.estimate.memory),
                  (r.estimate.memory > available ? "does not fit " : "of ") +
                      bytesText(available)) +
           "</dl></section>\n";
}

std::string timeline(const PredictedReport& r, ClassPaint& paint)
{
    Lanes lanes(r.layout);
    lanes.append(r.spans);
    TimelineView view;
    view.width = wholeWidth;
    view.from = lanes.begin();
    view.to = lanes.end();
    if (lanes.ranks().size() > 16) {
        view.computeHeight = 14;
        view.communicationHeight = 5;
        view.laneGap = 6;
    }
    if (lanes.ranks().size() > mostStages)
        return panel("Timeline", "", paragraph("Too many stages for a picture.", "note"));
    paint.nextPicture();
    const std::string picture = svgOf(drawTimeline(lanes, view), paint, "Timeline");
    paint.nextPicture();
    const DisplayList legend =
        drawLegend(categoriesIn(lanes, view.from, view.to, true), wholeWidth, true);
    return panel("Timeline",
                 "one pipeline, a lane a stage · " + units::seconds(view.to - view.from),
                 "<div class=\"scroll\">" + picture + "</div>\n" +
                     svgOf(legend, paint, "Colours of the timeline"));
}

std::string parts(const PredictedReport& r)
{
    const StepEstimate& e = r.estimate;
    std::string rows;
    for (const auto& [name, seconds] :
         {std::pair("compute", e.compute), std::pair("exposed communication in layers", e.exposed),
          std::pair("bubble and transfers", e.bubble),
          std::pair("gradients, not hidden", e.tail.gradients),
          std::pair("ZeRO in every microbatch, not hidden", e.tail.gathers),
          std::pair("tied embedding", e.tail.embedding), std::pair("update", e.tail.optimizer),
          std::pair("software, once a step", e.tail.overhead), std::pair("step", e.seconds)})
        if (seconds > 0)
            rows += row(name, {secondsText(seconds), percentText(seconds / e.seconds)});
    return panel("Where the time goes", "busiest stage, undisturbed",
                 table({"Part", "Time", "Of the step"}, rows));
}

std::string exposed(const PredictedReport& r)
{
    std::string rows;
    for (std::size_t s = 0; s < std::min(mostStages, r.exposed.size()); ++s) {
        const ExposedTime& e = r.exposed[s];
        rows += row("stage " + std::to_string(s),
                    {secondsText(e.tensor), secondsText(e.context), secondsText(e.expert),
                     secondsText(e.pipeline), secondsText(e.data),
                     s < r.bubbles.size() ? percentText(r.bubbles[s]) : "–"});
    }
    return panel(
        "Communication that nothing hides", "seconds a step, by axis",
        table({"Stage", "tensor", "context", "expert", "pipeline", "data", "bubble"}, rows));
}

std::string memory(const PredictedReport& r)
{
    std::string rows;
    for (std::size_t s = 0; s < std::min(mostStages, r.memory.size()); ++s) {
        const MemoryParts& m = r.memory[s];
        std::vector<std::string> cells;
        for (const double part : {m.weights, m.gradients, m.optimizer, m.activations, m.logits,
                                  m.gathers, m.workspace, m.allocator, m.fixed, m.total()})
            cells.push_back(part > 0 ? bytesText(part) : "–");
        rows += row("stage " + std::to_string(s), cells);
    }
    return panel("Memory of a rank, by stage",
                 "of " + bytesText(double(r.job.cluster.device.memoryBytes)),
                 table({"Stage", "weights", "gradients", "optimizer", "activations", "logits",
                        "gathered", "workspace", "allocator", "fixed", "all"},
                       rows));
}

} // namespace

std::string predictedReportHtml(const PredictedReport& report)
{
    ClassPaint paint;
    // The sections come first: the style sheet has a rule for each colour that they used.
    const std::string body = header(report) + figures(report) + timeline(report, paint) +
                             parts(report) + exposed(report) + memory(report);
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src 'unsafe-inline'\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
           "<meta name=\"generator\" content=\"Triaxis\"/>\n<title>" +
           escapedXml(report.job.model.name + ", predicted") + "</title>\n<style>\n" +
           reportStyle(paint.rules(lightPalette()), paint.rules(darkPalette())) +
           "</style>\n</head>\n<body>\n<main>\n" + body + "</main>\n</body>\n</html>\n";
}

} // namespace triaxis
