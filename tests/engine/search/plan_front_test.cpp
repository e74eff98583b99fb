#include <QtTest>

#include "engine/search/plan_search.h"
#include "tests/engine/search/brute_force.h"

#include <map>
#include <random>

using namespace triaxis;

namespace
{

using Price = std::pair<double, double>; ///< seconds, memory

bool alike(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

/// No slower and no larger than any other by more than rounding; by seconds.
std::vector<Price> frontOf(std::vector<Price> prices)
{
    std::sort(prices.begin(), prices.end());
    std::vector<Price> front;
    for (const Price& price : prices) {
        if (front.empty() || price.second < front.back().second)
            front.push_back(price);
    }
    return front;
}

/// Whether some price of `all` is as good in both.
bool isReached(const Price& price, const std::vector<Price>& all)
{
    return std::any_of(all.begin(), all.end(), [&](const Price& other) {
        return other.first <= price.first * (1 + 1e-9) && other.second <= price.second * (1 + 1e-9);
    });
}

std::string textOf(const Price& price)
{
    return std::to_string(price.first * 1e3) + " ms, " + std::to_string(price.second) + " bytes";
}

/// Empty where both fronts are the same up to rounding.
std::string differenceOf(const std::vector<PricedPoint>& found, const std::vector<Price>& all)
{
    std::vector<Price> members;
    for (const PricedPoint& member : found)
        members.emplace_back(member.seconds, member.memory);
    for (const Price& price : frontOf(all))
        if (!isReached(price, members))
            return "missed " + textOf(price);
    for (const Price& member : members)
        if (!isReached(member, all))
            return "found what does not exist, " + textOf(member);
    return {};
}

/// A job whose numbers are drawn: small enough for plain loops, never round.
class DrawnJob
{
public:
    explicit DrawnJob(std::uint64_t seed) : m_random(seed) {}

    TrainingJob job(const std::string& profile, bool experts)
    {
        const int devices = among({2, 3, 4, 4, 6});
        TrainingJob job = experts ? expertJob(devices, 1, profile.c_str())
                                  : smallJob(devices, 1, profile.c_str());
        job.cluster = clusterPreset(among({0, 1}) != 0 ? "dgx-a100" : "dgx-h100");
        job.cluster.levels.front().span = among({2, 4, 8});
        job.cluster.device.memoryBytes = std::int64_t(among({3, 5, 9, 80})) << 30;
        job.globalBatch = devices * (devices <= 4 ? among({1, 2, 3}) : 1);
        job.sequence = among({256, 1024, 4096});
        job.model.layers = among({4, 5, 6});
        job.model.hidden = job.model.headSize * job.model.heads;
        job.model.vocabulary = among({1024, 50304});
        job.model.tiedHead = among({0, 1}) != 0;
        if (experts) {
            job.model.expert.experts = among({2, 4, 8});
            job.model.expert.expertFeedForward = among({512, 3072, 12288});
        }
        return job;
    }

    /// What is sharded, recomputed and split along the sequence: some of all choices.
    PlanLimits limits()
    {
        PlanLimits limits;
        limits.zero = {static_cast<ZeroStage>(among({0, 1})),
                       static_cast<ZeroStage>(among({2, 3}))};
        limits.recompute = {static_cast<Recompute>(among({0, 0, 1, 2}))};
        limits.sequenceParallel = among({0, 1}) != 0;
        return limits;
    }

private:
    int among(std::initializer_list<int> values)
    {
        return *(values.begin() + m_random() % values.size());
    }

    std::mt19937_64 m_random;
};

/// A single stage runs all schedules alike that overlap nothing.
bool runsAlike(const ParallelPlan& plan)
{
    return plan.pp == 1 && !overlapsPasses(plan);
}

struct Within
{
    const PlanLimits& limits;

    bool operator()(const ParallelPlan& plan) const
    {
        const auto has = [](const auto& all, const auto& one) {
            return std::find(all.begin(), all.end(), one) != all.end();
        };
        return has(limits.zero, plan.zero) && has(limits.recompute, plan.recompute) &&
               (plan.tp == 1 || *limits.sequenceParallel == plan.sequenceParallel);
    }
};

} // namespace

/// The search's front of step time and memory against all layouts priced one by one.
class PlanFrontTest : public QObject
{
    Q_OBJECT

private slots:
    void frontsAreThoseOfBruteForce_data()
    {
        QTest::addColumn<QString>("profile");
        QTest::addColumn<bool>("experts");
        QTest::addColumn<int>("seed");
        int seed = 0;
        for (const SoftwareProfile& profile : softwareProfiles())
            for (const bool experts : {false, true})
                QTest::newRow((profile.name + (experts ? ", experts" : ", dense")).c_str())
                    << QString::fromStdString(profile.name) << experts << ++seed;
    }

    void frontsAreThoseOfBruteForce()
    {
        QFETCH(QString, profile);
        QFETCH(bool, experts);
        QFETCH(int, seed);
        const int draws = qEnvironmentVariableIntValue("TRIAXIS_FRONT_DRAWS");
        for (int draw = 0; draw < std::max(1, draws); ++draw) {
            SearchRequest request;
            DrawnJob drawn(std::uint64_t(1000 * draw + seed));
            request.job = drawn.job(profile.toStdString(), experts);
            request.limits = drawn.limits();
            request.front = true;
            request.refined = 0;
            std::map<std::string, std::vector<Price>> prices;
            forEachPrice(request.job, Within{request.limits},
                         [&](const ParallelPlan& plan, double seconds, double memory) {
                             prices[runsAlike(plan) ? std::string() : plan.schedule].emplace_back(
                                 seconds, memory);
                         });
            for (const auto& [schedule, own] : prices) {
                std::vector<Price> all = own;
                if (!schedule.empty())
                    all.insert(all.end(), prices[""].begin(), prices[""].end());
                request.limits.schedules = schedule.empty() ? std::vector<std::string>{}
                                                            : std::vector<std::string>{schedule};
                if (schedule.empty())
                    for (const auto& [other, more] : prices)
                        all.insert(all.end(), more.begin(), more.end());
                const SearchResult result = searchPlans(request);
                const std::string difference = differenceOf(result.front, all);
                QVERIFY2(difference.empty(),
                         (schedule + ", " + std::to_string(request.job.devices) +
                          " devices, draw " + std::to_string(draw) + ": " + difference)
                             .c_str());
                QVERIFY(alike(result.best.at(0).seconds,
                              std::min_element(all.begin(), all.end())->first));
            }
        }
    }
};

QTEST_APPLESS_MAIN(PlanFrontTest)
#include "plan_front_test.moc"
