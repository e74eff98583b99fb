#include <QtTest>

#include "engine/core/error.h"
#include "engine/cost/memory.h"
#include "engine/cost/step_estimate.h"
#include "engine/formats/model_shape.h"
#include "engine/schedule/generators.h"
#include "engine/search/candidate_pool.h"
#include "engine/search/cluster_search.h"
#include "tests/engine/search/brute_force.h"

#include <cmath>
#include <limits>

using namespace triaxis;

namespace
{

SearchResult searched(const TrainingJob& job, int keep = 10, int refined = 0, bool front = false)
{
    SearchRequest request;
    request.job = job;
    request.keep = keep;
    request.refined = refined;
    request.front = front;
    return searchPlans(request);
}

bool close(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

} // namespace

class PlanSearchTest : public QObject
{
    Q_OBJECT

private slots:
    void findsWhatBruteForceFinds_data()
    {
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("batch");
        QTest::addColumn<QString>("profile");
        QTest::addColumn<bool>("experts");
        QTest::newRow("two") << 2 << 4 << "megatron-2021" << false;
        QTest::newRow("four") << 4 << 8 << "megatron-core-2024" << false;
        QTest::newRow("steps without a common end") << 4 << 4 << "zero-bubble" << false;
        QTest::newRow("nothing overlaps") << 6 << 6 << "nanotron" << false;
        QTest::newRow("experts") << 4 << 4 << "megatron-core-2024" << true;
    }

    void findsWhatBruteForceFinds()
    {
        QFETCH(int, devices);
        QFETCH(int, batch);
        QFETCH(QString, profile);
        QFETCH(bool, experts);
        const TrainingJob job = experts ? expertJob(devices, batch)
                                        : smallJob(devices, batch, profile.toStdString().c_str());
        const BruteForce all = bruteForce(job);
        QVERIFY(all.fitting > 0);
        const SearchResult result = searched(job, 10, 0, true);
        QVERIFY(!result.best.empty());
        const ParallelPlan& p = all.plan;
        QVERIFY2(
            close(result.best[0].seconds, all.best),
            qPrintable(QString("%1 found, %2 by brute force: dp %3 tp %4 cp %5 pp %6 V %7 mb %8 "
                               "%9 zero %10 sp %11")
                           .arg(result.best[0].seconds, 0, 'g', 15)
                           .arg(all.best, 0, 'g', 15)
                           .arg(p.dp)
                           .arg(p.tp)
                           .arg(p.cp)
                           .arg(p.pp)
                           .arg(p.virtualStages)
                           .arg(p.microbatch)
                           .arg(p.schedule.c_str())
                           .arg(toText(p.zero))
                           .arg(p.sequenceParallel)));
        for (const auto& [seconds, memory] : all.prices) {
            bool covered = false;
            for (const PricedPoint& member : result.front)
                covered = covered || (member.seconds <= seconds * (1 + 1e-9) &&
                                      member.memory <= memory * (1 + 1e-9));
            QVERIFY2(covered, "a layout lies before the front");
        }
    }

    /// The bound of every layout is below its exact price, and its memory likewise.
    void boundsNeverExceedExactPrices()
    {
        for (const char* profile : {"megatron-2021", "zero-bubble", "megatron-core-2025"}) {
            for (const TrainingJob& job :
                 {smallJob(4, 8, profile), smallJob(8, 24, profile), expertJob(8, 8, profile)}) {
                std::int64_t seen = 0;
                ScanCalls calls;
                calls.take = [&](const PlanCandidate& candidate) {
                    if (++seen % 97 != 0)
                        return true;
                    const ParallelPlan plan = planOf(candidate.point);
                    try {
                        const StepEstimate exact = estimateStep(job, plan);
                        if (candidate.bound > exact.seconds || candidate.memory > exact.memory)
                            qWarning(
                                "%s dp %d tp %d pp %d V %d mb %d zero %d: %.9g %.9g, %.9g %.9g",
                                plan.schedule.c_str(), plan.dp, plan.tp, plan.pp,
                                plan.virtualStages, plan.microbatch, int(plan.zero),
                                candidate.bound, exact.seconds, candidate.memory, exact.memory);
                        [&] { QVERIFY(candidate.bound <= exact.seconds); }();
                        [&] { QVERIFY(candidate.memory <= exact.memory); }();
                    } catch (const Error&) {
                        // no such schedule
                    }
                    return true;
                };
                ScanCounts counts;
                scanPlans(job, {}, calls, counts);
                QVERIFY(seen > 500);
            }
        }
    }

