#include "engine/cost/machine_rates.h"

#include "engine/core/error.h"
#include "engine/cost/core_pace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <tuple>

namespace triaxis
{
namespace
{

/// Seconds by size.
using Curve = std::map<std::int64_t, double>;

double logarithm(std::int64_t value)
{
    return std::log(double(std::max<std::int64_t>(1, value)));
}

/// Seconds as sizes of a curve.
std::int64_t nanoseconds(double seconds)
{
    return std::int64_t(std::llround(std::min(seconds, 1e6) * 1e9));
}

/// Seconds at `size`: a power of the size between two points, at the rate of the last one beyond.
double at(const Curve& curve, std::int64_t size)
{
    const auto above = curve.lower_bound(size);
    if (above != curve.end() && above->first == size)
        return above->second;
    if (above == curve.begin())
        return above->second;
    const auto below = std::prev(above);
    if (above == curve.end())
        return below->second * double(size) / double(below->first);
    const double share = (logarithm(size) - logarithm(below->first)) /
                         (logarithm(above->first) - logarithm(below->first));
    return std::exp(std::log(below->second) * (1 - share) + std::log(above->second) * share);
}

/// Seconds for each multiply-and-add of a product by its three extents.
class ProductGrid
{
public:
    void add(const ProductSample& sample, double seconds)
    {
        m_samples[{sample.m, sample.n, sample.k}] =
            seconds / (double(sample.m) * double(sample.n) * double(sample.k));
        for (const std::int64_t extent : {sample.m, sample.n, sample.k})
            m_extents[extent] = 0;
    }
    bool empty() const { return m_extents.size() < 2; }

    double seconds(std::int64_t m, std::int64_t n, std::int64_t k) const
    {
        const std::array<Cell, 3> cells{cellOf(m), cellOf(n), cellOf(k)};
        double sum = 0;
        for (int corner = 0; corner < 8; ++corner) {
            double share = 1;
            std::array<std::int64_t, 3> extents{};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const bool high = ((corner >> axis) & 1) != 0;
                share *= high ? cells[axis].share : 1 - cells[axis].share;
                extents[axis] = high ? cells[axis].high : cells[axis].low;
            }
            if (share > 0)
                sum += share * std::log(paceAt(extents));
        }
        return std::exp(sum) * double(m) * double(n) * double(k);
    }

private:
    struct Cell
    {
        std::int64_t low = 0, high = 0;
        double share = 0; ///< of the way from low to high
    };

    Cell cellOf(std::int64_t extent) const
    {
        const auto above = m_extents.lower_bound(extent);
        if (above == m_extents.begin())
            return {above->first, above->first, 0};
        const std::int64_t low = std::prev(above)->first;
        if (above == m_extents.end())
            return {low, low, 0};
        return {low, above->first,
                (logarithm(extent) - logarithm(low)) / (logarithm(above->first) - logarithm(low))};
    }

    /// A product that was too long to be measured runs at the pace of one with smaller extents.
    double paceAt(std::array<std::int64_t, 3> extents) const
    {
        for (;;) {
            const auto found = m_samples.find({extents[0], extents[1], extents[2]});
            if (found != m_samples.end())
                return found->second;
            const auto largest = std::max_element(extents.begin(), extents.end());
            const auto place = m_extents.find(*largest);
            if (place == m_extents.begin())
                return m_samples.begin()->second;
            *largest = std::prev(place)->first;
        }
    }

    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, double> m_samples;
    Curve m_extents;
};

} // namespace

struct MachineRates::Tables
{
    std::map<std::pair<Occupancy, ProductForm>, ProductGrid> products;
    std::map<std::pair<Occupancy, MachineOperation>, Curve> operations;
    std::map<std::pair<Occupancy, bool>, std::map<std::int64_t, Curve>> attention; ///< by head size
    std::map<std::pair<Occupancy, StreamUse>, Curve> streams;    ///< seconds a byte by working set
    std::map<Occupancy, Curve> companyOfLayers, companyOfUpdate; ///< factors by work
    std::map<MessageKind, std::map<int, Curve>> messages;        ///< by ranks
    std::map<int, Curve> wakes; ///< by ranks; seconds by nanoseconds waited

