#include "engine/sweep/sweep_layouts.h"

#include "engine/core/error.h"

#include <charconv>

namespace triaxis
{
namespace
{

constexpr int largestSize = 1 << 20;

[[noreturn]] void refuse(const std::string& entry, const std::string& what)
{
    throw Error("cannot read the layouts of the sweep", "'" + entry + "' " + what,
                "write data × tensor × pipeline sizes like 1x1x1,4x1x1 or a grid like 1..4x1..2x1");
}

std::vector<std::string> split(const std::string& text, char at)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (;;) {
        const std::size_t end = text.find(at, begin);
        parts.push_back(text.substr(begin, end - begin));
        if (end == std::string::npos)
            return parts;
        begin = end + 1;
    }
}

int sizeFrom(const std::string& text, const std::string& entry)
{
    int size = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (problem != std::errc() || end != text.data() + text.size() || size < 1 ||
        size > largestSize)
        refuse(entry, "has a size that is no whole number from 1");
    return size;
}

/// "4" or "1..4", doubling, the end included.
std::vector<int> sizesFrom(const std::string& text, const std::string& entry)
{
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos)
        return {sizeFrom(text, entry)};
    const int first = sizeFrom(text.substr(0, dots), entry);
    const int last = sizeFrom(text.substr(dots + 2), entry);
    if (last < first)
        refuse(entry, "has a range that ends before it begins");
    std::vector<int> sizes;
    for (int size = first; size < last; size *= 2)
        sizes.push_back(size);
    sizes.push_back(last);
    return sizes;
}

bool sameSizes(const Layout& a, const Layout& b)
{
    return a.dp == b.dp && a.tp == b.tp && a.pp == b.pp;
}

void addOnce(std::vector<Layout>& layouts, const Layout& layout)
{
    for (const Layout& known : layouts)
        if (sameSizes(known, layout))
            return;
    if (layouts.size() == mostSweepLayouts)
        throw Error("cannot sweep so many layouts",
                    "there are more than " + std::to_string(mostSweepLayouts),
                    "use smaller ranges, or several sweeps");
    layouts.push_back(layout);
}

Layout ofSizes(int dp, int tp, int pp)
{
    Layout layout;
    layout.dp = dp;
    layout.tp = tp;
    layout.pp = pp;
    return layout;
}

} // namespace

std::vector<Layout> exerciseLayouts()
{
    return {ofSizes(1, 1, 1), ofSizes(4, 1, 1), ofSizes(2, 2, 1), ofSizes(1, 1, 4),
            ofSizes(2, 1, 2)};
}

std::vector<Layout> parseSweepLayouts(const std::string& text)
{
    std::vector<Layout> layouts;
    for (const std::string& entry : split(text, ',')) {
        const std::vector<std::string> axes = split(entry, 'x');
        if (axes.size() != 3)
            refuse(entry, "does not have three sizes");
        for (const int dp : sizesFrom(axes[0], entry))
            for (const int tp : sizesFrom(axes[1], entry))
                for (const int pp : sizesFrom(axes[2], entry))
                    addOnce(layouts, ofSizes(dp, tp, pp));
    }
    return layouts;
}

std::string sizesText(const Layout& layout)
{
    return std::to_string(layout.dp) + "×" + std::to_string(layout.tp) + "×" +
           std::to_string(layout.pp);
}

} // namespace triaxis
