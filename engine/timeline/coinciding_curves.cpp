#include "engine/timeline/coinciding_curves.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace triaxis
{
namespace
{

constexpr double samePixel = 0.75;
constexpr double longestStripe = 14;
constexpr double shortestStripe = 4;

bool isFinite(const std::pair<double, double>& point)
{
    return std::isfinite(point.first) && std::isfinite(point.second);
}

std::size_t finitePoints(const CurvePoints& curve)
{
    return std::size_t(std::count_if(curve.begin(), curve.end(), isFinite));
}

bool liesOn(const CurvePoints& curve, const CurvePoints& line)
{
    std::size_t at = 0;
    for (const auto& point : curve) {
        if (!isFinite(point))
            continue;
        while (at < line.size() && !(line[at].first > point.first - samePixel))
            ++at;
        const auto isSame = [&](const std::pair<double, double>& other) {
            return std::abs(other.second - point.second) < samePixel;
        };
        bool found = false;
        for (std::size_t i = at;
             !found && i < line.size() && line[i].first < point.first + samePixel; ++i)
            found = isSame(line[i]);
        if (!found)
            return false;
    }
    return true;
}

} // namespace

std::vector<CurveShare> coincidingCurves(const std::vector<CurvePoints>& curves)
{
    std::vector<std::size_t> counts;
    for (const CurvePoints& curve : curves)
        counts.push_back(finitePoints(curve));
    std::vector<std::size_t> order(curves.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
    std::vector<CurveShare> shares(curves.size());
    std::vector<std::size_t> leaders;
    for (const std::size_t curve : order) {
        const auto leader = std::find_if(leaders.begin(), leaders.end(), [&](std::size_t other) {
            return counts[curve] > 0 && liesOn(curves[curve], curves[other]);
        });
        shares[curve].leader = leader == leaders.end() ? curve : *leader;
        if (leader == leaders.end())
            leaders.push_back(curve);
        else
            shares[curve].part = shares[*leader].parts++;
    }
    for (CurveShare& share : shares)
        share.parts = shares[share.leader].parts;
    return shares;
}

std::vector<CurvePoints> stripesOf(const CurvePoints& line, const CurveShare& share)
{
    if (share.part == 0 || line.size() < 2)
        return {line};
    const double left = line.front().first;
    const double stripe = std::clamp((line.back().first - left) / (2 * double(share.parts)),
                                     shortestStripe, longestStripe);
    std::vector<CurvePoints> pieces;
    CurvePoints piece;
    const auto end = [&] {
        if (piece.size() > 1)
            pieces.push_back(std::move(piece));
        piece.clear();
    };
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const auto& [x0, y0] = line[i];
        const auto& [x1, y1] = line[i + 1];
        for (double x = x0; x < x1;) {
            const double number = std::floor((x - left) / stripe + 1e-9);
            const double next = std::min(x1, left + (number + 1) * stripe);
            const auto at = [&, x0 = x0, y0 = y0, x1 = x1, y1 = y1](double where) {
                return std::pair(where, y0 + (y1 - y0) * (where - x0) / (x1 - x0));
            };
            if (std::size_t(number) % share.parts == share.part) {
                if (piece.empty())
                    piece.push_back(at(x));
                piece.push_back(at(next));
            } else {
                end();
            }
            if (!(next > x))
                break;
            x = next;
        }
    }
    end();
    return pieces;
}

} // namespace triaxis
