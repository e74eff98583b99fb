#include "engine/timeline/lane_label.h"

namespace triaxis
{
namespace
{

constexpr double glyphWidth = 0.55; // of the size: mean over letters and digits
constexpr double narrowWidth = 0.3; // spaces, dots and the like

std::string shortCoordinates(const Coordinates& at)
{
    return "pp" + std::to_string(at.pipeline) + "·tp" + std::to_string(at.tensor);
}

/// The first that fits, else the last.
std::string fitting(const std::vector<std::string>& choices, double width, double size)
{
    for (const std::string& choice : choices) {
        if (textWidth(choice, size) <= width)
            return choice;
    }
    return choices.back();
}

} // namespace

double textWidth(const std::string& text, double size)
{
    double width = 0;
    for (const char c : text) {
        if ((c & 0xC0) == 0x80) // further bytes of a character
            continue;
        width +=
            size * (c == ' ' || c == '.' || c == ':' || c == '\xC2' ? narrowWidth : glyphWidth);
    }
    return width;
}

std::vector<std::string> laneLabel(const Coordinates& at, Rank rank, const std::string& place,
                                   int lines, double width, double size)
{
    const std::string whole = toText(at);
    const std::string name = "rank " + std::to_string(rank.value);
    const std::string placed = place.empty() ? name : name + " — " + place;
    if (lines >= 2)
        return {fitting({whole, shortCoordinates(at)}, width, size),
                fitting({placed, name}, width, size)};
    return {fitting(
        {whole + " — " + placed, whole + " — " + name, shortCoordinates(at) + " · " + name, name},
        width, size)};
}

} // namespace triaxis
