#include "engine/search/plan_scan.h"

#include "engine/cost/memory.h"
#include "engine/cost/step_estimate.h"
#include "engine/schedule/closed_forms.h"
#include "engine/schedule/generators.h"
#include "engine/search/scan_bounds.h"
#include "engine/search/scan_shapes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace triaxis
{
namespace
{

/// Sizes of the mesh, with what depends on them only.
struct Shape
{
    int dp = 1;
    int pp = 1;
    const StageSpreads* spreads = nullptr;
    std::vector<LoadTerms> loads; ///< by LayerSpread::sameLoad; filled when first asked for
    std::vector<bool> known;
};

using Live = std::array<double, watchedStages>;

class PlanScan
{
public:
    PlanScan(const TrainingJob& job, const PlanLimits& limits, const ScanCalls& calls,
             ScanCounts& counts)
        : m_job(job), m_limits(limits), m_calls(calls), m_counts(counts),
          m_schedules(searchedSchedules(limits)), m_capacity(memoryLimit(job, limits)),
          m_batchDivisors(divisorsOf(job.globalBatch))
    {
        for (std::size_t index = 0; index < schedules().size(); ++index) {
            m_traits.push_back(traitsOf(index));
        }
        m_zero = limits.zero.empty()
                     ? std::vector<ZeroStage>{ZeroStage::None, ZeroStage::Optimizer,
                                              ZeroStage::Gradients, ZeroStage::Parameters}
                     : limits.zero;
        m_recompute =
            limits.recompute.empty()
                ? std::vector<Recompute>{Recompute::None, Recompute::Selective, Recompute::Full}
                : limits.recompute;
    }

    void run()
    {
        const std::vector<int> sizes = axisValues(m_job.devices, m_limits.tp, m_limits.mostTp);
        for (std::size_t index = 0; index < sizes.size() && !m_stopped; ++index) {
            m_share = static_cast<double>(index) / static_cast<double>(sizes.size());
            m_shareStep = 1 / static_cast<double>(sizes.size());
            scanTensor(sizes[index]);
        }
    }

private:
    void reject(Rejection reason, std::int64_t count = 1)
    {
        m_counts.rejected[static_cast<std::size_t>(reason)] += count;
    }

    /// Shapes (cp, pp, dp) of the devices left.
    static std::int64_t shapesLeft(int devices)
    {
        std::int64_t shapes = 0;
        for (const std::int64_t divisor : divisorsOf(devices)) {
            shapes += static_cast<std::int64_t>(divisorsOf(devices / divisor).size());
        }
        return shapes;
    }

    void scanTensor(int tp)
    {
        const ModelShape& model = m_job.model;
        const int left = m_job.devices / tp;
        const bool groups = model.kvHeads % tp == 0 || tp % model.kvHeads == 0;
        if (model.heads % tp != 0 || model.feedForward % tp != 0 || !groups) {
            reject(Rejection::Tensor, shapesLeft(left));
            return;
        }
        const std::vector<int> sizes = axisValues(left, m_limits.cp, m_limits.mostCp);
        for (const int cp : sizes) {
            if (m_job.sequence % cp != 0) {
                reject(Rejection::Context, static_cast<std::int64_t>(divisorsOf(left / cp).size()));
            } else if (!m_stopped) {
                scanExperts(tp, cp);
            }
            m_share += m_shareStep / static_cast<double>(sizes.size());
        }
    }

    void scanExperts(int tp, int cp)
    {
        if (m_job.model.expert.experts == 0) {
            scanGroup(tp, cp, 1, 1);
            return;
        }
        std::vector<int> expertTensor = m_limits.expertTp;
        if (expertTensor.empty()) {
            expertTensor = tp == 1 ? std::vector<int>{1} : std::vector<int>{1, tp};
        }
        for (const int ep : axisValues(m_job.model.expert.experts, m_limits.ep, 0)) {
            for (const int expertTp : expertTensor) {
                if (expertTp >= 1 && !m_stopped) {
                    scanGroup(tp, cp, ep, expertTp);
                }
            }
        }
    }

    /// All shapes with these sizes, then all that can be chosen within them.
    void scanGroup(int tp, int cp, int ep, int expertTp)
    {
        std::vector<Shape> shapes;
        const int left = m_job.devices / tp / cp;
        for (const int pp : axisValues(left, m_limits.pp, m_limits.mostPp)) {
            const int dp = left / pp;
            const std::vector<int>& allowed = m_limits.dp;
            const bool wanted =
                allowed.empty() || std::find(allowed.begin(), allowed.end(), dp) != allowed.end();
            constexpr int largest = 1 << 20; // of checkPlan
            if (!wanted || dp > largest || m_job.globalBatch % dp != 0) {
                reject(Rejection::Batch);
                continue;
            }
            const std::int64_t ranks = static_cast<std::int64_t>(dp) * cp * tp;
            if (ranks % (static_cast<std::int64_t>(ep) * expertTp) != 0) {
                reject(Rejection::Experts);
                continue;
            }
            const StageSpreads& spreads = spreadsOf(pp);
            if (spreads.spreads.empty()) {
                reject(Rejection::Stages);
                continue;
            }
            Shape shape{dp, pp, &spreads, {}, {}};
            shape.loads.resize(static_cast<std::size_t>(spreads.loads));
            shape.known.resize(static_cast<std::size_t>(spreads.loads));
            shapes.push_back(std::move(shape));
        }
        if (shapes.empty()) {
            return;
        }
        m_plan = {};
        m_plan.tp = tp;
        m_plan.cp = cp;
        m_plan.ep = ep;
        m_plan.expertTp = expertTp;
        for (const std::int64_t microbatch : m_batchDivisors) {
            scanMicrobatch(shapes, microbatch);
        }
    }

    void scanMicrobatch(std::vector<Shape>& shapes, std::int64_t microbatch)
    {
        const std::vector<int>& allowed = m_limits.microbatch;
        constexpr std::int64_t largest = 1 << 20; // of checkPlan
        const bool wanted = allowed.empty() ||
                            std::find(allowed.begin(), allowed.end(), microbatch) != allowed.end();
        const auto divides = [&](const Shape& shape) {
            return m_job.globalBatch / shape.dp % microbatch == 0;
        };
        if (!wanted || microbatch > largest ||
            std::none_of(shapes.begin(), shapes.end(), divides) || m_stopped) {
            return;
        }
        report();
        m_plan.microbatch = static_cast<int>(microbatch);
        for (const bool sequenceParallel : {false, true}) {
            const bool useless = m_plan.tp == 1 && sequenceParallel;
            const bool refused = m_limits.sequenceParallel && m_plan.tp > 1 &&
                                 *m_limits.sequenceParallel != sequenceParallel;
            if (useless || refused ||
                (sequenceParallel && m_job.sequence / m_plan.cp % m_plan.tp != 0)) {
                continue;
            }
            m_plan.sequenceParallel = sequenceParallel;
            for (const Recompute recompute : m_recompute) {
                m_plan.recompute = recompute;
                const UnitBound unit = unitBound(m_job, m_plan);
                for (Shape& shape : shapes) {
                    if (divides(shape)) {
                        scanShape(shape, unit);
                    }
                }
            }
        }
    }

    void report()
    {
        if (m_calls.progress && !m_calls.progress({m_counts.layouts, m_share})) {
            m_stopped = true;
        }
    }

    void scanShape(Shape& shape, const UnitBound& unit)
    {
        m_plan.dp = shape.dp;
        m_plan.pp = shape.pp;
        const std::int64_t microbatches = m_plan.microbatches(m_job.globalBatch);
        int costsOf = 0;
        StageCosts costs;
        for (const LayerSpread& spread : shape.spreads->spreads) {
            if (costsOf != spread.virtualStages) {
                m_plan.virtualStages = costsOf = spread.virtualStages;
                m_plan.schedule = "1f1b";
                costs = stageCosts(m_job, m_plan, unit.costs);
            }
            const PipelineTerms terms =
                pipelineTerms(costs, spread.placement, shape.pp, m_job.software.stepBarrier);
            scanSpread(shape, spread, terms, unit, microbatches);
        }
    }

    const LoadTerms& loadOf(Shape& shape, const LayerSpread& spread)
    {
        const auto index = static_cast<std::size_t>(spread.sameLoad);
        if (!shape.known[index]) {
            shape.loads[index] = loadTerms(m_job, m_plan, spread);
            shape.known[index] = true;
        }
        return shape.loads[index];
    }

    /// Nobody holds the same weights, so that it is all one what is sharded. Experts that are not
    /// split along the tensor axis lie on several ranks of it.
    bool isAlone(const Shape& shape, const LayerSpread& spread) const
    {
        const bool experts = m_job.model.expert.experts > 0;
        const int ranks = shape.dp * m_plan.cp * m_plan.tp;
        return shape.dp * m_plan.cp == 1 && spread.placement != Placement::Bidirectional &&
               (!experts || ranks == m_plan.ep * m_plan.expertTp);
    }

    void scanSpread(Shape& shape, const LayerSpread& spread, const PipelineTerms& terms,
                    const UnitBound& unit, std::int64_t microbatches)
    {
        const LoadTerms& load = loadOf(shape, spread);
        std::array<double, zeroStages> tails{};
        const std::size_t zeros = isAlone(shape, spread) ? 1 : m_zero.size();
        for (std::size_t index = 0; index < zeros; ++index) {
            const auto zero = static_cast<std::size_t>(m_zero[index]);
            tails[zero] = tailBound(m_job, load, zero, terms, unit, static_cast<double>(microbatches));
        }
        std::array<double, watchedStages> kept{};
        for (std::size_t index = 0; index < watchedStages; ++index) {
            kept[index] = spread.denseLayers[index] * unit.denseKept +
                          spread.expertLayers[index] * unit.expertKept;
        }
        PlanCandidate candidate;
        fill(candidate.point);
        candidate.point.virtualStages = spread.virtualStages;
        for (const std::uint8_t schedule : spread.schedules) {
            const bool oneWay = spread.placement == Placement::Bidirectional && microbatches < 2;
            if (oneWay || !isWritable(shape.pp, microbatches, spread.virtualStages)) {
                reject(Rejection::Schedule, static_cast<std::int64_t>(zeros));
                continue;
            }
            const double pipeline = pipelineBound(terms, m_traits[schedule], microbatches);
            const Live& live = liveOf(shape, spread, schedule, microbatches);
            candidate.point.schedule = schedule;
            for (std::size_t index = 0; index < zeros; ++index) {
                const auto zero = static_cast<std::size_t>(m_zero[index]);
                candidate.point.zero = static_cast<std::uint8_t>(zero);
                candidate.bound = (pipeline + tails[zero]) * boundSlack;
                candidate.memory = memoryBound(m_job, load.states[zero], kept, live, spread, unit);
                take(candidate);
            }
        }
    }

    void take(const PlanCandidate& candidate)
    {
        ++m_counts.layouts;
        if (candidate.memory > m_capacity) {
            reject(Rejection::Memory);
            PlanCandidate& smallest = m_counts.smallest;
            if (smallest.memory == 0 || candidate.memory < smallest.memory) {
                smallest = candidate;
            }
        } else if (!m_calls.take(candidate)) {
            reject(Rejection::Slower);
        }
    }

    void fill(PlanPoint& point) const
    {
        point.dp = m_plan.dp;
        point.tp = m_plan.tp;
        point.cp = m_plan.cp;
        point.pp = m_plan.pp;
        point.ep = m_plan.ep;
        point.expertTp = m_plan.expertTp;
        point.microbatch = m_plan.microbatch;
        point.recompute = static_cast<std::uint8_t>(m_plan.recompute);
        point.sequenceParallel = m_plan.sequenceParallel ? 1 : 0;
    }

    const StageSpreads& spreadsOf(int stages)
    {
        const auto found = m_spreads.find(stages);
        if (found != m_spreads.end()) {
            return found->second;
        }
        return m_spreads.emplace(stages, layerSpreads(m_job, m_limits, m_schedules, stages))
            .first->second;
    }

    /// Shares alive at least on the watched stages: closed forms, else one chunk.
    const Live& liveOf(const Shape& shape, const LayerSpread& spread, std::uint8_t schedule,
                       std::int64_t microbatches)
    {
        const std::uint64_t key = (static_cast<std::uint64_t>(shape.pp) << 44) ^
                                  (static_cast<std::uint64_t>(spread.virtualStages) << 32) ^
                                  (static_cast<std::uint64_t>(microbatches) << 5) ^ schedule;
        const auto [found, fresh] = m_live.try_emplace(key);
        if (!fresh) {
            return found->second;
        }
        Live& live = found->second;
        live.fill(1.0 / spread.virtualStages);
        if (shape.pp == 1) {
            return live;
        }
        ScheduleRequest request;
        request.name = schedules()[schedule].name;
        request.stages = shape.pp;
        request.microbatches = static_cast<int>(std::min<std::int64_t>(microbatches, 1 << 28));
        request.virtualStages = spread.virtualStages;
        const ClosedForm form = closedForm(request);
        for (std::size_t index = 0; index < watchedStages && !form.peakLive.empty(); ++index) {
            live[index] = form.peakLive[static_cast<std::size_t>(spread.watched[index])];
        }
        return live;
    }

    const TrainingJob& m_job;
    const PlanLimits& m_limits;
    const ScanCalls& m_calls;
    ScanCounts& m_counts;
    std::vector<std::uint8_t> m_schedules;
    double m_capacity = 0;
    std::vector<std::int64_t> m_batchDivisors;
    std::vector<ScheduleTraits> m_traits;
    std::vector<ZeroStage> m_zero;
    std::vector<Recompute> m_recompute;
    std::map<int, StageSpreads> m_spreads;
    std::unordered_map<std::uint64_t, Live> m_live;
    ParallelPlan m_plan; ///< the layout being looked at
    double m_share = 0;
    double m_shareStep = 0;
    bool m_stopped = false;
};

} // namespace

void scanPlans(const TrainingJob& job, const PlanLimits& limits, const ScanCalls& calls,
               ScanCounts& counts)
{
    PlanScan(job, limits, calls, counts).run();
}

} // namespace triaxis
