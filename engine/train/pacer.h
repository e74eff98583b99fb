#pragma once

#include "engine/train/rank_state.h"
#include "engine/train/step_recorder.h"

#include <array>
#include <map>
#include <string>

namespace triaxis::train
{

/// The clock of slots of a paced run. A compute instruction's slot begins at the later of the end of the rank's own last one and the
/// arrival of its inputs, and ends after its duration; the rank does the real work inside and stands still until the slot is over.
/// Messages carry their arrival, so that a rank that is late does not delay the others' slots: it catches up.
class Pacer
{
public:
    /// Collective over the world: all ranks agree when the first slot may begin.
    Pacer(RankState& state, StepRecorder& recorder);

    /// The slot of an instruction, once it has begun.
    struct Slot
    {
        double begin = 0;
        double end = 0;
        double tensor = 0; ///< seconds of it that the tensor collectives would take
    };
    Slot open(const Instruction& instruction);
    /// When the stage is taken by a slot: from its begin, or the end of the last one if that was late, to its end, or that of the real work
    /// if it took longer. When the operating system let the work begin inside the slot does not show here, but in SlotSample.
    struct Taken
    {
        double begin = 0;
        double end = 0;
    };
    /// The real work is done. Does not wait for the slot's end, so that what the step sends is on its way in time; settle() does.
    Taken close(const Instruction& instruction, const Slot& slot, double workBegin);
    /// Returns when the last slot is over: before the rank waits for anything.
    void settle() { waitUntil(m_end); }

    /// The moment at which what is sent now will have arrived.
    double departure(const Instruction& send);
    /// A message that arrives at `arrival` has been received; returns when it has arrived.
    void arrived(double arrival);
    /// The wait for a send is over when its bytes have left.
    void departed(const Instruction& send);

    /// A collective that this rank enqueues now, and one whose members have all enqueued it by `enqueued`: returns when it is over.
    double enqueued() const { return m_end; }
    void reduced(const Instruction& collective, double enqueued, std::int64_t bytes, int members);

    /// What a person should know of slots that were too short for the real work; empty if all were long enough.
    std::string complaint() const;

private:
    double duration(const Instruction& instruction) const;
    double tensorSeconds(const Instruction& instruction) const;
    void waitUntil(double time);

    RankState& m_state;
    StepRecorder& m_recorder;
    const PacePlan& m_pace;
    double m_end = 0;    ///< end of the rank's last slot
    double m_taken = 0;  ///< end of its last slot or of the work in it
    double m_inputs = 0; ///< arrival of the next slot's inputs
    std::array<double, 8> m_laneFree{};
    std::map<InstructionId, double> m_departed; ///< sends: when their bytes have left
    std::int64_t m_slots = 0;
    std::int64_t m_short = 0;   ///< slots whose real work took longer
    InstructionId m_worst;      ///< … the one that exceeded its slot most
    double m_worstWork = 0;
    double m_worstSlot = 0;
    double m_mostLate = 0;
};

} // namespace triaxis::train
