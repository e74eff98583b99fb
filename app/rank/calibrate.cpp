#include "app/rank/calibrate.h"

#include "app/rank/measurement.h"
#include "engine/core/cores.h"
#include "engine/record/process_info.h"
#include "engine/record/utc.h"

#include <utility>

namespace triaxis::rank
{
namespace
{

MeasurementPace paceOf(bool quick)
{
    return quick ? MeasurementPace{0.7e-3, 3, true} : MeasurementPace{2e-3, 3, false};
}

void measurePart(Measurement& measurement, CalibrationPart part)
{
    switch (part) {
    case CalibrationPart::Compute:
        measureProducts(measurement);
        measureOperations(measurement);
        measureAttention(measurement);
        measureLayers(measurement);
        measureStreams(measurement);
        measureRuntime(measurement);
        break;
    case CalibrationPart::Messages:
        measureMessages(measurement);
        measureWakes(measurement);
        measureSharing(measurement);
        break;
    case CalibrationPart::Pace:
        measurePace(measurement);
        break;
    }
}

} // namespace

const char* toText(CalibrationPart part)
{
    switch (part) {
    case CalibrationPart::Compute:
        return "compute";
    case CalibrationPart::Messages:
        return "messages";
    case CalibrationPart::Pace:
        return "pace";
    }
    return "";
}

void calibrate(kernels::World& world, kernels::Device& device, int threads, CalibrationPart part,
               bool quick, double most, std::FILE* out)
{
    MeasurementPace pace = paceOf(quick);
    pace.most = most;
    Measurement measurement(world, device, threads, pace, out);
    measurePart(measurement, part);
    MachineCalibration result = std::move(measurement.result());
    result.jobs.front().part = toText(part);
    result.date = utcText(unixTime());
    result.host = hostName();
    result.cpu = processorName();
    result.cores = usableCores();
    result.mpi = world.library();
    result.blas = device.blasName();
    world.barrier();
    if (world.rank() == 0) {
        std::fprintf(out, "%s\n", toJson(result).dump().c_str());
        std::fflush(out);
    }
}

} // namespace triaxis::rank
