#include "engine/core/units.h"

#include <array>
#include <charconv>
#include <cmath>

namespace triaxis::units
{
namespace
{

constexpr const char* thinSpace = "\u202f";
constexpr const char* minus = "\u2212";

/// Rounds to three significant digits, so that 999.6 is taken to the next unit as 1000.
double roundToThreeDigits(double value)
{
    if (value == 0)
        return 0;
    const int exponent = int(std::floor(std::log10(value)));
    // Dividing by a power of ten is exact where multiplying by its inverse is not.
    if (exponent >= 2) {
        const double step = std::pow(10.0, exponent - 2);
        return std::round(value / step) * step;
    }
    const double factor = std::pow(10.0, 2 - exponent);
    return std::round(value * factor) / factor;
}

/// With a point, whatever the locale of the process.
std::string fixed(double value, int decimals)
{
    std::array<char, 400> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

/// Three significant digits without trailing zeros; `value` ≥ 0.
std::string digits(double value)
{
    const double rounded = roundToThreeDigits(value);
    const int exponent = rounded > 0 ? int(std::floor(std::log10(rounded) + 1e-12)) : 0;
    const int decimals = exponent >= 2 ? 0 : 2 - exponent;
    std::string text = fixed(rounded, decimals < 20 ? decimals : 20);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
            text.pop_back();
    }
    return text;
}

std::string withUnit(const std::string& number, const char* unit)
{
    return number + thinSpace + unit;
}

struct Step
{
    double size;
    const char* unit;
};

/// The largest unit of which the rounded value has at least one. `steps` ascend; the first takes
/// what is smaller.
template <std::size_t N>
std::string scaled(double value, const std::array<Step, N>& steps)
{
    std::size_t chosen = 0;
    for (std::size_t i = 1; i < N; ++i) {
        if (roundToThreeDigits(value / steps[i].size) >= 1)
            chosen = i;
    }
    const std::string number = digits(value / steps[chosen].size);
    return steps[chosen].unit[0] ? withUnit(number, steps[chosen].unit) : number;
}

/// What is the same for all kinds of figures: sign, and values that are no numbers.
template <class Magnitude>
std::string text(double value, Magnitude magnitude)
{
    if (std::isnan(value))
        return "–";
    if (std::isinf(value))
        return value < 0 ? std::string(minus) + "∞" : "∞";
    return value < 0 ? minus + magnitude(-value) : magnitude(value);
}

std::string longSeconds(double value)
{
    const auto whole = [](double number, const char* unit) {
        return withUnit(fixed(number, 0), unit);
    };
    const auto pair = [&](double total, double size, const char* unit, const char* subunit) {
        const double first = std::floor(total / size), second = total - first * size;
        return second == 0 ? whole(first, unit) : whole(first, unit) + " " + whole(second, subunit);
    };
    const double seconds = std::round(value);
    if (seconds < 3600)
        return pair(seconds, 60, "min", "s");
    const double minutes = std::round(value / 60);
    if (minutes < 24 * 60)
        return pair(minutes, 60, "h", "min");
    return pair(std::round(value / 3600), 24, "d", "h");
}

std::string grouped(double value)
{
    std::string text = fixed(value, 0);
    if (text.size() > 3)
        text.insert(text.size() - 3, ",");
    return text;
}

} // namespace

std::string seconds(double value)
{
    return text(value, [](double magnitude) {
        static constexpr std::array<Step, 4> steps{
            {{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}}};
        if (magnitude == 0)
            return withUnit("0", "s");
        return std::round(magnitude) >= 60 ? longSeconds(magnitude) : scaled(magnitude, steps);
    });
}

std::string bytes(std::int64_t value)
{
    return text(double(value), [](double magnitude) {
        static constexpr std::array<Step, 7> steps{{{1, "B"},
                                                    {0x1p10, "KiB"},
                                                    {0x1p20, "MiB"},
                                                    {0x1p30, "GiB"},
                                                    {0x1p40, "TiB"},
                                                    {0x1p50, "PiB"},
                                                    {0x1p60, "EiB"}}};
        // 1,000 to 1,023 of a unit would need a fourth digit: they are shown as 0.98 of the next.
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
            if (roundToThreeDigits(magnitude / steps[i].size) < 1000)
                return withUnit(digits(magnitude / steps[i].size), steps[i].unit);
        }
        return withUnit(digits(magnitude / steps.back().size), steps.back().unit);
    });
}

std::string bytesPerSecond(double value)
{
    return text(value, [](double magnitude) {
        static constexpr std::array<Step, 6> steps{{{1, "B/s"},
                                                    {1e3, "kB/s"},
                                                    {1e6, "MB/s"},
                                                    {1e9, "GB/s"},
                                                    {1e12, "TB/s"},
                                                    {1e15, "PB/s"}}};
        return scaled(magnitude, steps);
    });
}

std::string count(double value)
{
    return text(value, [](double magnitude) {
        static constexpr std::array<Step, 4> steps{
            {{1e3, "k"}, {1e6, "M"}, {1e9, "B"}, {1e12, "T"}}};
        if (std::round(magnitude) >= 10000)
            return scaled(magnitude, steps);
        return roundToThreeDigits(magnitude) >= 1000 ? grouped(magnitude) : digits(magnitude);
    });
}

std::string percent(double fraction)
{
    return text(fraction, [](double magnitude) { return withUnit(digits(100 * magnitude), "%"); });
}

std::string flopsPerSecond(double value)
{
    return text(value, [](double magnitude) {
        static constexpr std::array<Step, 7> steps{{{1, "FLOP/s"},
                                                    {1e3, "kFLOP/s"},
                                                    {1e6, "MFLOP/s"},
                                                    {1e9, "GFLOP/s"},
                                                    {1e12, "TFLOP/s"},
                                                    {1e15, "PFLOP/s"},
                                                    {1e18, "EFLOP/s"}}};
        return scaled(magnitude, steps);
    });
}

} // namespace triaxis::units
