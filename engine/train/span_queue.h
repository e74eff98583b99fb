#pragma once

#include "engine/train/step_recorder.h"

#include <deque>
#include <memory>
#include <vector>

namespace triaxis::train
{

/// What a rank has asked of its device and has not recorded yet, in the order in which it was asked
/// for. A GPU does it later, and the host looks now and then; a processor has done everything by
/// the time that it gets here.
class SpanQueue
{
public:
    SpanQueue(kernels::World& world, StepRecorder& recorder) : m_world(world), m_recorder(recorder)
    {
    }

    /// `begin` and `end`: moments of the device.
    void computed(const Instruction& instruction, std::unique_ptr<kernels::Request> begin,
                  std::unique_ptr<kernels::Request> end, std::vector<TensorCollective> tensor);
    void communicated(const Instruction& instruction, std::unique_ptr<kernels::Request> request,
                      std::int64_t bytes);

    /// Records what is over, without waiting. Throws DeviceError for what has failed; the recorder
    /// then stands at that instruction, as it does at one that is not over.
    void recordEnded();
    /// Waits until everything is over, and records it.
    void recordAll();

private:
    struct Entry
    {
        Instruction instruction;
        std::unique_ptr<kernels::Request> begin; ///< null for communication
        std::unique_ptr<kernels::Request> end;
        std::vector<TensorCollective> tensor;
        std::int64_t bytes = 0;
    };

    bool hasEnded(Entry& entry);
    void record(const Entry& entry);

    kernels::World& m_world;
    StepRecorder& m_recorder;
    std::deque<Entry> m_entries;
};

} // namespace triaxis::train
