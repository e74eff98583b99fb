#include "machine_fixture.h"

#include "engine/core/cores.h"

triaxis::MachineCalibration madeUpMachine()
{
    using namespace triaxis;
    MachineCalibration made;
    made.date = "2026-01-02T03:04:05Z";
    made.host = "made-up";
    made.cpu = processorName();
    made.version = "0.1.0";
    made.mpi = "Open MPI";
    made.blas = "OpenBLAS";
    made.cores = 2;
    const std::pair<Occupancy, double> prices[] = {{{1, 1}, 1.0}, {{1, 2}, 1.2}, {{2, 1}, 0.5}};
    for (const auto& [under, price] : prices) {
        for (const ProductForm form :
             {ProductForm::Plain, ProductForm::RightTransposed, ProductForm::LeftTransposed})
            for (const std::int64_t m : {16, 256})
                for (const std::int64_t n : {16, 256})
                    for (const std::int64_t k : {16, 256})
                        made.products.push_back(
                            {under, form, m, n, k, price * 1e-9 * double(m * n * k)});
        for (int i = 0; i < machineOperationCount; ++i)
            for (const std::int64_t elements : {1, 1 << 20})
                made.operations.push_back(
                    {under, MachineOperation(i), elements, price * 1e-8 * double(elements)});
        for (const bool backward : {false, true})
            for (const std::int64_t time : {16, 1024})
                for (const std::int64_t headSize : {16, 128})
                    made.attention.push_back({under, backward, time, headSize,
                                              (under.threads == 2 ? 1.0 : price) * 1e-9 *
                                                  double(time * time * headSize)});
    }
    for (const int ranks : {2, 8})
        for (const std::int64_t bytes : {8, 1 << 20}) {
            made.messages.push_back(
                {MessageKind::AllReduce, ranks, bytes, 1e-9 * double(bytes) * ranks / 2});
            made.messages.push_back(
                {MessageKind::Message, ranks, bytes, 0.5e-9 * double(bytes) * ranks / 2});
        }
    for (const int ranks : {2, 8})
        for (const double waited : {1e-6, 1e-3})
            made.wakes.push_back({ranks, waited, 4e-9 + 0.01 * waited});
    return made;
}