    void boundsAreMetByEvenPipelines()
    {
        const StageCosts costs = evenCosts(4, 1, 1, 1, 1);
        const PipelineBoundCheck check{costs};
        QCOMPARE(check.of("1f1b", 8), (8 + 3) * 3.0);
        QCOMPARE(check.of("gpipe", 8), (8 + 3) * 3.0);
    }

    void pricesAreThoseOfTheEstimate()
    {
        const TrainingJob job = smallJob(8, 16);
        const SearchResult result = searched(job, 20);
        QCOMPARE(result.best.size(), std::size_t(20));
        for (const PricedPlan& priced : result.best) {
            const StepEstimate exact = estimateStep(job, priced.plan);
            QVERIFY(close(priced.seconds, exact.seconds));
            QVERIFY(close(priced.memory, exact.memory));
            QVERIFY(priced.memory <= double(job.cluster.device.memoryBytes));
            QVERIFY(checkPlan(job, priced.plan).empty());
        }
    }

    void sameRequestSameAnswer()
    {
        const TrainingJob job = smallJob(8, 16);
        const SearchResult one = searched(job, 30, 30);
        const SearchResult two = searched(job, 30, 30);
        QCOMPARE(one.best.size(), two.best.size());
        for (std::size_t index = 0; index < one.best.size(); ++index) {
            QCOMPARE(one.best[index].seconds, two.best[index].seconds);
            QCOMPARE(one.best[index].plan.schedule, two.best[index].plan.schedule);
            QCOMPARE(one.best[index].plan.layersPerStage, two.best[index].plan.layersPerStage);
        }
    }

    void everyLayoutIsCounted()
    {
        const SearchResult result = searched(smallJob(8, 16), 5);
        std::int64_t rejected = 0;
        for (const Rejection reason : {Rejection::Memory, Rejection::Slower})
            rejected += result.counts.rejected[std::size_t(reason)];
        QVERIFY(rejected + std::int64_t(result.best.size()) <= result.counts.layouts);
        QVERIFY(result.counts.rejected[std::size_t(Rejection::Slower)] > 0);
    }

    void unevenSplitsNeverLose()
    {
        TrainingJob job = smallJob(8, 16);
        job.model.layers = 7;
        SearchRequest request;
        request.job = job;
        request.limits.pp = {4};
        request.refined = 0;
        const double even = searchPlans(request).best.at(0).seconds;
        request.refined = 100;
        const PricedPlan best = searchPlans(request).best.at(0);
        QVERIFY(best.seconds <= even);
        QVERIFY(close(best.seconds, estimateStep(job, best.plan).seconds));
    }

    void moreMemoryNeverHurts()
    {
        double before = std::numeric_limits<double>::infinity();
        for (const int gibibytes : {1, 2, 4, 8, 80}) {
            TrainingJob job = smallJob(8, 32);
            job.cluster.device.memoryBytes = std::int64_t(gibibytes) << 30;
            const SearchResult found = searched(job, 1);
            if (found.best.empty())
                continue;
            QVERIFY(found.best[0].seconds <= before * (1 + 1e-12));
            before = found.best[0].seconds;
        }
        QVERIFY(std::isfinite(before));
    }

    void limitsHold()
    {
        SearchRequest request;
        request.job = smallJob(8, 16);
        request.limits.tp = {2};
        request.limits.schedules = {"zb-h1"};
        request.limits.pp = {2};
        request.limits.zero = {ZeroStage::Optimizer};
        for (const PricedPlan& priced : searchPlans(request).best) {
            QCOMPARE(priced.plan.tp, 2);
            QCOMPARE(priced.plan.pp, 2);
            QCOMPARE(priced.plan.schedule, std::string("zb-h1"));
            QVERIFY(priced.plan.zero == ZeroStage::Optimizer);
        }
        request.limits.schedules = {"auto"};
        QVERIFY_THROWS_EXCEPTION(Error, searchPlans(request));
    }

