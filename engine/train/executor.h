#pragma once

#include "engine/train/pacer.h"
#include "engine/train/rank_state.h"
#include "engine/train/span_queue.h"
#include "engine/train/step_recorder.h"
#include "engine/train/step_reductions.h"

#include <memory>
#include <optional>
#include <vector>

namespace triaxis::train
{

struct StepOutcome
{
    double loss = 0;         ///< mean over the global batch, before the update
    double gradientNorm = 0; ///< before clipping
    int peakLive = 0;        ///< most microbatches × chunks whose activations this rank held at once
};

/// Runs the program of this rank's stage, one step after the other: the second interpreter of the
/// program beside the simulator. Compute instructions are asked of the device where they stand;
/// transfers and collectives are enqueued and completed at their Wait. Where the device itself can
/// wait for them (NCCL), the host goes on and waits once, at the end of the step; where only the
/// host can (MPI), it does so at each Wait. Paced runs do everything in turn.
class Executor
{
public:
    /// Collective over the world if the run is paced.
    Executor(RankState& state, StepRecorder& recorder);

    /// Throws Error if the loss or the gradient norm is not finite. `step` counts from 1.
    StepOutcome run(std::int64_t step);
    /// What a person should know of the slots of a paced run; empty if nothing.
    std::string complaint() const { return m_pacer ? m_pacer->complaint() : std::string(); }

private:
    /// One microbatch of one chunk between its instructions.
    struct InFlight
    {
        kernels::Buffer input;          ///< received, not yet computed
        kernels::Buffer output;         ///< computed, not yet sent
        kernels::Buffer outputGradient; ///< received, not yet computed
        kernels::Buffer inputGradient;  ///< computed, not yet sent
        ChunkSaved saved;
    };
    struct Pending
    {
        Instruction instruction;
        StepReduction transfer; ///< `packed` holds the payload of a transfer
        /// Paced runs: when a message arrives, or a collective's last member has enqueued it.
        std::unique_ptr<double> stamp;
        double slotEnd = 0; ///< of the step that made what is sent or reduced: not ready before
        std::unique_ptr<kernels::Request> stampRequest;
    };

    void issue(const Instruction& instruction);
    void forward(InstructionId id);
    void backward(InstructionId id, WeightGradients weights);
    void backwardWeight(InstructionId id);
    void update();
    template <class Work>
    void compute(const Instruction& instruction, Work work);
    template <class Work>
    void computePaced(const Instruction& instruction, Work work);

    void send(const Instruction& instruction);
    void receive(const Instruction& instruction);
    void enqueue(const Instruction& instruction, StepReduction transfer);
    void stamp(Pending& pending);
    /// Paced runs: waits until the message or collective would be over; its time on the recorder.
    void pace(Pending& pending, kernels::Timing& timing);
    void countLive(int change);
    void wait(const Instruction& instruction);
    void complete(Pending& pending);
    /// Loss and gradient norm, to the host.
    void readTotals();

    InFlight& inFlight(InstructionId id);
    /// The slot of a neighbouring virtual stage that lies on this same stage; null if it is
    /// elsewhere.
    InFlight* neighbour(InstructionId id, int distance);
    const ChunkLayers& chunk(InstructionId id) const;
    float lossFactor() const;
    double* lossSum() { return static_cast<double*>(m_totals.data()); }
    double* squaredNorm() { return lossSum() + 1; }
    float* clipFactor() { return m_totals.floats() + 4; }

    RankState& m_state;
    StepRecorder& m_recorder;
    SpanQueue m_spans;
    /// On the device: cross-entropy of the tokens and squared gradient norm so far, and what the
    /// gradients are multiplied with.
    kernels::Buffer m_totals;
    std::vector<InFlight> m_inFlight; ///< [chunk · M + microbatch]
    std::vector<Pending> m_pending;
    std::optional<Pacer> m_pacer; ///< of a paced run
    int m_live = 0;               ///< microbatches × chunks whose activations are held now
    std::int64_t m_step = 0;
    StepOutcome m_outcome;
};

} // namespace triaxis::train
