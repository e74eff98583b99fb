#pragma once

#include "engine/layout/layout.h"
#include "engine/schedule/program.h"
#include "kernels/communicator.h"

#include <memory>

namespace triaxis::train
{

/// The groups that this rank belongs to, made eagerly and in the same order on every rank. A group
/// of one member is left out (null), except `everyone`.
struct RankGroups
{
    std::unique_ptr<kernels::Communicator> tensor; ///< tensor ranks of this stage and replica
    std::unique_ptr<kernels::Communicator> data;   ///< replicas of this rank and of its twin
    std::unique_ptr<kernels::Communicator>
        pipeline;                                 ///< stages of this column; member number = stage
    std::unique_ptr<kernels::Communicator> model; ///< tensor × pipeline ranks of this replica
    std::unique_ptr<kernels::Communicator> tied;  ///< stages that hold a copy of the tied embedding
    std::unique_ptr<kernels::Communicator>
        replicas; ///< tensor ranks that hold the same key/value head
    std::unique_ptr<kernels::Communicator> everyone; ///< all ranks; member number = rank
};

/// Collective over the world.
RankGroups makeRankGroups(kernels::World& world, const Layout& layout, const ModelSpec& model,
                          const Program& program);

} // namespace triaxis::train
