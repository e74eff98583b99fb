#include "engine/formats/run_report_sections.h"
#include "engine/schedule/generators.h"
#include "engine/timeline/bubble_phases.h"
#include "engine/timeline/charts.h"

#include <cmath>

namespace triaxis
{
namespace
{

/// Share of one stage in a closed form: idle over work, or over the window.
double closedShare(const std::vector<double>& idle, double work, std::size_t stage, bool ofWindow)
{
    if (idle.empty() || !(work > 0))
        return ReportFacts::none;
    return idle[stage] / (work + (ofWindow ? idle[stage] : 0));
}

/// "20.3 % | 20.0 %"
ReportCell bothCell(double measured, double closed)
{
    return {shareText(measured) + " | " + shareText(closed), shareCell(measured).value};
}

ReportTable ratesTable(const ReportInput& input)
{
    const RunBubble& bubble = input.facts.bubble;
    const ClosedForm& form = bubble.form;
    ReportTable table{"bubble",
                      input.source.predicted ? "Bubble, predicted | closed form"
                                             : "Bubble, measured | closed form",
                      {{"stage", "Stage", "", false},
                       {"idle_over_ideal_share", "Idle over ideal"},
                       {"idle_over_step_share", "Idle over step"},
                       {"own_window_share", "In its own window"}}};
    for (std::size_t stage = 0; stage < bubble.byStage.size(); ++stage) {
        const BubbleRates& rates = bubble.byStage[stage];
        table.rows.push_back(
            {{stageText(int(stage)), std::to_string(stage)},
             bothCell(rates.overIdeal, closedShare(form.idle, form.work, stage, false)),
             bothCell(rates.overMakespan, closedShare(form.idle, form.work, stage, true)),
             bothCell(rates.ownOverMakespan, closedShare(form.idleOwn, form.work, stage, true))});
    }
    return table;
}

/// The same for programs, with the closed form in columns of its own.
ReportTable closedTable(const ReportInput& input)
{
    const ClosedForm& form = input.facts.bubble.form;
    ReportTable table{"closed-form",
                      "Closed form of the bubble",
                      {{"stage", "Stage", "", false},
                       {"idle_over_ideal_share", "Idle over ideal"},
                       {"idle_over_step_share", "Idle over step"},
                       {"own_window_share", "In its own window"}}};
    table.fileOnly = true;
    for (std::size_t stage = 0; stage < input.facts.bubble.byStage.size(); ++stage)
        table.rows.push_back({{stageText(int(stage)), std::to_string(stage)},
                              shareCell(closedShare(form.idle, form.work, stage, false)),
                              shareCell(closedShare(form.idle, form.work, stage, true)),
                              shareCell(closedShare(form.idleOwn, form.work, stage, true))});
    return table;
}

ReportTable splitTable(const ReportInput& input)
{
    ReportTable table{"bubble-split",
                      "Where the step goes",
                      {{"stage", "Stage", "", false},
                       {"busy_share", "Busy"},
                       {"warm_up_share", "Warm-up"},
                       {"steady_share", "Steady"},
                       {"peer_share", "Peer"},
                       {"transfer_share", "Transfer"},
                       {"cool_down_share", "Cool-down"},
                       {"tail_share", "Tail"}}};
    for (const BubbleRow& row : input.facts.bubbleRows) {
        std::vector<ReportCell> cells{{stageText(row.stage), std::to_string(row.stage)}};
        for (const double share :
             {row.share.busy(), row.share.warmUp, row.share.steady, row.share.peerWait,
              row.share.exposedTransfer, row.share.coolDown, row.share.tail})
            cells.push_back(shareCell(share));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string formText(const ReportInput& input)
{
    const RunBubble& bubble = input.facts.bubble;
    const std::string name = scheduleTitle(input.plan.training.schedule);
    if (bubble.form.idle.empty())
        return filled("%1, %2: %3.", {name, bubble.assumes, bubble.form.idleText});
    return filled("Closed form of %1, transfers free and stages even: a "
                  "stage idles %2, %3.",
                  {name, bubble.form.idleText, bubble.assumes});
}

} // namespace

void addBubble(ReportSections& sections, const ReportInput& input)
{
    const ReportFacts& facts = input.facts;
    const std::string both =
        input.source.predicted ? "predicted | closed form" : "measured | closed form";
    ReportSection section{"Bubble by stage",
                          facts.bubble.step >= 0
                              ? filled("step %1, %2", {std::to_string(facts.bubble.step), both})
                              : both};
    section.blocks.emplace_back(
        ReportPicture{"bubble", "Bubble by stage", [rows = facts.bubbleRows](double width) {
                          return drawBubbleBars(rows, width);
                      }});
    const auto note = [&section](const std::string& text) {
        section.blocks.emplace_back(ReportParagraph{text, ReportTone::Note});
    };
    note("Bubble: idle time of a stage's compute lane over the step without "
         "its tail. A bar shows all of the step that is not compute, tensor "
         "collectives and tail included.");
    if (!facts.bubbleRows.empty()) {
        section.blocks.emplace_back(ratesTable(input));
        section.blocks.emplace_back(closedTable(input));
        note("Its own window reaches from a stage's first to its last "
             "compute; the step begins and ends on all stages together.");
        section.blocks.emplace_back(splitTable(input));
        note("Shares of the whole step. Busy: compute and tensor "
             "collectives; peer: waiting for a peer; transfer: exposed "
             "communication; tail: gradient reduction, norm, optimizer, "
             "loss.");
    }
    note(formText(input));
    sections.push_back(std::move(section));
}

} // namespace triaxis
