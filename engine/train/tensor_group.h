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
    void finish(PendingCollective& pending);
    /// start and finish in one: nothing to overlap with.
    void allReduce(float* data, std::int64_t count, kernels::Reduction reduction, int part);

    /// Lets the messages of every lane move; called between the operations of a layer.
    void progress() { m_world.progress(); }
    /// What was gathered since the last call.
    TensorTimes take();

private:
    kernels::World& m_world;
    kernels::Communicator* m_group;
    TensorTimes m_times;
};

} // namespace triaxis::train
