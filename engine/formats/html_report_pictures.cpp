#include "engine/core/units.h"
#include "engine/formats/html_report_sections.h"
#include "engine/timeline/timeline_geometry.h"
#include "engine/record/step_figures.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace triaxis
{
namespace
{

constexpr double wholeWidth = 1190; // of a panel's inside at the page's full width
constexpr double halfWidth = 572;
constexpr std::size_t mostLanes = 256;

std::string picture(const ReportInput& input, const DisplayList& list, const std::string& title)
{
    input.paint.nextPicture();
    return svgOf(list, input.paint, title);
}

/// Lanes get lower the more there are; from 65 ranks on communication is left out.
TimelineView stepView(const Lanes& lanes, std::int32_t step)
{
    TimelineView view;
    view.width = wholeWidth;
    std::tie(view.from, view.to) = lanes.stepRange(step);
    const std::size_t ranks = lanes.ranks().size();
    if (ranks > 64) {
        view.computeHeight = 9;
        view.communicationHeight = 0;
        view.laneGap = 2;
        view.headerWidth = 130;
    } else if (ranks > 16) {
        view.computeHeight = 14;
        view.communicationHeight = 5;
        view.laneGap = 6;
        view.headerWidth = 130;
    }
    return view;
}

} // namespace

std::string timelineSection(const ReportInput& input)
{
    const ReportFacts& facts = input.facts;
    Lanes lanes(input.plan.layout);
    lanes.append(facts.bubble.spans);
    if (lanes.stepRanges().empty())
        return panel("Timeline", "",
                     paragraph("No spans were recorded. They come with the first step: a run that "
                               "ended before it has none.",
                               "note"));
    TimelineView view = stepView(lanes, facts.bubble.step);
    std::string remark = "grouped by replica, then stage · " + units::seconds(view.to - view.from);
    if (lanes.ranks().size() > mostLanes) {
        remark += " · first " + std::to_string(mostLanes) + " of " +
                  std::to_string(lanes.ranks().size()) + " ranks";
        const TimelineGeometry geometry(lanes, view);
        view.height = geometry.laneTop(mostLanes - 1) + geometry.pitch();
    }
    const bool communication = view.communicationHeight > 0;
    if (!communication)
        remark += " · communication left out";
    const DisplayList legend = drawLegend(categoriesIn(lanes, view.from, view.to, communication),
                                          wholeWidth, communication);
    const std::string title = "Timeline · step " + std::to_string(facts.bubble.step);
    return panel(title, remark,
                 "<div class=\"scroll\">" + picture(input, drawTimeline(lanes, view), title) +
                     "</div>\n" + picture(input, legend, "Colours of the timeline"));
}

std::string lossPanel(const ReportInput& input)
{
    LineChart chart;
    chart.xName = "step";
    chart.yName = unitOfLoss(input.plan);
    int missing = 0;
    for (const StepResult& step : input.facts.steps) {
        chart.points.emplace_back(step.step, step.loss);
        missing += !std::isfinite(step.loss);
    }
    if (input.plan.data.bestLoss >= 0) {
        chart.reference = input.plan.data.bestLoss;
        chart.referenceName = "best reachable " + figureText(chart.reference);
    }
    std::string body = picture(
        input, drawLineChart(chart, halfWidth, chart.points.empty() ? 64 : 240), "Loss by step");
    if (missing > 0)
        body += paragraph(std::to_string(missing) + (missing == 1 ? " step has" : " steps have") +
                              " a loss that is no finite number.",
                          "note");
    return panel("Loss", "mean of the global batch, before the update", body);
}

} // namespace triaxis
