#include "engine/schedule/whole_program.h"

#include "engine/core/error.h"
#include "engine/schedule/compute_program.h"

#include <string>

namespace triaxis
{
namespace
{

[[noreturn]] void refuse(const std::string& what, const std::string& remedy)
{
    throw Error("cannot read the schedule's CSV", what, remedy);
}

/// Every microbatch of one replica once forward and once backward on each of its virtual stages.
class WholeCheck
{
public:
    WholeCheck(const ComputeProgram& program, const std::vector<int>& lines)
        : m_program(program), m_lines(lines)
    {
    }

    void run()
    {
        std::size_t steps = 0;
        for (const std::vector<ComputeStep>& order : m_program.order)
            steps += order.size();
        // Fewer cells than microbatches: spares tables of a size that only a slip of the pen asks
        // for.
        if (std::size_t(m_program.microbatches) > steps)
            refuse("microbatch " + std::to_string(m_program.microbatches - 1) + " in a file of " +
                       std::to_string(steps) + " steps",
                   "number the microbatches from 0 without a gap");
        if (std::size_t(m_program.chunks) * std::size_t(m_program.microbatches) > 2 * steps)
            refuse(std::to_string(m_program.microbatches) + " microbatches on " +
                       std::to_string(m_program.chunks) + " virtual stages a row in a file of " +
                       std::to_string(steps) + " steps",
                   "run every microbatch forward and backward on each virtual stage");
        m_owner.assign(m_program.microbatches, -1);
        for (int stage = 0; stage < m_program.stages; ++stage)
            for (const ComputeStep& step : m_program.order[stage])
                own(stage, step);
        for (int stage = 0; stage < m_program.stages; ++stage)
            checkStage(stage);
    }

private:
    std::string named(int stage, int chunk, int microbatch) const
    {
        const int positions = virtualStages(m_program);
        const int number =
            m_program.replica[stage][chunk] * positions + m_program.virtualStage[stage][chunk];
        return "line " + std::to_string(m_lines[stage]) + ": microbatch " +
               std::to_string(microbatch) + " on virtual stage " + std::to_string(number);
    }

    void own(int stage, const ComputeStep& step)
    {
        const int replica = m_program.replica[stage][step.chunk.value];
        int& owner = m_owner[step.microbatch.value];
        if (owner >= 0 && owner != replica)
            refuse(named(stage, step.chunk.value, step.microbatch.value) +
                       " runs on the other replica too",
                   "give every microbatch to one replica");
        owner = replica;
    }

    void checkStage(int stage) const
    {
        struct Counts
        {
            int forward = 0;
            int whole = 0;
            int input = 0;
            int weight = 0;
        };
        std::vector<Counts> counts(std::size_t(m_program.chunks) * m_program.microbatches);
        for (const ComputeStep& step : m_program.order[stage]) {
            Counts& count = counts[std::size_t(step.chunk.value) * m_program.microbatches +
                                   step.microbatch.value];
            count.forward += step.kind == Kind::Forward;
            count.whole += step.kind == Kind::Backward;
            count.input += step.kind == Kind::BackwardInput;
            count.weight += step.kind == Kind::BackwardWeight;
        }
        for (int chunk = 0; chunk < m_program.chunks; ++chunk) {
            for (int m = 0; m < m_program.microbatches; ++m) {
                const Counts& count = counts[std::size_t(chunk) * m_program.microbatches + m];
                const bool owned = m_owner[m] == m_program.replica[stage][chunk];
                const bool whole = count.forward == 1 && count.whole + count.input == 1 &&
                                   count.whole + count.weight == 1;
                if ((owned || m_owner[m] < 0) && !whole)
                    refuse(named(stage, chunk, m) + " runs forward " +
                               std::to_string(count.forward) + " times, with " +
                               std::to_string(count.whole) + " B, " + std::to_string(count.input) +
                               " I and " + std::to_string(count.weight) + " W",
                           "give it one F, and one B or one I and one W");
            }
        }
    }

    const ComputeProgram& m_program;
    const std::vector<int>& m_lines; ///< [stage]
    std::vector<int> m_owner;        ///< [microbatch] replica, −1 if it is on none
};

} // namespace

void checkWhole(const ComputeProgram& program, const std::vector<int>& lines)
{
    WholeCheck(program, lines).run();
}

} // namespace triaxis