    void absurdJobsEnd()
    {
        QVERIFY(!searched(smallJob(1, 1)).best.empty());
        QVERIFY(!searched(smallJob(13, 13)).best.empty());  // only data parallel divides
        SearchResult none = searched(smallJob(99'991, 16)); // a prime above the batch
        QVERIFY(none.best.empty());
        TrainingJob tall = smallJob(100'000, 100'000);
        QVERIFY(searched(tall, 1).counts.layouts > 0);
        TrainingJob huge = smallJob(4, 4);
        huge.model = findModelShape("gpt3-175b");
        none = searched(huge);
        QVERIFY(none.best.empty());
        QVERIFY(none.counts.rejected[std::size_t(Rejection::Memory)] > 0);
        QVERIFY(refusalText(huge, {}, none.counts).find("use more devices") != std::string::npos);
    }

    void tellsProgressAndEachBetterLayout()
    {
        SearchRequest request;
        request.job = smallJob(8, 16);
        request.front = true;
        double share = 0;
        bool ordered = true;
        request.progress = [&](const ScanProgress& progress) {
            ordered = ordered && progress.share >= share && progress.share <= 1;
            share = progress.share;
            return true;
        };
        std::vector<PricedPlan> found;
        request.found = [&](const PricedPlan& better) { found.push_back(better); };
        request.refined = 0;
        const SearchResult result = searchPlans(request);
        QVERIFY(result.complete);
        QVERIFY(ordered && share > 0.5);
        QVERIFY(!found.empty());
        for (std::size_t index = 1; index < found.size(); ++index)
            QVERIFY(found[index].seconds <= found[index - 1].seconds);
        QCOMPARE(found.back().seconds, result.best[0].seconds);
    }

    void stopsWhenAsked()
    {
        SearchRequest request;
        request.job = smallJob(8, 16);
        std::stop_source source;
        request.stop = source.get_token();
        request.found = [&](const PricedPlan&) { source.request_stop(); };
        const SearchResult result = searchPlans(request);
        QVERIFY(!result.complete);
        QVERIFY(!result.best.empty());
        QVERIFY(!searchPlans(request).complete); // stopped before it begins
        request.stop = {};
        request.progress = [](const ScanProgress&) { return false; };
        QVERIFY(!searchPlans(request).complete);
    }

    void poolsKeepTheSmallestBoundsInOrder()
    {
        CandidatePool pool(4);
        const auto offerAll = [&] {
            for (int index = 0; index < 40; ++index) {
                PlanCandidate candidate;
                candidate.bound = index * 7 % 40;
                pool.offer(candidate);
            }
        };
        double next = 0;
        for (bool cut = true; cut;) {
            offerAll();
            cut = pool.isCut();
            const std::vector<PlanCandidate> taken = pool.take();
            QVERIFY(taken.size() >= 4 || !cut);
            for (const PlanCandidate& candidate : taken) {
                QCOMPARE(candidate.bound, next++);
                pool.passed(candidate);
            }
        }
        QCOMPARE(next, 40.0);
    }

    void thumbIsNeverBetter()
    {
        const SearchResult result = searched(smallJob(8, 16));
        QVERIFY(result.thumb.has_value());
        QVERIFY(result.thumb->seconds >= result.best[0].seconds * (1 - 1e-9));
    }

    void smallestClusterIsTheFirstThatFits()
    {
        SearchRequest request;
        request.job = smallJob(1, 16);
        request.job.model = findModelShape("gpt2-xl");
        request.keep = 1;
        request.refined = 0;
        const auto found = smallestCluster(request, 64);
        QVERIFY(found.has_value());
        QVERIFY(found->job.devices > 1);
        request.job.devices = found->job.devices / 2;
        QVERIFY(searchPlans(request).best.empty());
    }

private:
    struct PipelineBoundCheck
    {
        StageCosts costs;
        double of(const char* name, int microbatches) const;
    };
};

#include "engine/search/plan_bound.h"

double PlanSearchTest::PipelineBoundCheck::of(const char* name, int microbatches) const
{
    for (std::size_t index = 0; index < schedules().size(); ++index)
        if (schedules()[index].name == name)
            return pipelineBound(
                pipelineTerms(costs, Placement::Looped, int(costs.forward.size()), true),
                traitsOf(index), microbatches);
    return 0;
}

QTEST_APPLESS_MAIN(PlanSearchTest)
#include "plan_search_test.moc"
