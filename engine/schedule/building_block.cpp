#include "engine/schedule/building_block.h"

#include "engine/schedule/compute_program.h"
#include "engine/schedule/stage_order.h"

#include <algorithm>
#include <array>
#include <optional>

namespace triaxis
{
namespace
{

constexpr int period = 6;

/// The four ways of a microbatch through the V, in the order in which it takes them.
enum Pass { ForwardDown, ForwardUp, BackwardDown, BackwardUp };
constexpr int passes = 4;

/// Slots of the first microbatch on a stage.
using Times = std::array<int, passes>;

Times timesOf(const BuildingBlock& block, int stages, int stage)
{
    const int down = block.downStep * (stages - 1);
    const int up = block.upStep * (stages - 1);
    const int fromEnd = stages - 1 - stage;
    Times times{};
    times[ForwardDown] = block.downStep * stage;
    times[ForwardUp] = down + block.turn + block.upStep * fromEnd;
    times[BackwardDown] = down + block.turn + up + block.loss + block.downStep * stage;
    times[BackwardUp] =
        2 * down + block.turn + up + block.loss + block.turnBack + block.upStep * fromEnd;
    return times;
}

int remainder(int value)
{
    return (value % period + period) % period;
}

/// Most activations that live at once when the block repeats for ever and the backwards for the
/// weights take the slots in `weights`, one for each chunk.
int peakOf(const Times& times, const std::array<int, 2>& weights)
{
    const std::array<int, 2> last{times[BackwardUp] + remainder(weights[0] - times[BackwardUp]),
                                  times[BackwardDown] +
                                      remainder(weights[1] - times[BackwardDown])};
    int peak = 0;
    for (int slot = 0; slot < period; ++slot) {
        int live = 0;
        for (const int chunk : {0, 1}) {
            const int begin = times[chunk == 0 ? ForwardDown : ForwardUp];
            // Microbatches k with begin + 6k ≤ slot ≤ last + 6k, shifted by whole periods.
            const int first = begin + remainder(slot - begin);
            live += first > last[chunk] ? 0 : (last[chunk] - first) / period + 1;
        }
        peak = std::max(peak, live);
    }
    return peak;
}

/// The weights' steps take the two slots that are left, in the better way round.
int peakOf(const Times& times)
{
    std::vector<int> left;
    for (int slot = 0; slot < period; ++slot)
        if (std::none_of(times.begin(), times.end(),
                         [slot](int time) { return remainder(time) == slot; }))
            left.push_back(slot);
    return std::min(peakOf(times, {left[0], left[1]}), peakOf(times, {left[1], left[0]}));
}

struct Step
{
    int time = 0;
    Pass pass = ForwardDown;
    int microbatch = 0;
};

std::vector<Step> repeated(const Times& times, int microbatches)
{
    std::vector<Step> steps;
    for (int m = 0; m < microbatches; ++m)
        for (int pass = 0; pass < passes; ++pass)
            steps.push_back({times[pass] + period * m, Pass(pass), m});
    std::sort(steps.begin(), steps.end(),
              [](const Step& a, const Step& b) { return a.time < b.time; });
    return steps;
}

/// Plays all stages slot by slot and writes down what each does.
class Squeeze
{
public:
    Squeeze(ComputeProgram& program, const BuildingBlock& block)
        : m_stages(program.stages),
          m_done(passes, std::vector<std::vector<bool>>(
                             program.stages, std::vector<bool>(program.microbatches, false)))
    {
        for (int stage = 0; stage < m_stages; ++stage) {
            const Times times = timesOf(block, m_stages, stage);
            m_lines.push_back({StageOrder(program, stage), repeated(times, program.microbatches), 0,
                               0, peakOf(times)});
        }
    }

    void run()
    {
        bool working = true;
        while (working) {
            working = false;
            std::vector<std::optional<Step>> taken;
            for (int stage = 0; stage < m_stages; ++stage) {
                const Line& line = m_lines[stage];
                working =
                    working || line.next < line.steps.size() || line.order.pendingWeights() > 0;
                taken.push_back(playSlot(stage));
            }
            for (int stage = 0; stage < m_stages; ++stage)
                if (taken[stage])
                    m_done[taken[stage]->pass][stage][taken[stage]->microbatch] = true;
        }
    }

private:
    struct Line
    {
        StageOrder order;
        std::vector<Step> steps;
        std::size_t next = 0;
        int live = 0;
        int most = 0; ///< activations that the stage may keep
    };

    /// Whether the input was made in an earlier slot.
    bool isReady(int stage, const Step& step) const
    {
        const bool down = step.pass == ForwardDown || step.pass == BackwardDown;
        const int before = down ? stage - 1 : stage + 1;
        if (before >= 0 && before < m_stages)
            return m_done[step.pass][before][step.microbatch];
        return step.pass == ForwardDown || m_done[step.pass - 1][stage][step.microbatch];
    }

    std::optional<Step> playSlot(int stage)
    {
        Line& line = m_lines[stage];
        if (line.next < line.steps.size()) {
            const Step step = line.steps[line.next];
            const bool forward = step.pass == ForwardDown || step.pass == ForwardUp;
            if (isReady(stage, step) && !(forward && line.live >= line.most)) {
                ++line.next;
                line.live += forward;
                write(line.order, step.pass);
                return step;
            }
        }
        if (line.order.pendingWeights() > 0) {
            line.order.backwardWeight();
            --line.live;
        }
        return std::nullopt;
    }

    static void write(StageOrder& order, Pass pass)
    {
        switch (pass) {
        case ForwardDown:
            return order.forward(0);
        case ForwardUp:
            return order.forward(1);
        case BackwardDown:
            return order.backwardInput(1);
        case BackwardUp:
            return order.backwardInput(0);
        }
    }

    int m_stages = 1;
    std::vector<std::vector<std::vector<bool>>> m_done; ///< [pass][stage][microbatch]
    std::vector<Line> m_lines;                          ///< [stage]
};

} // namespace

ComputeProgram fromBuildingBlock(const ScheduleRequest& request, const BuildingBlock& block)
{
    ComputeProgram program = vPipeline(request.name, request.stages, request.microbatches);
    Squeeze(program, block).run();
    return program;
}

} // namespace triaxis
