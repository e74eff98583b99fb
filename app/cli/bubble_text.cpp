#include "app/cli/bubble_text.h"

#include "engine/core/units.h"
#include "engine/timeline/charts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

namespace triaxis::cli
{
namespace
{

using Json = nlohmann::ordered_json;

Json orNull(std::optional<double> value)
{
    return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json orNull(const std::vector<double>& values)
{
    return values.empty() ? Json(nullptr) : Json(values);
}

Json ratesJson(const BubbleRates& rates)
{
    return {{"idle_over_ideal", orNull(rates.overIdeal)},
            {"idle_over_makespan", orNull(rates.overMakespan)},
            {"own_idle_over_ideal", orNull(rates.ownOverIdeal)},
            {"own_idle_over_window", orNull(rates.ownOverMakespan)}};
}

Json splitJson(const LaneShare& share)
{
    return {{"warm_up", share.warmUp},     {"steady", share.steady},
            {"peer_wait", share.peerWait}, {"exposed_transfer", share.exposedTransfer},
            {"cool_down", share.coolDown}, {"tail", share.tail}};
}

std::string percentText(std::optional<double> share)
{
    return share && std::isfinite(*share) ? units::percent(*share) : "–";
}

/// Padded by what is seen: the space in front of a percent sign has three bytes.
std::string padded(const std::string& text, int width)
{
    int seen = 0;
    for (const char c : text)
        seen += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return std::string(std::size_t(std::max(0, width - seen)), ' ') + text;
}

void printRates(const std::string& name, const BubbleRates& rates)
{
    std::printf("  %-18s%s%s%s\n", name.c_str(), padded(percentText(rates.overIdeal), 12).c_str(),
                padded(percentText(rates.overMakespan), 12).c_str(),
                padded(percentText(rates.ownOverMakespan), 14).c_str());
}

void printSplit(const std::vector<BubbleRow>& rows)
{
    std::printf("\nwhere the step's time went     warm-up      steady  wait for peer    transfer   "
                "cool-down        tail\n");
    for (const BubbleRow& row : rows) {
        std::printf("  %-18s", row.name.c_str());
        for (const auto& [share, width] :
             {std::pair(row.share.warmUp, 18), std::pair(row.share.steady, 12),
              std::pair(row.share.peerWait, 15), std::pair(row.share.exposedTransfer, 12),
              std::pair(row.share.coolDown, 12), std::pair(row.share.tail, 12)})
            std::printf("%s", padded(percentText(share), width).c_str());
        std::printf("\n");
    }
}

} // namespace

Json closedFormJson(const ClosedForm& form)
{
    return {{"idle_over_ideal", orNull(form.idleOverIdeal())},
            {"idle_over_makespan", orNull(form.idleOverMakespan())},
            {"own_idle_over_ideal", orNull(form.ownIdleOverIdeal())},
            {"own_idle_over_window", orNull(form.ownIdleOverMakespan())},
            {"idle_seconds", orNull(form.idle)},
            {"own_idle_seconds", orNull(form.idleOwn)},
            {"peak_live", orNull(form.peakLive)},
            {"formula", form.idleText}};
}

void addBubble(Json& json, const RunBubble& bubble, const Layout& layout)
{
    if (bubble.step < 0)
        return;
    json["bubble_by_stage"] = Json::array();
    for (const BubbleRates& rates : bubble.byStage)
        json["bubble_by_stage"].push_back(orNull(rates.overMakespan));
    Json stages = Json::array();
    for (const BubbleRow& row : bubbleRows(bubble.shares, layout, closedBubble(bubble.form))) {
        Json one{{"stage", row.stage}};
        one.update(ratesJson(bubble.byStage[std::size_t(row.stage)]));
        one["shares_of_step"] = splitJson(row.share);
        stages.push_back(std::move(one));
    }
    json["bubble_detail"] = {{"step", bubble.step},
                             {"mean", ratesJson(bubble.mean)},
                             {"closed_form", closedFormJson(bubble.form)},
                             {"closed_form_for", bubble.assumes},
                             {"stages", std::move(stages)}};
}

void printBubble(const RunBubble& bubble, const Layout& layout)
{
    if (bubble.step < 0)
        return;
    std::printf("\nbubble of step %d: idle time of the compute lanes, without the step's tail\n",
                bubble.step);
    std::printf("                    over ideal   over step  in own window\n");
    for (std::size_t stage = 0; stage < bubble.byStage.size(); ++stage)
        printRates("stage " + std::to_string(stage), bubble.byStage[stage]);
    printRates("mean", bubble.mean);
    const ClosedForm& form = bubble.form;
    if (form.idle.empty()) {
        std::printf("  %s (%s)\n", form.idleText.c_str(), bubble.assumes.c_str());
    } else {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        printRates("closed form",
                   {form.idleOverIdeal().value_or(none), form.idleOverMakespan().value_or(none),
                    form.ownIdleOverIdeal().value_or(none),
                    form.ownIdleOverMakespan().value_or(none)});
        std::printf("  closed form: a stage idles %s, %s, transfers free\n", form.idleText.c_str(),
                    bubble.assumes.c_str());
    }
    printSplit(bubbleRows(bubble.shares, layout, closedBubble(form)));
}

} // namespace triaxis::cli
