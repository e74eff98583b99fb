#include "engine/formats/run_report_sections.h"

#include "engine/core/units.h"
#include "engine/timeline/number_text.h"

#include <cmath>

namespace triaxis
{

std::string figureText(double value, int decimals)
{
    return std::isfinite(value) ? fixedText(value, decimals) : "–";
}

std::string shareText(double fraction)
{
    return std::isfinite(fraction) ? fixedText(100 * fraction, 1) + "\u202f%" : "–";
}

ReportCell secondsCell(double seconds)
{
    // Of work that costs nothing there is nothing to tell.
    if (!std::isfinite(seconds))
        return {"–", ""};
    return {seconds < 1e-9 ? "–" : units::seconds(seconds), exactText(seconds)};
}

ReportCell bytesCell(std::int64_t bytes)
{
    return {units::bytes(bytes), std::to_string(bytes)};
}

ReportCell shareCell(double fraction)
{
    return {shareText(fraction), std::isfinite(fraction) ? exactText(fraction) : ""};
}

std::string filled(const std::string& text, std::initializer_list<std::string> values)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool place = text[i] == '%' && i + 1 < text.size() && text[i + 1] >= '1' &&
                           std::size_t(text[i + 1] - '0') <= values.size();
        if (place)
            result += values.begin()[text[++i] - '1'];
        else
            result += text[i];
    }
    return result;
}

std::string countedText(const char* many, const char* one, std::int64_t count)
{
    std::string text = count == 1 ? one : many;
    const std::size_t at = text.find("%n");
    return at == std::string::npos ? text : text.replace(at, 2, units::count(double(count)));
}

std::string rankText(Rank rank)
{
    return filled("rank %1", {std::to_string(rank.value)});
}

std::string stageText(int stage)
{
    return filled("stage %1", {std::to_string(stage)});
}

std::string axesText(const Layout& layout)
{
    return std::to_string(layout.dp) + " × " + std::to_string(layout.tp) + " × " +
           std::to_string(layout.pp);
}

} // namespace triaxis
