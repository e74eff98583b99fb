#include "engine/cost/ideal_machine.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// Of any call; not zero, since sizes between two samples are priced by the logarithm.
constexpr double nothing = 1e-15;

} // namespace

MachineCalibration idealMachine(int cores)
{
    MachineCalibration ideal;
    ideal.cores = std::max(1, cores);
    for (const Occupancy under :
         {Occupancy{1, 1}, Occupancy{ideal.cores, 1}, Occupancy{1, ideal.cores}}) {
        for (const ProductForm form :
             {ProductForm::Plain, ProductForm::RightTransposed, ProductForm::LeftTransposed})
            for (const std::int64_t extent : {1, 1 << 20})
                ideal.products.push_back({under, form, extent, extent, extent, nothing});
        for (int i = 0; i < machineOperationCount; ++i)
            for (const std::int64_t elements : {std::int64_t(1), std::int64_t(1) << 40})
                ideal.operations.push_back({under, MachineOperation(i), elements, nothing});
        for (const bool backward : {false, true})
            for (const std::int64_t extent : {1, 1 << 20})
                ideal.attention.push_back({under, backward, extent, extent, nothing});
    }
    for (const MessageKind kind : {MessageKind::AllReduce, MessageKind::Message})
        for (const int ranks : {2, 4096})
            for (const std::int64_t bytes : {std::int64_t(1), std::int64_t(1) << 40})
                ideal.messages.push_back({kind, ranks, bytes, nothing});
    for (const double waited : {1e-6, 1e3})
        ideal.wakes.push_back({2, waited, nothing});
    return ideal;
}

} // namespace triaxis
