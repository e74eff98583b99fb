#pragma once

#include "kernels/communicator.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace triaxis::train
{

/// One tensor-parallel collective that ran inside a compute instruction.
struct TensorCollectiveTiming
{
    int part = 0; ///< tensorPart()
    kernels::Timing timing;
    std::int64_t bytes = 0;
};

/// What the tensor axis cost a compute instruction: seconds in which the rank stood still for it.
/// A collective that ran behind a matrix product counts only from the moment the rank waited for
/// it.
struct TensorTimes
{
    double wait = 0;     ///< for partners that had not arrived
    double transfer = 0; ///< moving and adding the data
    std::vector<TensorCollectiveTiming> collectives;
};

/// A tensor-parallel collective for which the device waits, or the host has waited.
struct TensorCollective
{
    int part = 0; ///< tensorPart()
    std::int64_t bytes = 0;
    std::unique_ptr<kernels::Request> request; ///< null once `timing` is known
    kernels::Timing timing;
    std::unique_ptr<kernels::Request> from, to; ///< moments between which nothing else ran
};

/// Whether all have ended; throws DeviceError for one that has failed.
bool haveEnded(std::vector<TensorCollective>& collectives);
/// Of collectives that have ended.
TensorTimes timesOf(const std::vector<TensorCollective>& collectives);

/// A collective under way; it must be finished before it goes.
struct PendingCollective
{
    std::unique_ptr<kernels::Request> request; ///< null where the group has one member
    int part = 0;
    std::int64_t bytes = 0;
};

/// This rank's tensor-parallel group as the layers see it. With one member every call returns at
/// once.
class TensorGroup
{
public:
    /// `group` may be null: a tensor-parallel size of one.
    TensorGroup(kernels::World& world, kernels::Communicator* group);

    int rank() const;
    int size() const;

    PendingCollective start(float* data, std::int64_t count, kernels::Reduction reduction,
                            int part);
    /// What is asked of the device from now on runs after it.
    void finish(PendingCollective& pending);
    /// start and finish in one: nothing to overlap with.
    void allReduce(float* data, std::int64_t count, kernels::Reduction reduction, int part);

    /// Lets the messages of every lane move; called between the operations of a layer.
    void progress() { m_world.progress(); }
    /// What was finished since the last call.
    std::vector<TensorCollective> take();

private:
    kernels::World& m_world;
    kernels::Communicator* m_group;
    std::vector<TensorCollective> m_finished;
};

} // namespace triaxis::train
