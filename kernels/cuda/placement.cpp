#include "kernels/cuda/placement.h"

#include <algorithm>
#include <array>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

constexpr std::size_t longest = 255;

/// A text of every rank, in the order of ranks.
std::vector<std::string> exchange(const std::string& own, World& hosts)
{
    std::vector<std::string> all;
    for (int rank = 0; rank < hosts.size(); ++rank) {
        std::array<char, longest + 1> text{};
        if (rank == hosts.rank())
            std::copy_n(own.begin(), std::min(own.size(), longest), text.begin());
        hosts.broadcast(text.data(), text.size(), rank);
        all.emplace_back(text.data());
    }
    return all;
}

} // namespace

std::vector<RankPlace> exchangePlaces(const RankPlace& own, World& hosts)
{
    const auto names = exchange(own.host, hosts),
               numbers = exchange(std::to_string(own.gpu), hosts), buses = exchange(own.bus, hosts),
               devices = exchange(own.device, hosts);
    std::vector<RankPlace> places;
    for (std::size_t i = 0; i < names.size(); ++i)
        places.push_back({names[i], std::stoi(numbers[i]), buses[i], devices[i]});
    return places;
}

int positionOnHost(const std::string& host, World& hosts)
{
    const std::vector<std::string> names = exchange(host, hosts);
    return int(std::count(names.begin(), names.begin() + hosts.rank(), host));
}

int ranksOfHost(const std::vector<RankPlace>& places, int rank)
{
    const std::string& own = places[std::size_t(rank)].host;
    return int(std::count_if(places.begin(), places.end(),
                             [&](const RankPlace& place) { return place.host == own; }));
}

int ranksOfGpu(const std::vector<RankPlace>& places, int rank)
{
    const RankPlace& own = places[std::size_t(rank)];
    return int(std::count_if(places.begin(), places.end(), [&](const RankPlace& place) {
        return place.host == own.host && place.bus == own.bus;
    }));
}

std::string sharedGpu(const std::vector<RankPlace>& places)
{
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = i + 1; j < places.size(); ++j)
            if (places[i].host == places[j].host && places[i].bus == places[j].bus)
                return "ranks " + std::to_string(i) + " and " + std::to_string(j) + " share GPU " +
                       std::to_string(places[i].gpu) + " (" + places[i].bus + ") of host " +
                       places[i].host;
    return {};
}

std::string placementTable(const std::vector<RankPlace>& places)
{
    std::string table;
    for (std::size_t i = 0; i < places.size(); ++i)
        table += "rank " + std::to_string(i) + ": host " + places[i].host + ", GPU " +
                 std::to_string(places[i].gpu) + " (" + places[i].bus + "), " + places[i].device +
                 "\n";
    return table;
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