    double productSeconds(const Occupancy& under, ProductForm form, std::int64_t m, std::int64_t n,
                          std::int64_t k) const
    {
        return products.at({under, form}).seconds(m, n, k);
    }
    double operationSeconds(const Occupancy& under, MachineOperation operation,
                            std::int64_t elements) const
    {
        return at(operations.at({under, operation}), elements);
    }
    double attentionSeconds(const Occupancy& under, bool backward, std::int64_t time,
                            std::int64_t headSize) const
    {
        Curve byHeadSize;
        for (const auto& [size, curve] : attention.at({under, backward}))
            byHeadSize[size] = at(curve, time);
        return at(byHeadSize, headSize);
    }
    /// The factor at `work`; beyond the samples that of the last one.
    static double factorAt(const std::map<Occupancy, Curve>& factors, const Occupancy& under,
                           std::int64_t work)
    {
        const auto found = factors.find(under);
        if (found == factors.end())
            return 1;
        const Curve& curve = found->second;
        return at(curve, std::clamp(work, curve.begin()->first, std::prev(curve.end())->first));
    }
    /// Seconds a byte above those of the smallest working set.
    double streamSeconds(const Occupancy& under, StreamUse use, std::int64_t workingSet) const
    {
        const auto found = streams.find({under, use});
        if (found == streams.end())
            return 0;
        const Curve& curve = found->second;
        const std::int64_t most = std::prev(curve.end())->first;
        return std::max(0.0, at(curve, std::min(workingSet, most)) - curve.begin()->second);
    }
};

namespace
{

/// `seconds` under each occupancy that was measured, put together for a rank of `threads` threads.
MachineSeconds blend(int threads, int cores, const std::function<double(const Occupancy&)>& seconds)
{
    const double one = seconds({1, 1});
    if (cores == 1)
        return {one, one};
    const double oneCrowded = std::max(one, seconds({1, cores}));
    if (threads <= 1)
        return {one, oneCrowded};
    const double all = seconds({cores, 1});
    if (threads >= cores)
        return {all, all};
    const double share = std::log(double(threads)) / std::log(double(cores));
    const double alone = std::exp(std::log(one) * (1 - share) + std::log(all) * share);
    return {alone, alone * std::pow(oneCrowded / one, 1 - share)};
}

[[noreturn]] void refuse(const std::string& what)
{
    throw Error("cannot predict runs on this machine", "the calibration has no " + what,
                "measure this machine anew: triaxis calibrate");
}

} // namespace

MachineRates::MachineRates(const MachineCalibration& calibration, int threads)
    : m_cores(calibration.cores), m_threads(std::clamp(threads, 1, calibration.cores)),
      m_tables(std::make_unique<Tables>())
{
    std::map<Occupancy, double> slowness;
    const auto quickest = [&](const auto& sample) {
        auto& known = slowness[sample.under];
        if (known == 0)
            known = slownessOfSamples(calibration, sample.under);
        return sample.seconds / known;
    };
    for (const ProductSample& sample : calibration.products)
        m_tables->products[{sample.under, sample.form}].add(sample, quickest(sample));
    for (const OperationSample& sample : calibration.operations)
        m_tables->operations[{sample.under, sample.operation}][sample.elements] = quickest(sample);
    for (const AttentionSample& sample : calibration.attention)
        m_tables->attention[{sample.under, sample.backward}][sample.headSize][sample.time] =
            quickest(sample);
    for (const StreamSample& sample : calibration.streams)
        m_tables->streams[{sample.under, sample.use}][sample.workingSet] =
            quickest(sample) / double(sample.bytes);
    for (const MessageSample& sample : calibration.messages)
        m_tables->messages[sample.kind][sample.ranks][sample.bytes] = sample.seconds;
    for (const WakeSample& sample : calibration.wakes)
        m_tables->wakes[sample.ranks][nanoseconds(sample.waited)] = sample.seconds;

    std::vector<Occupancy> needed{{1, 1}};
    if (m_cores > 1)
        needed.insert(needed.end(), {{m_cores, 1}, {1, m_cores}});
    for (const Occupancy& under : needed) {
        const std::string who = " of " + std::to_string(under.ranks) + " x " +
                                std::to_string(under.threads) + " ranks x threads";
        for (const ProductForm form :
             {ProductForm::Plain, ProductForm::RightTransposed, ProductForm::LeftTransposed})
            if (m_tables->products[{under, form}].empty())
                refuse(std::string("products \"") + toText(form) + '"' + who);
        for (int i = 0; i < machineOperationCount; ++i)
            if (m_tables->operations[{under, MachineOperation(i)}].empty())
                refuse(std::string("operation \"") + toText(MachineOperation(i)) + '"' + who);
        for (const bool backward : {false, true})
            if (m_tables->attention[{under, backward}].empty())
                refuse("attention" + who);
    }
    for (const MessageKind kind : {MessageKind::AllReduce, MessageKind::Message})
        if (m_tables->messages[kind].empty())
            refuse(toText(kind));
    if (m_tables->wakes.empty())
        refuse("messages to ranks that have waited");
}

MachineRates::MachineRates() : m_cores(1), m_threads(1) {}
MachineRates::~MachineRates() = default;
MachineRates::MachineRates(MachineRates&&) noexcept = default;
MachineRates& MachineRates::operator=(MachineRates&&) noexcept = default;

