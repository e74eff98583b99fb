#include "ui/timeline/timeline_legend.h"

#include "engine/timeline/lane_painter.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/widgets/lane_view.h"

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int mostNames = 7; // then the colours begin again

void addMembers(std::vector<LegendBar::Entry>& entries, const Lanes& lanes, Axis axis)
{
    const int size = sizeOf(lanes.layout(), axis);
    for (int i = 0; i < std::min(size, mostNames); ++i)
        entries.push_back(
            {memberInk(i), spoken(groupName(axis, i)) +
                               (i + mostNames < size ? QStringLiteral(" …") : QString())});
}

} // namespace

std::vector<LegendBar::Entry> legendOf(const LaneView& view)
{
    std::vector<LegendBar::Entry> entries;
    if (view.colourBy() && view.lanes()) {
        addMembers(entries, *view.lanes(), *view.colourBy());
    } else {
        entries = {{Ink::Forward, Words::tr("forward")},
                   {Ink::Backward, Words::tr("backward")},
                   {Ink::WeightGradient, Words::tr("weight gradient")}};
    }
    entries.insert(entries.end(), {{Ink::Tensor, Words::tr("tensor")},
                                   {Ink::Pipeline, Words::tr("pipeline")},
                                   {Ink::Data, Words::tr("data")},
                                   {Ink::Optimizer, Words::tr("optimizer")},
                                   {Ink::Wait, Words::tr("wait")},
                                   {Ink::Idle, Words::tr("idle")}});
    if (view.lanes() && view.lanes()->layout().tp > 1)
        entries.push_back({view.colourBy() ? memberInk(0) : Ink::Forward,
                           Words::tr("strip in a span: tensor wait, sum"),
                           1,
                           {Ink::Wait, Ink::Tensor}});
    if (view.isPredictionShown())
        entries.push_back({view.colourBy() ? memberInk(0) : Ink::Forward,
                           view.isPredictionScaled()
                               ? Words::tr("pale, above a lane: predicted, scaled to the step")
                               : Words::tr("pale, above a lane: predicted"),
                           predictedOpacity});
    return entries;
}

} // namespace triaxis::ui