MachineSeconds MachineRates::product(ProductForm form, std::int64_t m, std::int64_t n,
                                     std::int64_t k) const
{
    if (!m_tables || m <= 0 || n <= 0 || k <= 0)
        return {};
    return blend(m_threads, m_cores, [&](const Occupancy& under) {
        return m_tables->productSeconds(under, form, m, n, k);
    });
}

MachineSeconds MachineRates::operation(MachineOperation operation, std::int64_t elements) const
{
    if (!m_tables || elements <= 0)
        return {};
    return blend(m_threads, m_cores, [&](const Occupancy& under) {
        return m_tables->operationSeconds(under, operation, elements);
    });
}

MachineSeconds MachineRates::attention(bool backward, std::int64_t batch, int heads, int kvHeads,
                                       std::int64_t time, std::int64_t headSize) const
{
    if (!m_tables || batch <= 0 || heads <= 0 || kvHeads <= 0)
        return {};
    const std::int64_t parts = batch * kvHeads;
    const std::int64_t rounds = (parts + m_threads - 1) / m_threads;
    const double heavier = double(rounds) * heads / kvHeads;
    MachineSeconds once = blend(m_threads, m_cores, [&](const Occupancy& under) {
        return m_tables->attentionSeconds(under, backward, time, headSize);
    });
    return {once.alone * heavier, once.crowded * heavier};
}

void MachineRates::setCompany(const std::vector<CompanySample>& samples)
{
    for (const CompanySample& sample : samples) {
        m_tables->companyOfLayers[sample.under][sample.work] = sample.layers;
        m_tables->companyOfUpdate[sample.under][sample.work] = sample.update;
    }
}

Company MachineRates::company(std::int64_t work) const
{
    if (!m_tables)
        return {};
    const auto between = [&](const std::map<Occupancy, Curve>& factors) -> MachineSeconds {
        const auto under = [&](int threads, int ranks) {
            return Tables::factorAt(factors, {threads, ranks}, work);
        };
        const MachineSeconds one{under(1, 1), under(1, m_cores)};
        if (m_threads <= 1 || m_cores <= 1)
            return one;
        const double share = std::log(double(m_threads)) / std::log(double(m_cores));
        const double all = under(m_cores, 1);
        return {one.alone + share * (all - one.alone), one.crowded + share * (all - one.crowded)};
    };
    return {between(m_tables->companyOfLayers), between(m_tables->companyOfUpdate)};
}

MachineSeconds MachineRates::beyondCaches(StreamUse use, std::int64_t workingSet,
                                          std::int64_t bytes) const
{
    if (!m_tables)
        return {};
    const auto longer = [&](const Occupancy& under) {
        return m_tables->streamSeconds(under, use, workingSet) * double(bytes);
    };
    const double one = longer({1, 1});
    const double crowded = std::max(one, longer({1, m_cores}));
    if (m_threads <= 1 || m_cores <= 1)
        return {one, m_cores > 1 ? crowded : one};
    const double all = longer({m_cores, 1});
    const double share = std::log(double(m_threads)) / std::log(double(m_cores));
    return {one + share * (all - one), crowded + share * (all - crowded)};
}

double MachineRates::allReduce(int ranks, std::int64_t bytes) const
{
    if (ranks < 2 || bytes <= 0)
        return 0;
    Curve byRanks;
    for (const auto& [measured, curve] : m_tables->messages.at(MessageKind::AllReduce))
        byRanks[measured] = at(curve, bytes);
    return at(byRanks, ranks) * std::min(1.0, double(m_cores) / ranks);
}

double MachineRates::message(int ranks, std::int64_t bytes) const
{
    if (ranks < 2 || bytes <= 0)
        return 0;
    // A pair that shares its core hands it over; the copying itself is what it is between two
    // cores.
    Curve byRanks;
    for (const auto& [measured, curve] : m_tables->messages.at(MessageKind::Message))
        byRanks[measured] = at(curve, bytes) * std::min(1.0, double(m_cores) / measured);
    return at(byRanks, ranks);
}

double MachineRates::wakeUp(int ranks, double waited) const
{
    if (ranks < 2)
        return 0;
    Curve byRanks;
    for (const auto& [measured, curve] : m_tables->wakes) {
        const std::int64_t longest = std::prev(curve.end())->first;
        byRanks[measured] = at(curve, std::min(nanoseconds(waited), longest));
    }
    const int most = int(std::prev(byRanks.end())->first);
    const double awake = at(m_tables->messages.at(MessageKind::Message).begin()->second, 1);
    return std::max(0.0, at(byRanks, std::min(ranks, most)) - awake);
}

} // namespace triaxis
